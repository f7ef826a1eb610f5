//! The same thing done with many reports: what is planned, and the run through it.
//!
//! Pure rules, for the screen and for the command line alike. Must not know how anything is sent or kept.

mod plan;
mod run;
#[cfg(test)]
mod tests;

pub use plan::{Deed, Plan, Planned, Tempo};
pub use run::{Answer, Item, ItemState, Run, Step, Tally};

use crate::domain::report::ReportId;

/// The number under which a run is kept on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunNumber(pub i64);

/// A run whose program ended before it had.
#[derive(Debug, Clone)]
pub struct BrokenOff {
    /// Its number.
    pub run: RunNumber,
    /// What was being done.
    pub deed: Deed,
    /// It set a password, which is kept nowhere.
    pub needs_password: bool,
    /// How it stood with each report.
    pub items: Vec<Item>,
}

impl BrokenOff {
    /// The reports that were not sent, or whose answer was lost.
    pub fn left(&self) -> impl Iterator<Item = &ReportId> {
        let open = |item: &&Item| matches!(item.state, ItemState::Waiting | ItemState::Lost);
        self.items.iter().filter(open).map(|item| &item.id)
    }
}
