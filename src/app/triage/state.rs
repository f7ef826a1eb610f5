//! Triage states, notes, and what the service was asked about missing reports.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::app::effect::RequestId;
use crate::domain::report::ReportId;
use crate::domain::triage::{Notes, Triages};

/// What this machine knows of the work on reports.
#[derive(Debug, Default)]
pub struct TriageStates {
    /// The states; what is not in it is new.
    pub triages: Arc<Triages>,
    /// The notes.
    pub notes: Arc<Notes>,
    /// When the next snooze runs out.
    pub(crate) next_snooze: Option<Timestamp>,
}

impl TriageStates {
    /// Whether a report has a state or a note.
    pub(crate) fn is_any(&self) -> bool {
        !self.triages.is_empty() || !self.notes.is_empty()
    }
}

/// What is known of missing reports.
#[derive(Debug, Default)]
pub(crate) struct MissingReports {
    pub(crate) asked_for: HashMap<RequestId, ReportId>,
    pub(crate) gone: HashSet<ReportId>,
}

impl MissingReports {
    /// Whether the service does not know the report any more.
    pub(crate) fn is_gone(&self, id: &ReportId) -> bool {
        self.gone.contains(id)
    }
}
