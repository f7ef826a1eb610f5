//! A triage state as a menu offers it.

use jiff::SignedDuration;

use crate::domain::triage::State;

/// A state to set, snoozes by their length.
#[derive(Debug, Clone, Copy)]
pub enum StateChoice {
    /// This state.
    State(State),
    /// Snoozed for so long from now.
    Snooze(SignedDuration),
}

impl StateChoice {
    /// Snoozed until tomorrow.
    pub const DAY: Self = Self::Snooze(SignedDuration::from_hours(24));
    /// Snoozed for a week.
    pub const WEEK: Self = Self::Snooze(SignedDuration::from_hours(7 * 24));
}
