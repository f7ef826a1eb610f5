//! The triage queue: open reports, one at a time.

use crate::domain::report::ReportId;

/// Reports that are gone through one by one.
#[derive(Debug)]
pub struct TriageQueue {
    /// Their ids, the most urgent first.
    pub ids: Vec<ReportId>,
    /// How many needed work when it opened; the queue holds the most urgent of them.
    pub of: usize,
    /// How many more are open, and with others.
    pub with_others: usize,
    /// The current one.
    pub at: usize,
    /// How many of them are settled: given a state that is not open, claimed by another, good by now, or gone.
    pub settled: usize,
}
