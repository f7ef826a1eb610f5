//! Deletes desk events older than the retention period.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::service::store::Store;

/// Retention of events in days unless configured: two years. Rows and notes are kept forever.
pub const DEFAULT_DESK_KEEP_DAYS: u32 = 730;
/// How often old events are deleted.
const PRUNE_INTERVAL: Duration = Duration::from_hours(24);

/// Deletes events older than `keep_days` once a day until the service stops; 0 keeps all.
pub async fn prune(store: &Store, keep_days: u32, stop: &CancellationToken) {
    if keep_days == 0 {
        return;
    }
    let keep = Duration::from_hours(24 * u64::from(keep_days));
    loop {
        match store.prune_desk_events(keep).await {
            Ok(0) => {}
            Ok(events) => tracing::info!(events, "old events of the desk were deleted"),
            Err(error) => tracing::warn!(%error, "old events of the desk could not be deleted; retrying in a day"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(PRUNE_INTERVAL) => {}
        }
    }
}
