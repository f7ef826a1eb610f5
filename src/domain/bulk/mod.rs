//! Bulk operations: the plan, and its execution. Pure logic, no I/O.

mod item;
mod plan;
mod run;
pub mod summary;
#[cfg(test)]
mod tests;

pub use item::{BulkItem, ItemReply, ItemState};
pub use plan::{BulkOperation, BulkTargets, Plan};
pub use run::{Run, RunCounts, RunStep};

use crate::domain::report::ReportId;

/// The number of a run in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunNumber(pub i64);

/// A run that was interrupted when the program ended.
#[derive(Debug, Clone)]
pub struct InterruptedRun {
    /// Its number.
    pub run: RunNumber,
    /// The operation.
    pub operation: BulkOperation,
    /// It set a password, which is never stored.
    pub needs_password: bool,
    /// The items with their last stored states.
    pub items: Vec<BulkItem>,
}

impl InterruptedRun {
    /// The reports whose request was not sent, or whose response was lost.
    pub fn left(&self) -> impl Iterator<Item = &ReportId> {
        let open = |item: &&BulkItem| matches!(item.state, ItemState::Waiting | ItemState::Lost);
        self.items.iter().filter(open).map(|item| &item.id)
    }

    /// Whether it is a deletion of which nothing was sent, as while it can be undone.
    pub fn is_unsent_deletion(&self) -> bool {
        let is_unsent = |item: &BulkItem| matches!(item.state, ItemState::Waiting | ItemState::Skipped(_));
        matches!(self.operation, BulkOperation::Delete) && self.items.iter().all(is_unsent)
    }
}
