//! The time of a run: that of the system's clock, except that it never goes back.
//!
//! Whoever waits for a time waits as long as was meant, also when somebody sets the clock back in between: a pause of a
//! second must not become one of a day. A clock that goes forward is followed, since that is also what sleep looks like.
//! Must not know who waits for what.

use std::time::{Duration, Instant};

use jiff::Timestamp;

/// A clock of its own for everything that one run waits for.
#[derive(Debug)]
pub struct Clock {
    told: Timestamp,
    at: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Self { told: Timestamp::now(), at: Instant::now() }
    }
}

impl Clock {
    /// The time of now.
    pub fn now(&mut self) -> Timestamp {
        let at = Instant::now();
        self.told = next(self.told, at.duration_since(self.at), Timestamp::now());
        self.at = at;
        self.told
    }

    /// How long it is until a time, a little more so that it has passed when the clock is read again.
    pub fn until(&mut self, time: Timestamp) -> Duration {
        let left = Duration::try_from(time.duration_since(self.now())).unwrap_or_default();
        left.saturating_add(Duration::from_millis(1))
    }
}

/// What is told next: what the system's clock says, or what must have passed if that is more.
fn next(told: Timestamp, passed: Duration, system: Timestamp) -> Timestamp {
    told.saturating_add(passed).unwrap_or(told).max(system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_when_the_clock_is_set_back_and_follows_it_forward() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut told = at(100_000);
        for (passed, system, expected) in [
            (1, 100_001, 100_001),
            (1, 13_602, 100_002), // set back by a day
            (5, 13_607, 100_007),
            (1, 200_000, 200_000), // set forward, or woken up
            (2, 113_610, 200_002),
        ] {
            told = next(told, Duration::from_secs(passed), at(system));
            assert_eq!(told, at(expected));
        }
        assert_eq!(next(Timestamp::MAX, Duration::MAX, at(0)), Timestamp::MAX);
    }

    #[test]
    fn what_has_passed_is_not_waited_for() {
        let mut clock = Clock::default();
        assert_eq!(clock.until(Timestamp::MIN), Duration::from_millis(1));
        let time = clock.now() + Duration::from_hours(1);
        let left = clock.until(time);
        assert!(left > Duration::from_secs(3_500) && left <= Duration::from_secs(3_601), "{left:?}");
    }
}
