//! Waiting for changes: wakes those who wait when this process writes, when PostgreSQL tells of a write of another
//! instance, and at the latest a second after any write.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::presence::PresenceBoard;
use crate::service::store::Store;

/// The most requests that wait. A service takes 800 connections; the others are for requests that do not wait.
pub const MOST_WAITING: usize = 400;
/// How often the last revision is read while somebody waits.
const POLL: Duration = Duration::from_secs(1);

/// What requests that wait share.
pub struct DeskLive {
    pub presence: PresenceBoard,
    places: Arc<Semaphore>,
    /// Counts the times to look for events.
    wakes: watch::Sender<u64>,
    /// The number of requests that wait.
    waiting: watch::Sender<usize>,
    stop: CancellationToken,
}

/// A place of a request that waits.
pub struct WaitingPlace {
    _permit: OwnedSemaphorePermit,
    waiting: watch::Sender<usize>,
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        self.waiting.send_modify(|waiting| *waiting = waiting.saturating_sub(1));
    }
}

impl DeskLive {
    /// Ends all waits when `stop` is cancelled.
    pub fn new(stop: CancellationToken) -> Self {
        Self {
            presence: PresenceBoard::default(),
            places: Arc::new(Semaphore::new(MOST_WAITING)),
            wakes: watch::Sender::new(0),
            waiting: watch::Sender::new(0),
            stop,
        }
    }

    /// Tells when to look for events. Subscribed to before a look, so that no event falls between.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.wakes.subscribe()
    }

    /// A place to wait; `None` if all are taken.
    pub fn place(&self) -> Option<WaitingPlace> {
        let permit = Arc::clone(&self.places).try_acquire_owned().ok()?;
        self.waiting.send_modify(|waiting| *waiting += 1);
        Some(WaitingPlace { _permit: permit, waiting: self.waiting.clone() })
    }

    /// The service stops.
    pub async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    /// Wakes all who wait: something was written.
    pub fn wake(&self) {
        self.wakes.send_modify(|wakes| *wakes = wakes.wrapping_add(1));
    }

    /// Wakes those who wait when the log has grown, by whichever process: reads the last revision every second while
    /// somebody waits, and listens where the database tells. Ends when the service stops.
    pub async fn follow(&self, store: &Store) {
        let told = store.listen_desk(|| self.wake(), |sign| self.presence.take_told(sign));
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = self.poll(store) => {}
            () = told => {}
        }
    }

    async fn poll(&self, store: &Store) {
        let (mut waiting, mut known) = (self.waiting.subscribe(), None);
        // The sender is ours, so this ends with the service only.
        while waiting.wait_for(|waiting| *waiting > 0).await.is_ok() {
            // A failure is told to the request that reads next. The first reading may be behind a write that came after a
            // request had looked.
            if let Ok(revision) = store.desk_revision().await
                && known.replace(revision) != Some(revision)
            {
                self.wake();
            }
            tokio::time::sleep(POLL).await;
        }
    }
}
