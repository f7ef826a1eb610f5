//! A desk's data about a report: state and holder, and notes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::json;
use super::person::{DeskActor, Handle};
use crate::domain::report::ReportId;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::Text;
use crate::domain::triage::{State, StateKind, Triage};

/// State and holder of a report. The row remains when the report is new again, so that its version keeps counting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskRow {
    /// The report.
    pub report: ReportId,
    /// The triage state.
    #[serde(flatten, with = "json::state")]
    pub state: State,
    /// The person who works on it.
    pub holder: Option<Handle>,
    /// The report's result when the state was set.
    #[serde(with = "json::baseline")]
    pub baseline: ReportState,
    /// Why the program changed the state; `None` when a person did.
    pub reason: Option<Text>,
    /// The number of writes of this row, from 1. State and holder share it.
    pub version: i64,
    /// Who wrote it last.
    pub set_by: DeskActor,
    /// When, by the service's clock.
    #[serde(serialize_with = "json::time")]
    pub set_at: Timestamp,
}

impl DeskRow {
    /// The row as the state of a report, without its holder.
    pub fn triage(&self) -> Triage {
        Triage {
            state: self.state,
            set_at: self.set_at,
            baseline: self.baseline.clone(),
            reason: self.reason.as_ref().map(|reason| reason.shown().to_owned()),
        }
    }
}

/// A note in the thread of a report. Notes are not edited, so they cannot conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskNote {
    /// Its number on this desk, ascending.
    pub id: i64,
    /// The report.
    pub report: ReportId,
    /// Who wrote it.
    pub author: DeskActor,
    /// The text; empty once withdrawn.
    pub text: Text,
    /// When, by the service's clock.
    #[serde(serialize_with = "json::time")]
    pub at: Timestamp,
    /// Whether it was withdrawn.
    pub withdrawn: bool,
}

/// Returns the holder after a person has set a state: looking takes the report over, waiting and verifying keep the
/// present holder or take it over, and new clears it.
pub fn holder_after(state: StateKind, present: Option<&Handle>, me: Option<&Handle>) -> Option<Handle> {
    match state {
        StateKind::New => None,
        StateKind::Looking => me,
        StateKind::Waiting | StateKind::ToVerify => present.or(me),
        StateKind::WontFix | StateKind::Snoozed | StateKind::Done => present,
    }
    .cloned()
}
