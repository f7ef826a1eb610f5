//! Tasks that run to completion even if their client disconnects, so that no write is left half done.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
#[cfg(feature = "postgres")]
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::service::handlers::errors::ErrorResponse;

/// The shutdown timeout of running audits: longer than an audit's own limit.
pub const PATIENCE: Duration = Duration::from_secs(25);

/// How long responses may still be written after the last task has ended, and idle connections be closed.
const CLOSING: Duration = Duration::from_secs(1);

/// The most concurrent tasks: all running and waiting audits, and their writes. Tasks outlive their connections, so the
/// limit of connections does not bound them.
const MOST: usize = 256;

/// Runs tasks to completion, or until the shutdown timeout.
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
    /// Runs a task and waits for it. Fails with [`ErrorResponse::Overloaded`] at the limit; a panic is an internal
    /// error of this request alone.
    pub async fn finish<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ErrorResponse>> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ErrorResponse::Overloaded)?;
        let work = async move {
            let _place = place;
            work.await
        };
        self.finish_unlimited(work).await
    }

    /// Like [`Self::finish`], without the limit. The task runs even if the returned future is dropped.
    pub fn finish_unlimited<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ErrorResponse>> + Send + 'static,
    ) -> impl Future<Output = Result<T, ErrorResponse>> {
        let (sender, mut result) = oneshot::channel();
        // Sending fails if the caller is gone.
        let task = self.spawn(work.map(|done| drop(sender.send(done))));
        async move {
            match task.await {
                Ok(Some(())) => result.try_recv().unwrap_or(Err(ErrorResponse::Internal)),
                Ok(None) => Err(ErrorResponse::Stopping),
                Err(_) => {
                    tracing::error!("a task panicked");
                    Err(ErrorResponse::Internal)
                }
            }
        }
    }

    /// Spawns a task without the limit. It ends with `None` when tasks are cancelled.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<Option<()>> {
        let given_up = self.given_up.clone();
        // Boxed, so that tokio's task code is compiled only once.
        self.tasks.spawn(async move { given_up.run_until_cancelled(work).await }.boxed())
    }

    /// Returns a token that counts as a task until dropped.
    #[cfg(feature = "postgres")]
    pub fn token(&self) -> TaskTrackerToken {
        self.tasks.token()
    }

    /// Completes when tasks are cancelled.
    #[cfg(feature = "postgres")]
    pub async fn given_up(&self) {
        self.given_up.cancelled().await;
    }

    /// Waits for all tasks up to the timeout, then cancels the rest.
    pub async fn end(&self, patience: Duration) {
        self.tasks.close();
        if tokio::time::timeout(patience, self.tasks.wait()).await.is_err() {
            tracing::warn!("tasks were abandoned: the service is stopping");
            self.give_up();
            self.tasks.wait().await;
        }
    }

    /// Like [`Self::end`], for tasks that begin while `serving` still handles requests. Aborts it when it goes on although
    /// there are no more tasks.
    pub async fn end_serving(&self, serving: &mut JoinHandle<()>) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            self.end(deadline.saturating_duration_since(Instant::now())).await;
            if tokio::time::timeout(CLOSING, &mut *serving).await.is_ok() {
                return;
            }
            // A request that was still being received may have begun another one.
            if self.tasks.is_empty() {
                return serving.abort();
            }
        }
    }

    /// Cancels all tasks.
    pub fn give_up(&self) {
        self.given_up.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tasks_are_limited_even_after_their_clients_disconnected() {
        let (work, end) = (TaskPool::default(), CancellationToken::new());
        for _ in 0..MOST {
            let end = end.clone();
            let asked = work.finish(async move {
                end.cancelled().await;
                Ok(())
            });
            // Requested, and dropped.
            assert!(futures_util::poll!(std::pin::pin!(asked)).is_pending());
        }
        assert!(matches!(work.finish(async { Ok(()) }).await, Err(ErrorResponse::Overloaded)));
        end.cancel();
        let all = work.places.acquire_many(u32::try_from(MOST).unwrap()).await;
        drop(all.unwrap());
        assert!(work.finish(async { Ok(()) }).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_begins_during_the_shutdown_is_finished() {
        let (work, is_done) = (TaskPool::default(), CancellationToken::new());
        let (tasks, done) = (work.clone(), is_done.clone());
        // A request whose body arrives late, and whose audit takes longer than responses may.
        let mut serving = tokio::spawn(async move {
            tokio::time::sleep(CLOSING / 2).await;
            let audit = async move {
                tokio::time::sleep(3 * CLOSING).await;
                done.cancel();
                Ok(())
            };
            tasks.finish(audit).await.unwrap();
        });
        work.end_serving(&mut serving).await;
        assert!(is_done.is_cancelled() && serving.is_finished());
    }

    #[tokio::test(start_paused = true)]
    async fn a_shutdown_waits_for_no_idle_connection_and_not_forever_for_tasks() {
        let (work, began) = (TaskPool::default(), Instant::now());
        let mut serving = tokio::spawn(std::future::pending());
        work.end_serving(&mut serving).await;
        assert_eq!(began.elapsed(), CLOSING);
        drop(work.spawn(std::future::pending()));
        work.end_serving(&mut tokio::spawn(std::future::pending())).await;
        assert_eq!(began.elapsed(), CLOSING + PATIENCE + CLOSING);
    }
}
