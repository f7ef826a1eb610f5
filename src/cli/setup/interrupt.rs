//! Interrupts: Ctrl-C, or SIGTERM.

/// Receives interrupts. Before it is created, a signal ends the process.
pub struct Interrupt {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Interrupt {
    #[cfg(unix)]
    pub fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next interrupt.
    #[cfg(unix)]
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub fn new() -> std::io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    pub async fn wait(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }

    /// Waits for work, unless interrupted first.
    pub async fn unless_interrupted<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = work => Some(done),
            () = self.wait() => None,
        }
    }

    /// Waits for an interrupt, then for running audits to finish. A second interrupt aborts them.
    pub async fn shut_down_when_interrupted(&mut self, shut_down: impl Future<Output = ()>) {
        self.wait().await;
        tracing::info!("stopping: waiting for running audits to finish");
        if self.unless_interrupted(shut_down).await.is_none() {
            tracing::warn!("stopped immediately: running audits were aborted");
        }
    }
}
