//! What comes from the terminal, read by a thread of its own.
//!
//! While the terminal library reads, it can be held up: for a while by a paste that comes slowly, for ever by a terminal
//! that is gone. Here that holds up nobody else. Must not know what an event means.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use crossterm::event::{self, Event, EventStream};
use futures_util::Stream;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// So many events wait here; further ones wait in the terminal.
const WAITING: usize = 1024;
/// A wait that is as good as endless. It is not: the library adds it to the time.
const LONG: Duration = Duration::from_hours(24);

/// The events of the terminal in their order.
pub(crate) struct Events {
    receiver: Receiver<io::Result<Event>>,
    ending: Arc<AtomicBool>,
    /// Wakes the reading thread when it is dropped; it reads nothing itself.
    _waker: EventStream,
}

impl Events {
    /// Reads from now on. The terminal must have been taken over: where there is none the library panics.
    pub(crate) fn begin() -> io::Result<Self> {
        let (sender, receiver) = channel(WAITING);
        let ending = Arc::new(AtomicBool::new(false));
        let waker = EventStream::new();
        let ends = Arc::clone(&ending);
        std::thread::Builder::new().name("terminal".to_owned()).spawn(move || read(&sender, &ends))?;
        Ok(Self { receiver, ending, _waker: waker })
    }

    /// The next event; `None` when there will be none any more.
    pub(crate) async fn next(&mut self) -> Option<io::Result<Event>> {
        self.receiver.recv().await
    }

    /// The next event if it is there already.
    pub(crate) fn waiting(&mut self) -> Option<io::Result<Event>> {
        self.receiver.try_recv().ok()
    }
}

impl Stream for Events {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        // The waker is dropped behind this, and what is typed next is for whoever has the terminal then.
        self.ending.store(true, Ordering::SeqCst);
    }
}

fn read(sender: &Sender<io::Result<Event>>, ending: &AtomicBool) {
    while !ending.load(Ordering::SeqCst) {
        let event = match event::poll(LONG) {
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
