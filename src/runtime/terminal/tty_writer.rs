//! What goes to the terminal, which may take it slowly or not at all: nobody waits for it.
//!
//! The terminal is opened once more for this, so that writing to it need not wait while everybody else's stdout stays as
//! it is. What it does not take at once waits here, and whoever draws asks before drawing more: the newest screen is
//! written, and never a queue of old ones. Where the terminal cannot be opened once more (other systems than Linux, or
//! one that belongs to somebody else), it is written to like any file, and a slow one is waited for.
//! Must not know what is written.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(unix)]
use crate::runtime::terminal::readiness;

/// How long the end of the program waits for what was written last.
const FAREWELL: Duration = Duration::from_secs(1);
/// Ends whatever sequence was cut off (CAN).
const CANCEL: &[u8] = b"\x18";

/// The way to the terminal; copies are the same one.
#[derive(Clone, Default)]
pub(crate) struct Outgoing(Arc<Line>);

#[derive(Default)]
struct Line {
    /// The terminal, opened so that writing never waits.
    terminal: Option<File>,
    waiting: Mutex<Vec<u8>>,
}

impl Outgoing {
    /// Opens the terminal that stdout is.
    pub(crate) fn open() -> Self {
        Self(Arc::new(Line { terminal: reopened(), waiting: Mutex::default() }))
    }

    /// Writes as much as the terminal takes now; the rest waits.
    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let mut waiting = self.waiting();
        let Some(terminal) = &self.0.terminal else {
            let mut out = io::stdout().lock();
            return out.write_all(bytes).and_then(|()| out.flush());
        };
        waiting.extend_from_slice(bytes);
        match push(terminal, &mut waiting) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            pushed => pushed,
        }
    }

    /// Whether something waits.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting().is_empty()
    }

    /// Waits until the terminal has taken everything.
    #[cfg(unix)]
    pub(crate) async fn taken(&self) -> io::Result<()> {
        use std::os::fd::AsFd as _;
        let Some(terminal) = &self.0.terminal else { return Ok(()) };
        // Watched only while it is waited for: a terminal that has taken something would wake us each time.
        let watched = readiness::watched(terminal.as_fd(), tokio::io::Interest::WRITABLE)?;
        loop {
            let mut ready = watched.writable().await?;
            if let Ok(pushed) = ready.try_io(|_| push(terminal, &mut self.waiting())) {
                return pushed;
            }
        }
    }

    /// Waits until the terminal has taken everything, which without a second opening it has.
    #[cfg(not(unix))]
    pub(crate) async fn taken(&self) -> io::Result<()> {
        std::future::ready(Ok(())).await
    }

    /// Writes what must come last, behind the rest if the terminal takes that soon, else in its place.
    pub(crate) async fn end_with(&self, bytes: &[u8]) {
        let _ = tokio::time::timeout(FAREWELL, self.taken()).await;
        if self.is_waiting() {
            self.cut();
        }
        // A terminal that is gone takes nothing, and need not.
        let _ = self.send(bytes);
        let _ = tokio::time::timeout(FAREWELL, self.taken()).await;
    }

    /// Writes what must come last, at once: what waits is given up.
    pub(crate) fn end_at_once_with(&self, bytes: &[u8]) {
        if self.is_waiting() {
            self.cut();
        }
        let _ = self.send(bytes);
    }

    /// Gives up what waits, here and in the system, to make room; a sequence that lost its end is ended.
    fn cut(&self) {
        let mut waiting = self.waiting();
        #[cfg(unix)]
        if let Some(terminal) = &self.0.terminal {
            let _ = rustix::termios::tcflush(terminal, rustix::termios::QueueSelector::OFlush);
        }
        waiting.clear();
        waiting.extend_from_slice(CANCEL);
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what the terminal takes; the error of a full one says that something is left.
fn push(mut terminal: &File, waiting: &mut Vec<u8>) -> io::Result<()> {
    while !waiting.is_empty() {
        match terminal.write(waiting) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => drop(waiting.drain(..count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn reopened() -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    use std::io::IsTerminal as _;
    if !io::stdout().is_terminal() {
        return None;
    }
    // Not `/dev/tty`: what is written belongs where stdout leads, which may be another terminal.
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    open("/proc/self/fd/1", flags, Mode::empty()).ok().map(File::from)
}

/// Elsewhere terminals cannot be opened once more and watched in a way that was tested.
#[cfg(not(target_os = "linux"))]
fn reopened() -> Option<File> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_terminal_that_fails_is_told_of_and_can_still_be_left() {
        // A device that opens like any other and refuses every write.
        let full = File::options().write(true).open("/dev/full").unwrap();
        let outgoing = Outgoing(Arc::new(Line { terminal: Some(full), waiting: Mutex::default() }));
        assert_eq!(outgoing.send(b"a screen").unwrap_err().kind(), ErrorKind::StorageFull);
        assert!(outgoing.is_waiting(), "what was refused is not taken for shown");
        outgoing.end_with(b"farewell").await;
        outgoing.end_at_once_with(b"farewell");
    }
}
