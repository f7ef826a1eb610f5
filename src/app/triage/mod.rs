//! Triage: states and notes, the queue, changes since the last look, causes, and urgency.

pub mod causes;
pub mod change_sections;
pub mod changes;
pub mod missing;
pub mod notes;
pub mod queue;
pub mod states;
pub mod urgency;

pub use change_sections::{ChangeLine, ChangeSection, Changes};

use std::sync::{Arc, Weak};

use jiff::Timestamp;

use crate::app::ctx::Ctx;
use crate::app::effect::RequestId;
use crate::domain::list::rows::Rows;
use crate::domain::triage::causes::lines::FoundCauses;
use crate::domain::triage::urgency::RowContext;
use crate::domain::triage::{Notes, Triages};

/// Triage states, changes and causes.
#[derive(Debug, Default)]
pub struct TriageState {
    /// The states and notes of reports.
    pub states: TriageStates,
    /// The changes since the last look.
    pub changes: Changes,
    /// The common causes of bad reports.
    pub causes: CausesState,
}

/// The triage states and notes of reports.
#[derive(Debug, Default)]
pub struct TriageStates {
    /// The states. Reports without one are new.
    pub triages: Arc<Triages>,
    /// The notes.
    pub notes: Arc<Notes>,
    /// When the next snooze expires.
    pub(crate) next_snooze: Option<Timestamp>,
    /// Whether a state or note was changed here since they were last requested: the reply lacks that change.
    pub(crate) changed_since_request: bool,
    /// Whether one was changed here at all in this run.
    pub(crate) changed_in_run: bool,
}

/// The computed causes, and the rows they were computed from.
#[derive(Debug, Default)]
pub struct CausesState {
    /// The causes; `None` until computed.
    pub found: Option<Box<FoundCauses>>,
    /// Checks were fetched since the screen was opened; those still unknown are not sent by the service.
    pub were_fetched: bool,
    pub(crate) request: Option<RequestId>,
    /// The examined rows. `Weak`, so that lists are not kept alive; changed rows have another address.
    pub(crate) rows: Weak<Rows>,
    /// The number of changes of the shown rows before they were examined.
    pub(crate) shown: u64,
}

/// The target of a line of the causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseTarget {
    /// The reports of the line with this index in its block.
    Reports(usize),
    /// Fetches the unknown checks.
    UnknownChecks,
    /// None: the line is informational.
    Nothing,
}

impl TriageState {
    /// Creates an empty state; lists from before `now` count as earlier.
    pub fn new(now: Timestamp) -> Self {
        Self { changes: Changes::new(now), ..Self::default() }
    }

    /// Returns the data beyond rows that filters, columns and urgency depend on.
    pub fn row_context(&self, ctx: &Ctx) -> RowContext {
        RowContext {
            now: ctx.now,
            triages: Arc::clone(&self.states.triages),
            notes: Arc::clone(&self.states.notes),
            results_before: Arc::default(),
            fallen: Arc::clone(&self.changes.fallen),
            explanations: Arc::clone(&ctx.explanations),
        }
    }
}

impl TriageStates {
    /// Whether any report has a state or a note.
    pub(crate) fn is_any(&self) -> bool {
        !self.triages.is_empty() || !self.notes.is_empty()
    }
}
