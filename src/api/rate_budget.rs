//! The rate budget of a service, from `X-RateLimit-*` headers, with a reserve for interactive requests.
//!
//! Background requests wait when the budget is nearly spent; interactive ones never wait here.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// Requests reserved for interactive use.
const RESERVE: u64 = 5;
/// The longest wait; a later reset is not trusted.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// The window of a limit without a reset: most services limit per minute.
const USUAL_WINDOW: Duration = Duration::from_mins(1);
/// Larger values are a point in time, smaller ones are seconds to wait.
const EPOCH_FROM: u64 = 1_000_000_000;
/// Points in time from here on are in milliseconds: in seconds they would be in the year 5138 or later.
const MILLISECONDS_FROM: u64 = 100_000_000_000;

/// The rate limit according to the last response.
#[derive(Debug, Clone, Default)]
pub(super) struct RateBudget(Arc<Mutex<Option<ServerBudget>>>);

#[derive(Debug, Clone, Copy)]
struct ServerBudget {
    /// Whether only the interactive reserve is left.
    spent: bool,
    reset: Instant,
}

impl RateBudget {
    /// Updates the budget from a response's headers.
    pub(super) fn note(&self, headers: &reqwest::header::HeaderMap) {
        let remaining = number(headers, "x-ratelimit-remaining");
        if let Some(remaining) = remaining {
            // A late reset may come from a wrong clock, so the wait is limited.
            let wait = number(headers, "x-ratelimit-reset").map_or(USUAL_WINDOW, until).min(USUAL_WINDOW);
            // Only half of a small limit is reserved, so that background requests get the rest.
            let reserve = number(headers, "x-ratelimit-limit").map_or(RESERVE, |limit| RESERVE.min(limit / 2));
            let budget = ServerBudget { spent: remaining <= reserve, reset: Instant::now() + wait };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget);
        }
    }

    /// Waits until a background request may be sent.
    pub(super) async fn wait_in_background(&self) {
        let budget = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = budget.filter(|budget| budget.spent) {
            tokio::time::sleep_until(budget.reset).await;
        }
    }
}

/// Returns the limit and the remaining requests, if a response has both.
pub(super) fn rate_limit_headers(headers: &reqwest::header::HeaderMap) -> Option<(u64, u64)> {
    Some((number(headers, "x-ratelimit-limit")?, number(headers, "x-ratelimit-remaining")?))
}

/// Parses a header as a whole number.
pub(super) fn number(headers: &reqwest::header::HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// Converts `X-RateLimit-Reset` to a wait: it is in seconds, or a point in time in seconds or milliseconds.
pub(super) fn until(reset: u64) -> Duration {
    let wait = if reset < EPOCH_FROM {
        Duration::from_secs(reset)
    } else {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let in_milliseconds = reset >= MILLISECONDS_FROM;
        let at = if in_milliseconds { Duration::from_millis(reset) } else { Duration::from_secs(reset) };
        at.saturating_sub(now)
    };
    wait.min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderMap, HeaderName};

    #[test]
    fn a_reset_is_a_span_or_a_point_in_time() {
        assert_eq!(until(20), Duration::from_secs(20));
        assert_eq!(until(1_700_000_000), Duration::ZERO);
        assert_eq!(until(1_700_000_000_000), Duration::ZERO, "milliseconds");
        assert_eq!(until(4_890_000_000), LONGEST_WAIT);
        assert_eq!(until(4_890_000_000_000), LONGEST_WAIT);
        assert_eq!(until(u64::MAX), LONGEST_WAIT);
    }

    /// Returns for how many seconds a background request waits after a response with these headers.
    async fn wait_after(headers: &[(&'static str, &str)]) -> u64 {
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let (rate_budget, begun) = (RateBudget::default(), Instant::now());
        rate_budget.note(&headers.collect::<HeaderMap>());
        rate_budget.wait_in_background().await;
        begun.elapsed().as_secs()
    }

    #[tokio::test(start_paused = true)]
    async fn background_requests_wait_at_most_a_minute() {
        for (reset, expected) in [("20", 20), ("4890000000", 60), ("999999999", 60), ("", 60)] {
            let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset)];
            assert_eq!(wait_after(&headers).await, expected, "{reset}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn five_requests_or_half_of_a_small_limit_are_left_for_the_person() {
        for (remaining, limit, expected) in
            [("6", "", 0), ("5", "", 60), ("6", "60", 0), ("5", "60", 60), ("3", "4", 0), ("2", "4", 60), ("1", "1", 0)]
        {
            let headers = [("x-ratelimit-remaining", remaining), ("x-ratelimit-limit", limit)];
            assert_eq!(wait_after(&headers).await, expected, "{remaining} of {limit}");
        }
    }
}
