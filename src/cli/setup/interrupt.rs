//! Interrupts: Ctrl-C, SIGTERM, or SIGHUP when the terminal is closed.

#[cfg(unix)]
use futures_util::future::OptionFuture;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Receives interrupts. Before it is created, a signal ends the process.
pub struct Interrupt {
    #[cfg(unix)]
    ctrl_c: Signal,
    /// `None` after the first one, because `timeout` sends two.
    #[cfg(unix)]
    terminate: Option<Signal>,
    /// `None` after the first one, because a closed terminal sends two, and under `nohup`.
    #[cfg(unix)]
    hang_up: Option<Signal>,
}

impl Interrupt {
    #[cfg(unix)]
    pub fn new() -> std::io::Result<Self> {
        let hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
        let terminate = Some(signal(SignalKind::terminate())?);
        Ok(Self { ctrl_c: signal(SignalKind::interrupt())?, terminate, hang_up })
    }

    /// Waits for the next interrupt.
    #[cfg(unix)]
    pub async fn wait(&mut self) {
        tokio::select! {
            _ = self.ctrl_c.recv() => {}
            Some(_) = OptionFuture::from(self.terminate.as_mut().map(Signal::recv)) => self.terminate = None,
            Some(_) = OptionFuture::from(self.hang_up.as_mut().map(Signal::recv)) => self.hang_up = None,
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

    /// Waits for an interrupt, then for running audits to finish. Ctrl-C, or another signal, then aborts them.
    pub async fn shut_down_when_interrupted(&mut self, shut_down: impl Future<Output = ()>) {
        self.wait().await;
        tracing::info!("stopping: waiting for running audits to finish");
        if self.unless_interrupted(shut_down).await.is_none() {
            tracing::warn!("stopped immediately: running audits were aborted");
        }
    }
}

/// Whether the process was started with SIGHUP ignored, as by `nohup`. Only Linux says so.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The lowest bit stands for signal 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
