//! The rate limit: requests per key and minute, with the usual headers.
//!
//! A key's minute begins with its first request. Instances that share a database share the budgets of stored keys.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

#[cfg(feature = "postgres")]
use super::budget_portions::BudgetPortions;
use super::rate_limit_status::RateLimitStatus;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::Store;

/// The default of `serve`: on average a hundred requests per second and key.
pub const DEFAULT_REQUESTS_PER_MINUTE: u32 = 6_000;
const WINDOW: Duration = Duration::from_mins(1);

/// Counts the requests of each key.
pub struct RateLimiter {
    /// `None` for no limit.
    most: Option<u32>,
    /// By the id of the key; `None` is the key of this run.
    windows: Mutex<HashMap<Option<i64>, MinuteWindow>>,
    /// The budgets of stored keys, if instances share a database.
    #[cfg(feature = "postgres")]
    shared: Option<BudgetPortions>,
}

struct MinuteWindow {
    since: Instant,
    requests: u32,
}

impl RateLimiter {
    /// Counts in this process, or in the database if instances share it.
    pub fn new(most: Option<u32>, store: &Store) -> Self {
        #[cfg(feature = "postgres")]
        let shared = match store {
            Store::Sqlite(_) => None,
            Store::Postgres(store) => Some(BudgetPortions::new(store.clone())),
        };
        let _ = store;
        Self {
            most,
            windows: Mutex::default(),
            #[cfg(feature = "postgres")]
            shared,
        }
    }

    /// Counts a request of a stored key, or of the key of this run. Fails with [`ErrorResponse::TooMany`] if the limit is
    /// used up.
    pub async fn take(&self, key: Option<i64>) -> Result<Option<RateLimitStatus>, ErrorResponse> {
        #[cfg(feature = "postgres")]
        if let (Some(limit), Some(shared), Some(key)) = (self.most, &self.shared, key) {
            return shared.take(key, limit).await.map(Some);
        }
        self.take_here(key).map_err(ErrorResponse::TooMany)
    }

    /// Counts a request in this process. The error is the status of a used-up limit.
    fn take_here(&self, key: Option<i64>) -> Result<Option<RateLimitStatus>, RateLimitStatus> {
        let Some(limit) = self.most else { return Ok(None) };
        let now = Instant::now();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(key).or_insert(MinuteWindow { since: now, requests: 0 });
        if now.duration_since(window.since) >= WINDOW {
            *window = MinuteWindow { since: now, requests: 0 };
        }
        let reset = WINDOW.saturating_sub(now.duration_since(window.since));
        if window.requests >= limit {
            return Err(RateLimitStatus { limit, remaining: 0, reset });
        }
        window.requests += 1;
        Ok(Some(RateLimitStatus { limit, remaining: limit - window.requests, reset }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<i64> = Some(1);

    fn limiter(most: Option<u32>) -> RateLimiter {
        RateLimiter {
            most,
            windows: Mutex::default(),
            #[cfg(feature = "postgres")]
            shared: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_key_has_its_own_minute() {
        let limits = limiter(Some(2));
        let left = |key| limits.take_here(key).map(|budget| budget.unwrap().remaining).map_err(|spent| spent.seconds());
        assert_eq!((left(ONE), left(ONE)), (Ok(1), Ok(0)));
        tokio::time::advance(Duration::from_millis(20_500)).await;
        assert_eq!(left(ONE), Err(40));
        assert_eq!(left(Some(2)), Ok(1));
        assert_eq!(left(None), Ok(1));
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(left(ONE), Ok(1), "after the announced wait a request is accepted");
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_nothing_is_counted() {
        let limits = limiter(None);
        for _ in 0..10 {
            assert_eq!(limits.take_here(ONE), Ok(None));
        }
        assert!(limits.windows.lock().unwrap().is_empty());
    }
}
