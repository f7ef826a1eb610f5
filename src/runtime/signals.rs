//! The system's wish that the program ends.
//!
//! When the terminal is gone, reading it can spin inside the terminal library for ever, and the loop with it. So a
//! signal is also watched from another thread, which ends the process if the loop has not done so in time.

use std::time::Duration;

use tokio::task::AbortHandle;

use super::terminal;

/// How long the loop may take to end after a signal: drafts are kept within two seconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// The exit code of a process that a signal ended, as shells count it (128 + SIGTERM).
const ENDED_BY_SIGNAL: i32 = 143;

/// Listens for SIGTERM, SIGHUP and SIGINT; on Windows for ctrl+c from outside.
pub(super) struct Signals {
    listener: Listener,
    watchdog: AbortHandle,
}

impl Signals {
    /// Listens from now on.
    pub(super) fn new() -> std::io::Result<Self> {
        let mut second = Listener::new()?;
        // Not an effect: it must work when nothing else does any more.
        let watchdog = tokio::spawn(async move {
            second.next().await;
            tokio::time::sleep(PATIENCE).await;
            terminal::restore();
            std::process::exit(ENDED_BY_SIGNAL);
        });
        Ok(Self { listener: Listener::new()?, watchdog: watchdog.abort_handle() })
    }

    /// Waits for a signal.
    pub(super) async fn next(&mut self) {
        self.listener.next().await;
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.watchdog.abort();
    }
}

struct Listener {
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 3],
}

impl Listener {
    fn new() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()];
            let [first, second, third] = kinds.map(signal);
            Ok(Self { streams: [first?, second?, third?] })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    async fn next(&mut self) {
        #[cfg(unix)]
        {
            let [first, second, third] = &mut self.streams;
            tokio::select! {
                _ = first.recv() => {}
                _ = second.recv() => {}
                _ = third.recv() => {}
            }
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}
