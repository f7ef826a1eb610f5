//! Writes bytes to the terminal: as many as it accepts without blocking, the rest on a thread. A slow or stopped
//! terminal blocks only that thread.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

/// The time limit for the last bytes.
const LAST_BYTES: Duration = Duration::from_secs(1);
/// Bytes per write. A blocked write holds at most this many bytes that can no longer be discarded.
const WRITE_SIZE: usize = 4_096;
/// CAN: cancels an incomplete control sequence.
const CANCEL: &[u8] = b"\x18";

/// A queue of bytes for the terminal, shared by its clones. The default discards everything, for sessions without a
/// screen.
#[derive(Debug, Clone, Default)]
pub(crate) struct TtyWriter(Option<Arc<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Signalled when bytes are queued, and when all are written.
    changed: Condvar,
    /// Notified when all bytes are written.
    drained: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// A second, non-blocking file description of the terminal.
    at_once: Option<File>,
    queue: Vec<u8>,
    is_writing: bool,
    failure: Option<ErrorKind>,
}

impl State {
    fn is_busy(&self) -> bool {
        self.failure.is_none() && (self.is_writing || !self.queue.is_empty())
    }

    fn result(&self) -> io::Result<()> {
        self.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

impl TtyWriter {
    /// Creates a writer to standard output.
    pub(crate) fn stdout() -> io::Result<Self> {
        // A separate file, so that a blocked write does not hold the lock of stdout.
        #[cfg(unix)]
        let tty = File::from(std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?);
        #[cfg(not(unix))]
        let tty = io::stdout();
        Self::to(tty, without_blocking())
    }

    fn to(tty: impl Write + Send + 'static, at_once: Option<File>) -> io::Result<Self> {
        let state = Mutex::new(State { at_once, ..State::default() });
        let shared = Arc::new(Shared { state, ..Shared::default() });
        let thread = Arc::clone(&shared);
        std::thread::Builder::new().name("tty-writer".to_owned()).spawn(move || thread.run(tty))?;
        Ok(Self(Some(shared)))
    }

    /// Writes what the terminal accepts, and queues the rest. Fails once a write has failed.
    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let Some(shared) = &self.0 else { return Ok(()) };
        let mut state = shared.lock();
        state.result()?;
        let is_busy = state.is_busy();
        // On any error the thread takes over: it waits for room, or gets the same error.
        let written = state.at_once.as_mut().filter(|_| !is_busy).and_then(|tty| tty.write(bytes).ok());
        let rest = &bytes[written.unwrap_or_default()..];
        if !rest.is_empty() {
            state.queue.extend_from_slice(rest);
            shared.changed.notify_all();
        }
        Ok(())
    }

    /// Whether unwritten bytes remain.
    pub(crate) fn is_busy(&self) -> bool {
        self.0.as_ref().is_some_and(|shared| shared.lock().is_busy())
    }

    /// Waits until all bytes are written. Fails once a write has failed.
    pub(crate) async fn drained(&self) -> io::Result<()> {
        let Some(shared) = &self.0 else { return Ok(()) };
        loop {
            let mut drained = pin!(shared.drained.notified());
            drained.as_mut().enable();
            {
                let state = shared.lock();
                if !state.is_busy() {
                    return state.result();
                }
            }
            drained.await;
        }
    }

    /// Writes the last bytes: after the queued ones if those are written soon, else instead of them.
    pub(crate) async fn finish(&self, last: &[u8]) {
        let _ = tokio::time::timeout(LAST_BYTES, self.drained()).await;
        self.replace(last);
        let _ = tokio::time::timeout(LAST_BYTES, self.drained()).await;
    }

    /// Writes the last bytes instead of all queued ones, and blocks until they are written, for a limited time.
    pub(crate) fn finish_now(&self, last: &[u8]) {
        self.replace(last);
        if let Some(shared) = &self.0 {
            let _ = shared.changed.wait_timeout_while(shared.lock(), LAST_BYTES, |state| state.is_busy());
        }
    }

    /// Discards unwritten bytes, also in the kernel, and queues these.
    fn replace(&self, bytes: &[u8]) {
        let Some(shared) = &self.0 else { return };
        let mut state = shared.lock();
        if state.is_busy() {
            state.queue.clear();
            state.queue.extend_from_slice(CANCEL);
            #[cfg(unix)]
            let _ = discard_output();
        }
        state.queue.extend_from_slice(bytes);
        shared.changed.notify_all();
    }
}

/// Opens the terminal of standard output for non-blocking writes, so that no frame waits for a thread to wake up. The
/// mode applies to this file description only and does not affect the shell. `None` if the terminal's name does not
/// resolve to it, as in some containers, or may not be opened; then the thread writes everything.
fn without_blocking() -> Option<File> {
    #[cfg(unix)]
    {
        use rustix::fs::{Mode, OFlags};
        let name = rustix::termios::ttyname(io::stdout(), Vec::new()).ok()?;
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::open(name, flags, Mode::empty()).ok().map(File::from)
    }
    #[cfg(not(unix))]
    None
}

/// Discards the kernel's output buffer of the terminal, and wakes a write that waits for room.
#[cfg(unix)]
fn discard_output() -> rustix::io::Result<()> {
    use rustix::termios::{Action, QueueSelector, tcflow, tcflush};
    tcflush(io::stdout(), QueueSelector::OFlush)?;
    // Linux then has room for a waiting write, but wakes it only when output is restarted.
    tcflow(io::stdout(), Action::OOff)?;
    tcflow(io::stdout(), Action::OOn)
}

impl Write for TtyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes until the process ends or a write fails.
    fn run(&self, mut tty: impl Write) {
        loop {
            let bytes = self.next_bytes();
            let written = tty.write_all(&bytes).and_then(|()| tty.flush());
            let mut state = self.lock();
            state.is_writing = false;
            state.failure = written.err().map(|error| error.kind());
            if !state.is_busy() {
                self.changed.notify_all();
                self.drained.notify_waiters();
            }
            if state.failure.is_some() {
                return;
            }
        }
    }

