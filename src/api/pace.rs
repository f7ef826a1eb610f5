//! How fast a service lets us ask: the budget of `X-RateLimit-*`, kept for the person first.
//!
//! Pages loaded in the background wait when the budget is nearly spent; what a person asks for never waits here.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// Requests that background pages leave for the person.
const RESERVE: u64 = 5;
/// A reset further away than this is not believed; waiting that long would look like a hang.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// The window of a limit whose reset nobody tells: most services count by the minute.
const USUAL_WINDOW: Duration = Duration::from_mins(1);
/// Numbers above this are a point in time, below it they are seconds to wait (some services send one, some the other).
const EPOCH_FROM: u64 = 1_000_000_000;

/// The rate limit as the last answer told it.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Option<Budget>>);

#[derive(Debug, Clone, Copy)]
struct Budget {
    /// What remains is for the person.
    spent: bool,
    reset: Instant,
}

impl Pace {
    /// Takes note of an answer's headers.
    pub(super) fn note(&self, headers: &reqwest::header::HeaderMap) {
        let remaining = number(headers, "x-ratelimit-remaining");
        if let Some(remaining) = remaining {
            // A reset far away may be a clock that is wrong: the service itself knows best, so it is asked again soon.
            let wait = number(headers, "x-ratelimit-reset").map_or(USUAL_WINDOW, until).min(USUAL_WINDOW);
            // Of a small limit the person gets half, so that there is something left for the background.
            let reserve = number(headers, "x-ratelimit-limit").map_or(RESERVE, |limit| RESERVE.min(limit / 2));
            let budget = Budget { spent: remaining <= reserve, reset: Instant::now() + wait };
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget);
        }
    }

    /// Waits until a background request leaves enough for the person.
    pub(super) async fn wait_in_background(&self) {
        let budget = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = budget.filter(|budget| budget.spent) {
            tokio::time::sleep_until(budget.reset).await;
        }
    }
}

/// Requests a minute that the service allows, and how many are left, where an answer says both.
pub(super) fn told(headers: &reqwest::header::HeaderMap) -> Option<(u64, u64)> {
    Some((number(headers, "x-ratelimit-limit")?, number(headers, "x-ratelimit-remaining")?))
}

/// The value of a header that is a whole number.
pub(super) fn number(headers: &reqwest::header::HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// `X-RateLimit-Reset` as a time to wait: seconds, or a point in time.
pub(super) fn until(reset: u64) -> Duration {
    let wait = if reset < EPOCH_FROM {
        Duration::from_secs(reset)
    } else {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Duration::from_secs(reset).saturating_sub(now)
    };
    wait.min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderMap, HeaderName};

    #[tokio::test(start_paused = true)]
    async fn the_background_waits_a_minute_at_most_and_asks_then() {
        for (reset, expected) in [("20", 20), ("4890000000", 60), ("999999999", 60), ("", 60)] {
            let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", reset)];
            let headers: HeaderMap = headers
                .into_iter()
                .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
                .collect();
            let (pace, begun) = (Pace::default(), Instant::now());
            pace.note(&headers);
            pace.wait_in_background().await;
            assert_eq!(begun.elapsed().as_secs(), expected, "{reset}");
        }
    }
}
