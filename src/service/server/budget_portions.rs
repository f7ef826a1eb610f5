//! Rate limits shared between instances: each instance takes a portion of a key's per-minute budget from the database
//! and counts it down locally, so that not every request writes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Mutex as Turn;
use tokio::time::Instant;

use super::rate_limit_status::RateLimitStatus;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::postgres::PostgresStore;

/// A portion is the per-minute budget divided by this.
const PORTIONS: u32 = 60;

/// The portions that this instance holds.
pub struct BudgetPortions {
    store: PostgresStore,
    held: Mutex<HashMap<i64, Arc<Turn<HeldPortion>>>>,
}

/// The rest of a key's last portion.
struct HeldPortion {
    left: u32,
    /// What all instances together had taken by then.
    taken: u32,
    /// When the minute ends.
    ends: Instant,
}

impl BudgetPortions {
    pub fn new(store: PostgresStore) -> Self {
        Self { store, held: Mutex::default() }
    }

    /// Counts a request of a key.
    pub async fn take(&self, key: i64, limit: u32) -> Result<RateLimitStatus, ErrorResponse> {
        let held = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            let none = || Arc::new(Turn::new(HeldPortion { left: 0, taken: 0, ends: Instant::now() }));
            Arc::clone(held.entry(key).or_insert_with(none))
        };
        // One request at a time takes a portion, or a burst would take the whole minute.
        let mut held = held.lock().await;
        let now = Instant::now();
        let is_over = now >= held.ends;
        if is_over || (held.left == 0 && held.taken < limit) {
            let portion = self.store.take_portion(key, limit, (limit / PORTIONS).max(1)).await?;
            *held = HeldPortion { left: portion.granted, taken: portion.taken, ends: now + portion.reset };
        }
        let status = |remaining| RateLimitStatus { limit, remaining, reset: held.ends.saturating_duration_since(now) };
        if held.left == 0 {
            return Err(ErrorResponse::TooMany(status(0)));
        }
        let status = status(limit.saturating_sub(held.taken) + held.left - 1);
        held.left -= 1;
        Ok(status)
    }
}