    fn next_bytes(&self) -> Vec<u8> {
        let mut state = self.lock();
        while state.queue.is_empty() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_writing = true;
        let count = state.queue.len().min(WRITE_SIZE);
        state.queue.drain(..count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    /// A terminal that accepts each write when the test allows it.
    struct Slow {
        started: Sender<Vec<u8>>,
        let_through: Receiver<()>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.started.send(bytes.to_vec()).map_err(io::Error::other)?;
            self.let_through.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (TtyWriter, Receiver<Vec<u8>>, Sender<()>) {
        let ((started, writes), (let_through, taken)) = (channel(), channel());
        (TtyWriter::to(Slow { started, let_through: taken }, None).unwrap(), writes, let_through)
    }

    #[tokio::test]
    async fn bytes_are_written_in_order_while_the_sender_goes_on() {
        let (writer, writes, let_through) = slow();
        writer.send(b"one").unwrap();
        assert_eq!(writes.recv().unwrap(), b"one");
        writer.send(b"two").unwrap();
        assert!(writer.is_busy());
        let_through.send(()).unwrap();
        assert_eq!(writes.recv().unwrap(), b"two");
        let_through.send(()).unwrap();
        writer.drained().await.unwrap();
        assert!(!writer.is_busy());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn what_the_terminal_has_no_room_for_is_written_by_the_thread_in_order() {
        use std::io::Read as _;
        let (mut reads, end) = io::pipe().unwrap();
        let pipe = File::from(std::os::fd::OwnedFd::from(end));
        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK).unwrap();
        let ((started, writes), (let_through, taken)) = (channel(), channel());
        let writer = TtyWriter::to(Slow { started, let_through: taken }, Some(pipe)).unwrap();
        writer.send(b"at once").unwrap();
        assert!(!writer.is_busy());
        let mut first = [0; 7];
        reads.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"at once");
        let frame: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
        writer.send(&frame).unwrap();
        writer.send(b"next").unwrap();
        let mut rest = Vec::new();
        while !rest.ends_with(b"next") {
            rest.extend(writes.recv().unwrap());
            let_through.send(()).unwrap();
        }
        writer.drained().await.unwrap();
        let mut room = vec![0; frame.len() + 4 - rest.len()];
        reads.read_exact(&mut room).unwrap();
        assert_eq!([room, rest].concat(), [frame, b"next".to_vec()].concat());
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_bytes_take_the_place_of_unwritten_ones() {
        let (writer, writes, let_through) = slow();
        writer.send(&[b'x'; WRITE_SIZE + 1]).unwrap();
        assert_eq!(writes.recv().unwrap().len(), WRITE_SIZE);
        writer.finish(b"last").await;
        let_through.send(()).unwrap();
        assert_eq!(writes.recv().unwrap(), b"\x18last");
        let_through.send(()).unwrap();
        writer.drained().await.unwrap();
    }

    #[tokio::test]
    async fn a_failed_write_is_reported_and_the_terminal_can_still_be_left() {
        let (writer, _, let_through) = slow();
        drop(let_through);
        writer.send(b"a screen").unwrap();
        assert!(writer.drained().await.is_err());
        assert!(writer.send(b"another one").is_err());
        writer.finish(b"last").await;
        writer.finish_now(b"last");
    }
}
