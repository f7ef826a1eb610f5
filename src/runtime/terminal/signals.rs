//! Signals: terminate, or stop until continued. A terminal that is gone counts as a termination signal, with or without
//! SIGHUP.
//!
//! A watchdog ends the process if the event loop does not end in time.

use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::task::AbortHandle;

use crate::runtime::terminal::modes;
use crate::runtime::terminal::tty_writer::TtyWriter;

/// How long the event loop may take to end after a signal; drafts are stored within two seconds.
const WATCHDOG_TIMEOUT: Duration = Duration::from_secs(5);
/// How long restoring the terminal may take.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(1);
/// Within this time, pending signals of a continued process count as simultaneous.
#[cfg(unix)]
const TOGETHER: Duration = Duration::from_millis(50);
/// The exit code of a process ended by a signal, in the shell's convention (128 + SIGTERM).
const ENDED_BY_SIGNAL: i32 = 143;

/// What the program has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalEvent {
    /// The program should end.
    End,
    /// It should stop until continued (SIGTSTP).
    Stop,
}

/// Listens for SIGTERM, SIGHUP, SIGINT and SIGTSTP, and for the end of the terminal; on Windows for ctrl+c from
/// outside.
pub(crate) struct Signals {
    listener: Listener,
    watchdog: AbortHandle,
}

impl Signals {
    /// Starts listening.
    pub(crate) fn new(writer: TtyWriter) -> std::io::Result<Self> {
        let mut second = Listener::new()?;
        // Independent of everything else: it must work when nothing else does.
        let watch = async move {
            while second.next().await != SignalEvent::End {}
            tokio::time::sleep(WATCHDOG_TIMEOUT).await;
            // Writing to the terminal may block.
            let (sender, restored) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                modes::restore(&writer);
                sender.send(())
            });
            let _ = restored.recv_timeout(RESTORE_TIMEOUT);
            std::process::exit(ENDED_BY_SIGNAL);
        };
        let watchdog = tokio::spawn(watch.boxed()).abort_handle();
        Ok(Self { listener: Listener::new()?, watchdog })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> SignalEvent {
        self.listener.next().await
    }

    /// Stops the process until it is continued; the terminal must have been restored before. Returns false if the
    /// program should end: a stopped process is continued to be terminated.
    #[cfg(unix)]
    pub(crate) async fn stop(&mut self) -> std::io::Result<bool> {
        use rustix::process::{Signal, getpid, kill_process};
        use tokio::signal::unix::{SignalKind, signal};
        // A new listener, because an earlier SIGCONT says nothing about this stop. The process runs on briefly before
        // it stops.
        let mut continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
        kill_process(getpid(), Signal::STOP)?;
        continued.recv().await;
        // Pending signals arrive together, but each on any thread.
        Ok(!matches!(tokio::time::timeout(TOGETHER, self.listener.next()).await, Ok(SignalEvent::End)))
    }

    /// Not supported on this system.
    #[cfg(not(unix))]
    pub(crate) async fn stop(&mut self) -> std::io::Result<bool> {
        std::future::ready(Ok(true)).await
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.watchdog.abort();
    }
}

/// Whether a shell could continue the program: interactive shells give each job a process group. A program started by a
/// terminal without a shell would stay stopped forever.
#[cfg(unix)]
pub(crate) fn can_stop() -> bool {
    rustix::process::getsid(None).is_ok_and(|session| session != rustix::process::getpgrp())
}

/// Not supported on this system.
#[cfg(not(unix))]
pub(crate) fn can_stop() -> bool {
    false
}

/// Stops the process group, like ctrl+z outside of raw mode. Returns false if no shell could continue it.
#[cfg(unix)]
pub(crate) fn ask_to_stop() -> bool {
    use rustix::process::{Signal, kill_current_process_group};
    can_stop() && kill_current_process_group(Signal::TSTP).is_ok()
}

/// Not supported on this system.
#[cfg(not(unix))]
pub(crate) fn ask_to_stop() -> bool {
    false
}

struct Listener {
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 4],
    #[cfg(target_os = "linux")]
    terminal: Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>>,
}

impl Listener {
    fn new() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use rustix::process::Signal;
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [Signal::TERM, Signal::HUP, Signal::INT, Signal::TSTP];
            let [first, second, third, fourth] = kinds.map(|kind| signal(SignalKind::from_raw(kind.as_raw())));
            Ok(Self {
                streams: [first?, second?, third?, fourth?],
                #[cfg(target_os = "linux")]
                terminal: terminal_that_may_go(),
            })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    async fn next(&mut self) -> SignalEvent {
        #[cfg(unix)]
        {
            #[cfg(target_os = "linux")]
            let gone = gone(self.terminal.as_ref());
            #[cfg(not(target_os = "linux"))]
            let gone = std::future::pending::<()>();
            let [first, second, third, stop] = &mut self.streams;
            tokio::select! {
                biased;
                _ = first.recv() => SignalEvent::End,
                _ = second.recv() => SignalEvent::End,
                _ = third.recv() => SignalEvent::End,
                () = gone => SignalEvent::End,
                _ = stop.recv() => SignalEvent::Stop,
            }
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
            SignalEvent::End
        }
    }
}

/// Watches the terminal for its end, since SIGHUP is sent only by the session's own terminal.
#[cfg(target_os = "linux")]
#[allow(deprecated)] // the successor is unsafe for files that are closed while they are watched, which this one is not
fn terminal_that_may_go() -> Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>> {
    use std::io::IsTerminal as _;
    use std::os::fd::AsFd as _;
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let terminal = if input.is_terminal() { input.as_fd() } else { output.as_fd() };
    // Hang-up is reported for any interest. This one never occurs on terminals, so that keys do not wake it.
    let watched = terminal.try_clone_to_owned().ok()?;
    tokio::io::unix::AsyncFd::with_interest(watched, tokio::io::Interest::PRIORITY).ok()
}

#[cfg(target_os = "linux")]
async fn gone(terminal: Option<&tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>>) {
    let Some(terminal) = terminal else { return std::future::pending().await };
    loop {
        match terminal.ready(tokio::io::Interest::PRIORITY).await {
            Ok(mut ready) if !ready.ready().is_read_closed() && !ready.ready().is_write_closed() => ready.clear_ready(),
            Err(_) => return std::future::pending().await,
            Ok(_) => return,
        }
    }
}
