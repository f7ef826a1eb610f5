//! Help while the filter is typed: completions, and terms that no report can fit.

use std::sync::{Arc, Weak};

use crate::app::effect::RequestId;
use crate::domain::list::filter::FilterProblem;
use crate::domain::list::filter::complete::Completion;
use crate::domain::list::filter::known_values::KnownValues;
use crate::domain::list::rows::Rows;

/// What the filter line offers and says.
#[derive(Debug, Default)]
pub struct FilterAssist {
    /// The candidates for the term at the cursor, and what may stand there.
    pub completion: Completion,
    /// Terms that no loaded report can fit.
    pub missing: Vec<FilterProblem>,
    /// The candidates that are being gone through.
    pub cycle: Option<CompletionCycle>,
    pub(super) known: Box<KnownValues>,
    pub(super) request: Option<RequestId>,
    /// The rows that the values are of. `Weak`, so it does not block copy-on-write; another address means other rows.
    pub(super) collected: Option<(Weak<Rows>, usize)>,
}

/// Candidates that are put into the filter line one after the other.
#[derive(Debug, Clone)]
pub struct CompletionCycle {
    /// The candidates.
    pub completion: Completion,
    /// Which of them stands in the line.
    pub at: usize,
    /// The line before the first of them.
    pub(super) line: String,
}

impl FilterAssist {
    /// Whether the values are of these rows, or of nearly as many while a list grows.
    pub(super) fn is_of(&self, rows: &Arc<Rows>, is_complete: bool) -> bool {
        self.collected.as_ref().is_some_and(|(collected, len)| {
            let is_same = collected.as_ptr() == Arc::as_ptr(rows) && *len == rows.len();
            is_same || (!is_complete && *len > 0 && rows.len() < 2 * len)
        })
    }
}
