//! A list to compare with a former one, and the result of the comparison.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::triage::changes::{BadShareHistory, Comparison, FormerFailures, ListScope};

/// The scores of some reports over time, each the oldest first.
pub type ScoreHistory = HashMap<ReportId, Vec<(Timestamp, u8)>>;

/// A list to store and to compare with an earlier one.
#[derive(Debug, Clone)]
pub struct ComparisonRequest {
    /// The rows.
    pub rows: Arc<Rows>,
    /// What they are a list of.
    pub scope: ListScope,
    /// Whether they are all there are.
    pub is_complete: bool,
    /// When they came.
    pub taken_at: Timestamp,
    /// Compared with the last list that was taken before this.
    pub before: Timestamp,
    /// Compare with the list that was seen last instead: what the person marked as seen, or else the former look.
    pub unseen: bool,
    /// How long an audit may be ago before its report is listed.
    pub untested_for: SignedDuration,
}

/// What a comparison found.
#[derive(Debug, Clone, Default)]
pub struct ComparisonResult {
    /// When the former list was taken; `None` when there is none.
    pub baseline: Option<Timestamp>,
    /// The results of the former list, where it was complete.
    pub results: Option<ResultCounts>,
    /// How many bad reports of the former list failed each check, where that is known.
    pub failing: Option<Box<FormerFailures>>,
    /// What differs.
    pub comparison: Comparison,
    /// The scores of what differs, over time.
    pub scores: ScoreHistory,
    /// The URLs of what is gone, as far as they are remembered.
    pub names: HashMap<ReportId, String>,
    /// How the share of bad reports went over the last looks.
    pub trends: BadShareHistory,
}
