//! Bulk operations: the plan, and the run through it. Pure rules, for the dashboard and the command line.

mod plan;
mod run;
#[cfg(test)]
mod tests;

pub use plan::{BulkOperation, Plan, PlannedItem, RequestPace};
pub use run::{BulkItem, ItemReply, ItemState, Run, RunCounts, RunStep};

use crate::domain::report::ReportId;

/// The number under which a run is kept on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunNumber(pub i64);

/// A run whose program ended before it had.
#[derive(Debug, Clone)]
pub struct InterruptedRun {
    /// Its number.
    pub run: RunNumber,
    /// What was being done.
    pub operation: BulkOperation,
    /// It set a password, which is kept nowhere.
    pub needs_password: bool,
    /// How it stood with each report.
    pub items: Vec<BulkItem>,
}

impl InterruptedRun {
    /// The reports that were not sent, or whose answer was lost.
    pub fn left(&self) -> impl Iterator<Item = &ReportId> {
        let open = |item: &&BulkItem| matches!(item.state, ItemState::Waiting | ItemState::Lost);
        self.items.iter().filter(open).map(|item| &item.id)
    }
}
