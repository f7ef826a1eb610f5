//! Work that is finished even when whoever asked for it has gone: half a write helps nobody.
//!
//! Must not know what the work is.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::answer::Refusal;

/// Runs work to its end, or to the end of the service's patience when it stops.
#[derive(Clone, Default)]
pub(super) struct Work {
    tasks: TaskTracker,
    given_up: CancellationToken,
}

impl Work {
    /// Runs work and waits for it. Work that panics is a failure of ours, and only its own.
    pub(super) async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> Result<T, Refusal> {
        let given_up = self.given_up.clone();
        let task = self.tasks.spawn(async move {
            tokio::select! {
                done = work => done,
                () = given_up.cancelled() => Err(Refusal::Stopping),
            }
        });
        task.await.unwrap_or_else(|_| {
            tracing::error!("work panicked");
            Err(Refusal::Internal)
        })
    }

    /// Waits for all work, at most so long, and then gives up what is left.
    pub(super) async fn end(&self, patience: Duration) {
        self.tasks.close();
        if tokio::time::timeout(patience, self.tasks.wait()).await.is_err() {
            tracing::warn!("work was given up: the service stops");
            self.give_up();
            self.tasks.wait().await;
        }
    }

    /// Gives up all work.
    pub(super) fn give_up(&self) {
        self.given_up.cancel();
    }
}
