//! Triage: states and notes, the queue, what changed since the last look, causes, and the order of urgency.

pub mod causes;
pub mod causes_state;
pub mod change_sections;
pub mod changes;
pub mod missing;
pub mod notes;
pub mod priority;
pub mod queue;
pub mod state;
pub mod states;

pub use change_sections::{ChangeLine, ChangeSection, Changes};
pub use state::TriageStates;

use std::sync::Arc;

use jiff::Timestamp;

use crate::app::ctx::Ctx;
use crate::app::triage::causes_state::CausesState;
use crate::domain::triage::priority::RowContext;

/// States, what changed, and what is being looked for.
#[derive(Debug)]
pub struct TriageState {
    /// States and notes of reports.
    pub states: TriageStates,
    /// What changed since the last look.
    pub changes: Changes,
    /// What the bad reports share.
    pub causes: CausesState,
}

impl TriageState {
    /// Nothing is known yet; lists from before `now` are former ones.
    pub fn new(now: Timestamp) -> Self {
        Self { states: TriageStates::default(), changes: Changes::new(now), causes: CausesState::default() }
    }

    /// What filters, columns and the priority of a report depend on besides its row.
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
