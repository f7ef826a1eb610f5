//! The system's wish that the program ends.

/// SIGTERM, SIGHUP and SIGINT; on Windows ctrl+c from outside.
pub(super) struct Signals {
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 3],
}

impl Signals {
    /// Listens from now on.
    pub(super) fn new() -> std::io::Result<Self> {
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

    /// Waits for one of them.
    pub(super) async fn next(&mut self) {
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
