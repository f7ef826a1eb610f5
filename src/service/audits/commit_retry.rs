//! Retries the commit of a finished audit, so that a database that is blocked for a moment loses no result.

use std::time::Duration;

use tokio::time::Instant;

use crate::service::store::error::StoreError;

/// The pause between two attempts to commit.
const PAUSE: Duration = Duration::from_millis(250);

/// Repeats `commit` while the database is unavailable or busy, for at most `longest` after the first failure. The commit
/// must be one that may be repeated after [`StoreError::Unconfirmed`].
pub async fn retry_commit<T, F>(longest: Duration, commit: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut give_up = None;
    loop {
        match commit().await {
            Err(
                error @ (StoreError::Unavailable(_)
                | StoreError::Unconfirmed(_)
                | StoreError::Busy
                | StoreError::Overloaded),
            ) if Instant::now() < *give_up.get_or_insert_with(|| Instant::now() + longest) => {
                tracing::warn!(%error, "the result of an audit could not be stored yet; retrying");
                tokio::time::sleep(PAUSE).await;
            }
            committed => return committed,
        }
    }
}
