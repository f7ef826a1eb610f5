//! Wakes requests that wait for desk changes: on a write of this process, on a PostgreSQL notification from another
//! instance, and at the latest one second after any write.

use std::time::Duration;

use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};
use tokio_util::sync::CancellationToken;

use super::presence::PresenceBoard;
use crate::service::store::Store;

/// The most requests that may wait. A service accepts 800 connections; the rest serve requests that do not wait.
const MOST_WAITING: usize = 400;
/// How many woken requests read at a time. A write wakes all of them together, and they leave database connections to
/// other requests.
const MOST_READING: usize = 4;
/// How often the last revision is read while requests wait.
const POLL: Duration = Duration::from_secs(1);

/// State shared by waiting requests.
pub struct DeskLive {
    pub presence: PresenceBoard,
    readers: Semaphore,
    /// Sent to whenever waiting requests should look for events.
    wakes: watch::Sender<()>,
    /// The places of requests that wait.
    places: Semaphore,
    /// Notified when a request begins to wait.
    waits: Notify,
    stop: CancellationToken,
}

impl DeskLive {
    /// Creates the shared state; all waits end when `stop` is cancelled.
    pub fn new(stop: CancellationToken) -> Self {
        Self {
            presence: PresenceBoard::default(),
            readers: Semaphore::new(MOST_READING),
            wakes: watch::Sender::new(()),
            places: Semaphore::new(MOST_WAITING),
            waits: Notify::new(),
            stop,
        }
    }

    /// Subscribes to wake-ups. Subscribe before reading events, so that none is missed in between.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.wakes.subscribe()
    }

    /// Reserves a place to wait, which is freed when the result is dropped; `None` if all are taken.
    pub fn place(&self) -> Option<SemaphorePermit<'_>> {
        let place = self.places.try_acquire().ok()?;
        self.waits.notify_one();
        Some(place)
    }

    /// Waits for a woken request's turn to read, which ends when the result is dropped.
    pub async fn reading_turn(&self) -> Option<SemaphorePermit<'_>> {
        // `None` for a closed semaphore; this one is never closed.
        self.readers.acquire().await.ok()
    }

    /// Completes when the service stops.
    pub async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// Wakes all waiting requests after a write.
    pub fn wake(&self) {
        self.wakes.send_replace(());
    }

    /// Wakes waiting requests when the log has grown, whichever process wrote: polls the last revision every second
    /// while requests wait, and listens for database notifications. Ends when the service stops.
    pub async fn follow(&self, store: &Store) {
        let listening = store.listen_desk(|| self.wake(), |heartbeat| self.presence.apply_encoded(heartbeat));
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = self.poll(store) => {}
            () = listening => {}
        }
    }

    async fn poll(&self, store: &Store) {
        let mut known = None;
        loop {
            if self.places.available_permits() == MOST_WAITING {
                self.waits.notified().await;
            }
            // A failure is reported by the request that reads next. The first poll always wakes: the revision it reads
            // may include a write made after a request had read.
            if let Ok(revision) = store.desk_revision().await
                && known.replace(revision) != Some(revision)
            {
                self.wake();
            }
            tokio::time::sleep(POLL).await;
        }
    }
}
