//! TaskPool that is finished even when whoever asked for it has gone: half a write helps nobody.
//!
//! Must not know what the work is.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::service::handlers::errors::ErrorResponse;

/// How much work there may be at once: all audits that run and wait, and as many more writes as anybody would wait for.
/// TaskPool outlives its connection, so the bound of those is none for it.
const MOST: usize = 256;

/// Runs work to its end, or to the end of the service's patience when it stops.
#[derive(Clone)]
pub struct TaskPool {
    tasks: TaskTracker,
    places: Arc<Semaphore>,
    given_up: CancellationToken,
}

impl Default for TaskPool {
    fn default() -> Self {
        let places = Arc::new(Semaphore::new(MOST));
        Self { tasks: TaskTracker::new(), places, given_up: CancellationToken::new() }
    }
}

impl TaskPool {
    /// Runs work and waits for it. TaskPool that panics is a failure of ours, and only its own.
    pub async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ErrorResponse>> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ErrorResponse::Overloaded)?;
        let given_up = self.given_up.clone();
        let task = self.tasks.spawn(async move {
            let _place = place;
            tokio::select! {
                done = work => done,
                () = given_up.cancelled() => Err(ErrorResponse::Stopping),
            }
        });
        task.await.unwrap_or_else(|_| {
            tracing::error!("work panicked");
            Err(ErrorResponse::Internal)
        })
    }

    /// Waits for all work, at most so long, and then gives up what is left.
    pub async fn end(&self, patience: Duration) {
        self.tasks.close();
        if tokio::time::timeout(patience, self.tasks.wait()).await.is_err() {
            tracing::warn!("work was given up: the service stops");
            self.give_up();
            self.tasks.wait().await;
        }
    }

    /// Gives up all work.
    pub fn give_up(&self) {
        self.given_up.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_bounded_also_when_nobody_waits_for_it_any_more() {
        let (work, end) = (TaskPool::default(), CancellationToken::new());
        for _ in 0..MOST {
            let end = end.clone();
            let asked = work.finish(async move {
                end.cancelled().await;
                Ok(())
            });
            // Asked, and gone.
            assert!(futures_util::poll!(std::pin::pin!(asked)).is_pending());
        }
        assert!(matches!(work.finish(async { Ok(()) }).await, Err(ErrorResponse::Overloaded)));
        end.cancel();
        let all = work.places.acquire_many(u32::try_from(MOST).unwrap()).await;
        drop(all.unwrap());
        assert!(work.finish(async { Ok(()) }).await.is_ok());
    }
}
