//! Changes since an earlier look: snapshots of a list, the difference between two, and scores over time.

pub mod comparison;

mod bad_share_history;
mod compare;
mod earlier_failures;
mod snapshot;
mod sparkline;
#[cfg(test)]
mod tests;

pub use bad_share_history::BadShareHistory;
pub use compare::{Comparison, ListedReport, MOST_UNTESTED, OverdueReport, ResultChange, compare};
pub use earlier_failures::FormerFailures;
pub use snapshot::{ListScope, Snapshot, SnapshotEntry, add_score};
pub use sparkline::sparkline;
