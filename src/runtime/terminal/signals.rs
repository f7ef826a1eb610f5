//! What the system wants of the program: that it ends, or that it stops for a while. A terminal that is gone is the
//! same as the wish that it ends, whether or not the system says so with a signal.
//!
//! That is also watched beside the loop: the process is ended if the loop has not done so in time.

use std::time::Duration;

use tokio::task::AbortHandle;

use crate::runtime::terminal::modes;
use crate::runtime::terminal::tty_writer::TtyWriter;

/// How long the loop may take to end after a signal: drafts are kept within two seconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long giving the terminal back may take before the process ends without that.
const FAREWELL: Duration = Duration::from_secs(1);
/// How far apart the signals may be noticed that a stopped process finds when it is continued; nobody sees it.
#[cfg(unix)]
const TOGETHER: Duration = Duration::from_millis(50);
/// The exit code of a process that a signal ended, as shells count it (128 + SIGTERM).
const ENDED_BY_SIGNAL: i32 = 143;

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalEvent {
    /// The program should end.
    End,
    /// It should stop until it is continued (SIGTSTP).
    Stop,
}

/// Listens for SIGTERM, SIGHUP, SIGINT and SIGTSTP and to the terminal; on Windows for ctrl+c from outside.
pub(crate) struct Signals {
    listener: Listener,
    watchdog: AbortHandle,
}

impl Signals {
    /// Listens from now on.
    pub(crate) fn new(writer: TtyWriter) -> std::io::Result<Self> {
        let mut second = Listener::new()?;
        // Not an effect: it must work when nothing else does any more.
        let watchdog = tokio::spawn(async move {
            while second.next().await != SignalEvent::End {}
            tokio::time::sleep(PATIENCE).await;
            // The terminal may hold up whoever writes to it.
            let (sender, given_back) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                modes::restore(&writer);
                sender.send(())
            });
            let _ = given_back.recv_timeout(FAREWELL);
            std::process::exit(ENDED_BY_SIGNAL);
        });
        Ok(Self { listener: Listener::new()?, watchdog: watchdog.abort_handle() })
    }

    /// Waits for the next wish.
    pub(crate) async fn next(&mut self) -> SignalEvent {
        self.listener.next().await
    }

    /// Stops the process until somebody continues it; the terminal must have been given back. Whether the program should
    /// go on: who ends a stopped program continues it for that.
    #[cfg(unix)]
    pub(crate) async fn stop(&mut self) -> std::io::Result<bool> {
        use rustix::process::{Signal, getpid, kill_process};
        use tokio::signal::unix::{SignalKind, signal};
        // Listened for anew: an older one says nothing about this stop. It is waited for because the process goes on for
        // a moment before it stops.
        let mut continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
        kill_process(getpid(), Signal::STOP)?;
        continued.recv().await;
        // The signals of that moment come together, but each to the thread that happens to take it.
        Ok(!matches!(tokio::time::timeout(TOGETHER, self.listener.next()).await, Ok(SignalEvent::End)))
    }

    /// There is no such thing here.
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

/// Whether somebody could continue the program: a shell that has a terminal gives each of its programs a group of
/// their own. Whoever is started by a terminal without a shell would stand still for ever.
#[cfg(unix)]
pub(crate) fn can_stop() -> bool {
    rustix::process::getsid(None).is_ok_and(|session| session != rustix::process::getpgrp())
}

/// There is no such thing here.
#[cfg(not(unix))]
pub(crate) fn can_stop() -> bool {
    false
}

/// Has the system stop the program like a ctrl+z at a terminal that is not ours: everything that was started with it
/// stops too. Whether that can be.
#[cfg(unix)]
pub(crate) fn ask_to_stop() -> bool {
    use rustix::process::{Signal, kill_current_process_group};
    can_stop() && kill_current_process_group(Signal::TSTP).is_ok()
}

/// There is no such thing here.
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

/// Not every terminal that goes says so with SIGHUP: only that of the session does.
#[cfg(target_os = "linux")]
#[allow(deprecated)] // the successor is unsafe for files that are closed while they are watched, which this one is not
fn terminal_that_may_go() -> Option<tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>> {
    use std::io::IsTerminal as _;
    use std::os::fd::AsFd as _;
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let terminal = if input.is_terminal() { input.as_fd() } else { output.as_fd() };
    // Its end comes whatever is watched for; what is watched for never comes from a terminal, so no key wakes this.
    let watched = terminal.try_clone_to_owned().ok()?;
    tokio::io::unix::AsyncFd::with_interest(watched, tokio::io::Interest::PRIORITY).ok()
}

#[cfg(target_os = "linux")]
async fn gone(terminal: Option<&tokio::io::unix::AsyncFd<std::os::fd::OwnedFd>>) {
    let Some(terminal) = terminal else { return std::future::pending().await };
    loop {
        match terminal.ready(tokio::io::Interest::PRIORITY).await {
            Ok(mut ready) if !ready.ready().is_read_closed() && !ready.ready().is_write_closed() => ready.clear_ready(),
            // What can no longer be watched says nothing.
            Err(_) => return std::future::pending().await,
            Ok(_) => return,
        }
    }
}
