//! The time by which stored data ages, protected against a temporarily wrong clock.
//!
//! A clock jump and a long idle period look alike until later timestamps arrive. After a gap of more than
//! [`MAX_PAUSE`], ages continue from their previous values; after another [`MAX_PAUSE`] of use, the clock is trusted
//! again. A clock corrected before that has expired nothing.

use rusqlite::Connection;

use super::settings;

/// No service has the empty name; settings stored under it belong to the journal itself.
const NO_SERVICE: &str = "";
const CLOCK_READINGS: &str = "aging";
/// In milliseconds: the longest gap between two readings that is not a jump, and how long the clock must advance after
/// a jump before it is trusted.
pub(super) const MAX_PAUSE: i64 = 30 * 86_400_000;

/// The last reading of the clock, and the most recent jump, in Unix milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ClockReadings {
    last: i64,
    jump_from: i64,
    jump_to: i64,
}

impl ClockReadings {
    /// Creates the first reading, without a jump.
    fn first(now: i64) -> Self {
        Self { last: now, jump_from: now, jump_to: now }
    }

    /// Adds a reading. Returns the new state and the current time for ageing.
    fn next(self, now: i64) -> (Self, i64) {
        let next = if now.saturating_sub(self.last) > MAX_PAUSE {
            Self { last: now, jump_from: self.effective_time(self.last), jump_to: now }
        } else if now < self.jump_to {
            // The clock was set back to before the jump.
            Self::first(now)
        } else {
            Self { last: now, ..self }
        };
        (next, next.effective_time(now))
    }

    fn effective_time(self, now: i64) -> i64 {
        let since = now.saturating_sub(self.jump_to);
        if since > MAX_PAUSE { now } else { self.jump_from.saturating_add(since) }
    }

    fn read(text: &str) -> Option<Self> {
        let numbers: Vec<i64> = text.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let [last, jump_from, jump_to] = numbers[..] else { return None };
        Some(Self { last, jump_from, jump_to })
    }
}

fn stored(connection: &Connection) -> rusqlite::Result<Option<ClockReadings>> {
    Ok(settings::read(connection, NO_SERVICE, CLOCK_READINGS)?.as_deref().and_then(ClockReadings::read))
}

/// Returns the last reading of the clock in Unix milliseconds; [`i64::MIN`] if there is none.
pub(super) fn last_reading(connection: &Connection) -> rusqlite::Result<i64> {
    Ok(stored(connection)?.map_or(i64::MIN, |readings| readings.last))
}

/// Stores a reading of the clock and returns the current time for ageing, in Unix milliseconds.
pub(super) fn effective_time(connection: &Connection, now: i64) -> rusqlite::Result<i64> {
    let before = stored(connection)?.unwrap_or(ClockReadings::first(now));
    let (ClockReadings { last, jump_from, jump_to }, aged) = before.next(now);
    settings::write(connection, NO_SERVICE, CLOCK_READINGS, &format!("{last} {jump_from} {jump_to}"))?;
    Ok(aged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DAY: i64 = MAX_PAUSE / 30;

    /// Returns the effective time after each of these readings, in days.
    fn days(looks: &[i64]) -> Vec<i64> {
        let mut readings = ClockReadings::first(looks[0] * DAY);
        let mut age = |day: &i64| {
            let (next, aged) = readings.next(day * DAY);
            readings = next;
            aged / DAY
        };
        looks.iter().map(&mut age).collect()
    }

    #[test]
    fn a_clock_jump_counts_only_if_later_times_confirm_it() {
        assert_eq!(days(&[1, 2, 30, 60]), [1, 2, 30, 60], "used from time to time");
        assert_eq!(days(&[1, 400, 401, 2]), [1, 1, 2, 2], "ahead by a year for a day");
        assert_eq!(days(&[1, 400, 410, 430, 431]), [1, 1, 11, 31, 431], "away for a year, and back for good");
        assert_eq!(days(&[400, 1, 2, 3]), [400, 1, 2, 3], "set back");
        assert_eq!(days(&[1, 32, 33, 2]), [1, 1, 2, 2], "ahead by a little more than the longest pause");
        assert_eq!(days(&[1, 400, 800, 1_200]), [1, 1, 1, 1], "once a year");
    }

    proptest! {
        #[test]
        fn no_clock_causes_a_panic(looks in prop::collection::vec(any::<i64>(), 1..20)) {
            let mut readings = ClockReadings::first(looks[0]);
            for now in looks {
                let (next, aged) = readings.next(now);
                prop_assert!(aged <= now, "nothing is older than it can be");
                readings = next;
                let ClockReadings { last, jump_from, jump_to } = readings;
                prop_assert_eq!(ClockReadings::read(&format!("{last} {jump_from} {jump_to}")), Some(readings));
            }
        }
    }
}
