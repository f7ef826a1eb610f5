//! A triage state as offered by a menu.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::domain::triage::State;

/// When a snoozed report returns on its day: before work starts, and not in the middle of it.
const MORNING: Time = Time::constant(6, 0, 0, 0);

/// A state to set; snoozes by days.
#[derive(Debug, Clone, Copy)]
pub enum StateChoice {
    /// A fixed state.
    State(State),
    /// Snoozed until six in the morning, this many days after today.
    Snooze(i16),
}

impl StateChoice {
    /// Snoozed until tomorrow.
    pub const DAY: Self = Self::Snooze(1);
    /// Snoozed for a week.
    pub const WEEK: Self = Self::Snooze(7);
    /// Snoozed for 30 days.
    pub const MONTH: Self = Self::Snooze(30);

    /// Returns the state that this choice sets now, in this time zone.
    pub fn state(self, now: Timestamp, zone: &TimeZone) -> State {
        match self {
            Self::State(state) => state,
            Self::Snooze(days) => {
                let day = now.to_zoned(zone.clone()).date().saturating_add(days.days());
                // Out of the range of times, nothing is snoozed.
                let until = day.to_datetime(MORNING).to_zoned(zone.clone()).map_or(now, |morning| morning.timestamp());
                State::Snoozed { until }
            }
        }
    }
}
