//! A clock that follows the system's, but never goes back.
//!
//! If the system clock is set back by a day, a pause of a second must not last a day. Forward jumps are followed,
//! because waking from suspend looks the same. A clock that jumped ahead by mistake and back is therefore ahead until
//! the program is restarted: following it back would hold up every pause that began meanwhile.

use std::time::{Duration, Instant};

use jiff::Timestamp;

/// The clock for all pauses of a run.
#[derive(Debug)]
pub struct Clock {
    last: Timestamp,
    at: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Self { last: Timestamp::now(), at: Instant::now() }
    }
}

impl Clock {
    /// The current time.
    pub fn now(&mut self) -> Timestamp {
        let at = Instant::now();
        self.last = next(self.last, at.duration_since(self.at), Timestamp::now());
        self.at = at;
        self.last
    }

    /// Returns the duration until a time, plus a millisecond, so that the time has passed when the clock is read next.
    pub fn until(&mut self, time: Timestamp) -> Duration {
        let left = Duration::try_from(time.duration_since(self.now())).unwrap_or_default();
        left.saturating_add(Duration::from_millis(1))
    }
}

/// Returns the later of the system's time and the last time plus the elapsed time.
fn next(last: Timestamp, passed: Duration, system: Timestamp) -> Timestamp {
    last.saturating_add(passed).unwrap_or(last).max(system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_when_the_clock_is_set_back_and_follows_it_forward() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut time = at(100_000);
        for (passed, system, expected) in [
            (1, 100_001, 100_001),
            (1, 13_602, 100_002), // set back by a day
            (5, 13_607, 100_007),
            (1, 200_000, 200_000), // set forward, or woken up
            (2, 113_610, 200_002),
        ] {
            time = next(time, Duration::from_secs(passed), at(system));
            assert_eq!(time, at(expected));
        }
        assert_eq!(next(Timestamp::MAX, Duration::MAX, at(0)), Timestamp::MAX);
    }

    #[test]
    fn the_time_until_a_past_instant_is_zero() {
        let mut clock = Clock::default();
        assert_eq!(clock.until(Timestamp::MIN), Duration::from_millis(1));
        let time = clock.now() + Duration::from_hours(1);
        let left = clock.until(time);
        assert!(left > Duration::from_secs(3_500) && left <= Duration::from_secs(3_601), "{left:?}");
    }
}
