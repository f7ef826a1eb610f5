//! What clients send to a desk.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::json;
use super::person::Handle;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::Text;
use crate::domain::triage::State;

/// What must be true of a row for a write to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RowPrecondition {
    /// There is no row yet: `If-None-Match: *`.
    Absent,
    /// The row has this version: `If-Match: "7"`.
    Version(i64),
}

/// The next state and holder of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowWrite {
    /// The id of this write.
    pub change: ChangeId,
    /// The state from now on.
    #[serde(flatten, with = "json::state")]
    pub state: State,
    /// Who holds it from now on.
    #[serde(default)]
    pub holder: Option<Handle>,
    /// The report's result as the client sees it.
    #[serde(with = "json::baseline")]
    pub baseline: ReportState,
    /// Why the program changes the state; `None` when a person does.
    #[serde(default)]
    pub reason: Option<Text>,
    /// What the program saw: the kind and the time of the audit. Of all writes of a report with the same cause one
    /// happens; the others are answered with the present row.
    #[serde(default)]
    pub cause: Option<Text>,
    /// When it was decided, for a write that was made while the desk could not be reached.
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
}

/// A note to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteWrite {
    /// The id of this write.
    pub change: ChangeId,
    /// What it says.
    pub text: Text,
    /// When it was written, if the desk could not be reached then.
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
}

/// A service whose reports are triaged here: it is found by its id or its base URL, and created where it is new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceLookup {
    /// The id of the write that creates it.
    pub change: ChangeId,
    /// The canonical base URL, without `/api/v1` and without a final slash.
    pub base: Text,
    /// The id that the service tells in its own `GET /api/v1/desk`; services of other makes have none.
    #[serde(default)]
    pub service_id: Option<Text>,
    /// What people call it.
    pub label: Text,
}
