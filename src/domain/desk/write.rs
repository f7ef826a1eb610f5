//! Requests that clients send to a desk.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::json;
use super::person::Handle;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::Text;
use crate::domain::triage::State;

/// The condition on a row under which a write is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RowPrecondition {
    /// There is no row yet: `If-None-Match: *`.
    Absent,
    /// The row has this version: `If-Match: "7"`.
    Version(i64),
}

impl RowPrecondition {
    /// The version of the row; 0 if there is none yet.
    pub fn version(self) -> i64 {
        match self {
            Self::Absent => 0,
            Self::Version(version) => version,
        }
    }
}

/// The new state and holder of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowWrite {
    /// The id of this write.
    pub change: ChangeId,
    /// The new state.
    #[serde(flatten, with = "json::state")]
    pub state: State,
    /// The new holder.
    #[serde(default)]
    pub holder: Option<Handle>,
    /// The report's result as the client sees it.
    #[serde(with = "json::baseline")]
    pub baseline: ReportState,
    /// Why the program changes the state; `None` when a person does.
    #[serde(default)]
    pub reason: Option<Text>,
    /// What the program observed: the kind and time of the audit. Of all writes of a report with the same cause only
    /// one is applied; the response to the others is the current row.
    #[serde(default)]
    pub cause: Option<Text>,
    /// When it was decided, for a write sent more than a minute later.
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
}

/// A note to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteWrite {
    /// The id of this write.
    pub change: ChangeId,
    /// The text.
    pub text: Text,
    /// When it was written, for a note sent more than a minute later.
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
}

/// Identifies a service whose reports are triaged on the desk: found by id or base URL, created if new.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceLookup {
    /// The change id of the write that creates it.
    pub change: ChangeId,
    /// The canonical base URL, without `/api/v1` and without a final slash.
    pub base: Text,
    /// The id that the service returns in its own `GET /api/v1/desk`; third-party services have none.
    #[serde(default)]
    pub service_id: Option<Text>,
    /// The display name.
    pub label: Text,
}
