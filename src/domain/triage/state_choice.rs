//! A triage state as offered by a menu.

use jiff::SignedDuration;

use crate::domain::triage::State;

/// A state to set; snoozes by duration.
#[derive(Debug, Clone, Copy)]
pub enum StateChoice {
    /// A fixed state.
    State(State),
    /// Snoozed for this duration from now.
    Snooze(SignedDuration),
}

impl StateChoice {
    /// Snoozed until tomorrow.
    pub const DAY: Self = Self::Snooze(SignedDuration::from_hours(24));
    /// Snoozed for a week.
    pub const WEEK: Self = Self::Snooze(SignedDuration::from_hours(7 * 24));
}
