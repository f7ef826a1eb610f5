//! A request to compare a list with an earlier one, and the result.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::triage::changes::{BadShareHistory, Comparison, FormerFailures, ListScope};

/// The scores of some reports over time, each oldest first.
pub type ScoreHistory = HashMap<ReportId, Vec<(Timestamp, u8)>>;

/// A list to store and compare with an earlier one.
#[derive(Debug, Clone)]
pub struct ComparisonRequest {
    /// The rows.
    pub rows: Arc<Rows>,
    /// The query that they are a list of.
    pub scope: ListScope,
    /// Whether the list is complete.
    pub is_complete: bool,
    /// When the rows were fetched.
    pub taken_at: Timestamp,
    /// Compare with the latest list taken before this time.
    pub before: Timestamp,
    /// Instead compare with the list last seen: the one the user marked as seen, or else that of the previous look.
    pub unseen: bool,
    /// The age from which an audit is listed as too old.
    pub untested_for: SignedDuration,
}

/// The result of a comparison.
#[derive(Debug, Clone, Default)]
pub struct ComparisonResult {
    /// When the earlier list was taken; `None` if there is none.
    pub baseline: Option<Timestamp>,
    /// The results of the earlier list, if it was complete.
    pub results: Option<ResultCounts>,
    /// How many bad reports of the earlier list failed each check, if known.
    pub failing: Option<Box<FormerFailures>>,
    /// The difference.
    pub comparison: Comparison,
    /// The scores of the changed reports over time.
    pub scores: ScoreHistory,
    /// The URLs of gone reports, if remembered.
    pub names: HashMap<ReportId, String>,
    /// The share of bad reports over the last looks.
    pub trends: BadShareHistory,
}
