//! The state of a rate limit, and its response headers.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName};
use jiff::Timestamp;

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
    /// Returns whole seconds until the next minute.
    pub fn seconds(&self) -> u64 {
        whole_seconds(self.reset)
    }

    /// Writes the `X-RateLimit-*` headers. The reset is in Unix seconds.
    pub fn write(&self, headers: &mut HeaderMap) {
        let reset = reset_second(Timestamp::now(), self.reset);
        headers.insert(HeaderName::from_static("x-ratelimit-limit"), self.limit.into());
        headers.insert(HeaderName::from_static("x-ratelimit-remaining"), self.remaining.into());
        headers.insert(HeaderName::from_static("x-ratelimit-reset"), reset.into());
    }
}

/// Rounds a wait up to whole seconds, at least one: a client that waits exactly that long must not be refused again.
pub fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// Returns the first whole Unix second at which the wait is over.
fn reset_second(now: Timestamp, wait: Duration) -> i64 {
    let end = now.saturating_add(wait).unwrap_or(Timestamp::MAX);
    end.as_second().saturating_add(i64::from(end.subsec_nanosecond() > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_rounded_up_so_that_it_is_over_when_it_has_passed() {
        for (milliseconds, seconds) in [(0, 1), (1, 1), (999, 1), (1_000, 1), (1_001, 2), (59_001, 60), (60_000, 60)] {
            assert_eq!(whole_seconds(Duration::from_millis(milliseconds)), seconds, "{milliseconds}");
        }
    }

    #[test]
    fn the_announced_reset_is_never_before_the_end_of_the_minute() {
        for (now, wait, second) in [(10_900, 20_000, 31), (10_900, 20_100, 31), (10_900, 20_101, 32), (10_000, 1, 11)] {
            let now = Timestamp::from_millisecond(now).unwrap();
            assert_eq!(reset_second(now, Duration::from_millis(wait)), second, "{now} and {wait} ms");
        }
    }
}
