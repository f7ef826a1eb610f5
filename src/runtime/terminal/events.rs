//! Reads terminal events on a separate thread.
//!
//! crossterm blocks while a paste arrives slowly, and forever if the terminal is gone; here that blocks only this
//! thread.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{self, Event, EventStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The capacity of the queue; further events wait in the terminal.
const QUEUE_SIZE: usize = 1024;
/// Effectively no timeout; crossterm adds it to the current time, so it cannot be `Duration::MAX`.
const NO_TIMEOUT: Duration = Duration::from_hours(24);
/// How long the end of the reading is awaited. Only an unfinished paste takes that long.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// The terminal's events in order.
pub(crate) struct Events {
    receiver: Receiver<io::Result<Event>>,
    reading: Reading,
}

/// The reading thread, which ends soon after this is dropped.
struct Reading {
    is_ending: Arc<AtomicBool>,
    /// Wakes the thread when dropped. Nothing is read through it.
    _waker: EventStream,
}

impl Events {
    /// Starts reading. Must be called in raw mode: without a terminal crossterm panics.
    pub(crate) fn begin() -> io::Result<Self> {
        let (sender, receiver) = channel(QUEUE_SIZE);
        let reading = Reading { is_ending: Arc::default(), _waker: EventStream::new() };
        let is_ending = Arc::clone(&reading.is_ending);
        std::thread::Builder::new().name("terminal".to_owned()).spawn(move || read(&sender, &is_ending))?;
        Ok(Self { receiver, reading })
    }

    /// Stops reading, so that another program gets what is typed from now on. Pending events are dropped.
    pub(crate) async fn end(self) {
        let Self { mut receiver, reading } = self;
        drop(reading);
        // The thread owns the sender: the channel closes when it has ended.
        let ended = async { while receiver.recv().await.is_some() {} };
        let _ = tokio::time::timeout(END_TIMEOUT, ended).await;
    }

    /// The next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<io::Result<Event>> {
        self.receiver.recv().await
    }

    /// Returns the next event if one is pending.
    pub(crate) fn waiting(&mut self) -> Option<io::Result<Event>> {
        self.receiver.try_recv().ok()
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        // The waker is dropped after this. Keys typed from now on are for the shell.
        self.is_ending.store(true, Ordering::SeqCst);
    }
}

fn read(sender: &Sender<io::Result<Event>>, is_ending: &AtomicBool) {
    while !is_ending.load(Ordering::SeqCst) {
        let event = match event::poll(NO_TIMEOUT) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        let failed = event.is_err();
        if sender.blocking_send(event).is_err() || failed {
            return;
        }
    }
}
