//! Deletes events of the desk's log that are older than it is kept.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio_util::sync::CancellationToken;

use crate::service::store::Store;

/// How many days events are kept unless configured: two years. Rows and notes stay for ever.
pub const DEFAULT_DESK_KEEP_DAYS: u32 = 730;
/// How often old events are looked for.
const EVERY: Duration = Duration::from_hours(24);

/// Deletes events of more than these days once a day until the service stops; with 0 never.
pub async fn prune(store: &Store, keep_days: u32, stop: &CancellationToken) {
    if keep_days == 0 {
        return;
    }
    let keep = SignedDuration::from_hours(24 * i64::from(keep_days));
    loop {
        let before = Timestamp::now().saturating_sub(keep).unwrap_or(Timestamp::MIN);
        match store.prune_desk_events(before.as_millisecond()).await {
            Ok(0) => {}
            Ok(events) => tracing::info!(events, "old events of the desk were deleted"),
            Err(error) => tracing::warn!(%error, "old events of the desk were not deleted; tried again in a day"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
