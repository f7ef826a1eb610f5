//! Triage: states and notes, the queue, changes since the last look, causes, and urgency.

pub mod causes;
pub mod causes_state;
pub mod change_sections;
pub mod changes;
pub mod missing;
pub mod notes;
pub mod queue;
pub mod state;
pub mod states;
pub mod urgency;

pub use change_sections::{ChangeLine, ChangeSection, Changes};
pub use state::TriageStates;

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::ctx::Ctx;
use crate::app::triage::causes_state::CausesState;
use crate::domain::triage::urgency::RowContext;

/// Triage states, changes and causes.
#[derive(Debug)]
pub struct TriageState {
    /// The states and notes of reports.
    pub states: TriageStates,
    /// The changes since the last look.
    pub changes: Changes,
    /// The common causes of bad reports.
    pub causes: CausesState,
}

impl TriageState {
    /// Creates an empty state; lists from before `now` count as earlier.
    pub fn new(now: Timestamp) -> Self {
        Self { states: TriageStates::default(), changes: Changes::new(now), causes: CausesState::default() }
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
