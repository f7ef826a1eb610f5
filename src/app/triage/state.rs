//! Triage states and notes.

use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::triage::{Notes, Triages};

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
}

impl TriageStates {
    /// Whether any report has a state or a note.
    pub(crate) fn is_any(&self) -> bool {
        !self.triages.is_empty() || !self.notes.is_empty()
    }
}
