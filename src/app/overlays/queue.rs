//! The triage queue: open reports, one at a time.

use crate::domain::report::ReportId;

/// Reports to be processed one by one.
#[derive(Debug)]
pub struct TriageQueue {
    /// Report ids, most urgent first.
    pub ids: Vec<ReportId>,
    /// How many reports needed work when it opened; the queue holds the most urgent of them.
    pub of: usize,
    /// How many more are open but held by others.
    pub with_others: usize,
    /// The index of the current report.
    pub at: usize,
    /// How many are settled: set to a state that is not open, claimed by another person, now good, or gone.
    pub settled: usize,
}
