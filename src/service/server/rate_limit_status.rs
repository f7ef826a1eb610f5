//! The state of a rate limit, and its response headers.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};

/// The state of a key's limit after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Requests per minute.
    pub limit: u32,
    /// Requests left in this minute.
    pub remaining: u32,
    /// Time until the next minute begins.
    pub reset: Duration,
}

impl RateLimitStatus {
    /// Returns whole seconds until the next minute, at least one.
    pub fn seconds(&self) -> u64 {
        self.reset.as_secs() + u64::from(self.reset.subsec_nanos() > 0).max(u64::from(self.reset.is_zero()))
    }

    /// Writes the `X-RateLimit-*` headers. The reset is in Unix seconds.
    pub fn write(&self, headers: &mut HeaderMap) {
        let reset = jiff::Timestamp::now().as_second().saturating_add(self.seconds().cast_signed());
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), self.limit.into());
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), self.remaining.into());
        headers.insert(HeaderName::from_static("x-ratelimit-reset"), reset.into());
    }
}
