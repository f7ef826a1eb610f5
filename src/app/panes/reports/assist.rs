//! Assistance while typing the filter: completions, and terms that match no report.

use std::sync::{Arc, Weak};

use crate::app::effect::RequestId;
use crate::domain::list::filter::FilterProblem;
use crate::domain::list::filter::complete::Completion;
use crate::domain::list::filter::known_values::KnownValues;
use crate::domain::list::rows::Rows;

/// Completions and warnings for the filter line.
#[derive(Debug, Default)]
pub struct FilterAssist {
    /// The candidates and hint for the term at the cursor.
    pub completion: Completion,
    /// Terms that no loaded report can match.
    pub missing: Vec<FilterProblem>,
    /// The completion cycle in progress.
    pub cycle: Option<CompletionCycle>,
    pub(super) known: Box<KnownValues>,
    pub(super) request: Option<RequestId>,
    /// The rows that the values were collected from. `Weak`, so it does not block copy-on-write; another address means
    /// other rows.
    pub(super) collected: Option<(Weak<Rows>, usize)>,
}

/// Candidates that are inserted into the filter line in turn.
#[derive(Debug, Clone)]
pub struct CompletionCycle {
    /// The candidates.
    pub completion: Completion,
    /// The index of the one in the line.
    pub at: usize,
    /// The line before the first insertion.
    pub(super) line: String,
}

impl FilterAssist {
    /// Whether the values are from these rows, or, while a list grows, from at least half of them.
    pub(super) fn is_of(&self, rows: &Arc<Rows>, is_complete: bool) -> bool {
        self.collected.as_ref().is_some_and(|(collected, len)| {
            let is_same = collected.as_ptr() == Arc::as_ptr(rows) && *len == rows.len();
            is_same || (!is_complete && *len > 0 && rows.len() < 2 * len)
        })
    }
}
