//! How many requests a key may send: so many a minute, told in the headers of every answer.
//!
//! The minute of a key begins with its first request. Must not know what is asked for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};
use tokio::time::Instant;

use super::auth::Caller;

/// What a `serve` gives each key when its configuration says nothing: a hundred a second.
pub const DEFAULT_REQUESTS_PER_MINUTE: u32 = 6_000;
const WINDOW: Duration = Duration::from_mins(1);

/// Counts the requests of each key.
pub struct Limits {
    /// `None` where nobody has to share.
    most: Option<u32>,
    windows: Mutex<HashMap<Caller, Window>>,
}

struct Window {
    since: Instant,
    requests: u32,
}

/// What a key has left after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Requests a minute.
    pub limit: u32,
    /// How many are left of this minute.
    pub remaining: u32,
    /// When the next minute begins.
    pub reset: Duration,
}

impl Limits {
    pub fn new(most: Option<u32>) -> Self {
        Self { most, windows: Mutex::default() }
    }

    /// Counts a request: what is left after it, or what was left before it when that was nothing.
    pub fn take(&self, caller: Caller) -> Result<Option<Budget>, Budget> {
        let Some(limit) = self.most else { return Ok(None) };
        let now = Instant::now();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let window = windows.entry(caller).or_insert(Window { since: now, requests: 0 });
        if now.duration_since(window.since) >= WINDOW {
            *window = Window { since: now, requests: 0 };
        }
        let reset = WINDOW.saturating_sub(now.duration_since(window.since));
        if window.requests >= limit {
            return Err(Budget { limit, remaining: 0, reset });
        }
        window.requests += 1;
        Ok(Some(Budget { limit, remaining: limit - window.requests, reset }))
    }
}

impl Budget {
    /// Whole seconds until the next minute, never none: who waits so long is let in.
    pub fn seconds(&self) -> u64 {
        self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0).max(u64::from(self.reset.is_zero()))
    }

    /// Tells it in an answer. The reset is a time, in seconds since 1970.
    pub fn write(&self, headers: &mut HeaderMap) {
        let reset = jiff::Timestamp::now().as_second().saturating_add(self.seconds().cast_signed());
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), self.limit.into());
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), self.remaining.into());
        headers.insert(HeaderName::from_static("x-ratelimit-reset"), reset.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Caller = Caller::Stored(1);

    #[tokio::test(start_paused = true)]
    async fn each_key_has_its_own_minute() {
        let limits = Limits::new(Some(2));
        let left =
            |caller| limits.take(caller).map(|budget| budget.unwrap().remaining).map_err(|spent| spent.seconds());
        assert_eq!((left(ONE), left(ONE)), (Ok(1), Ok(0)));
        tokio::time::advance(Duration::from_millis(20_500)).await;
        assert_eq!(left(ONE), Err(40));
        assert_eq!(left(Caller::Stored(2)), Ok(1));
        assert_eq!(left(Caller::Run), Ok(1));
        tokio::time::advance(Duration::from_secs(40)).await;
        assert_eq!(left(ONE), Ok(1), "who waited as long as was said is let in");
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_limit_nothing_is_counted() {
        let limits = Limits::new(None);
        for _ in 0..10 {
            assert_eq!(limits.take(ONE), Ok(None));
        }
        assert!(limits.windows.lock().unwrap().is_empty());
    }
}
