//! Events of a desk's append-only log.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
use super::json;
use super::overview::DeskService;
use super::person::{DeskActor, Handle, Person, Role};
use super::row::{DeskNote, DeskRow};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::State;

/// One change of a desk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskEvent {
    /// The event number: one higher than the previous event's.
    pub revision: i64,
    /// The id of the write.
    pub change: ChangeId,
    /// The service, if the event concerns one.
    pub service: Option<i64>,
    /// The report, if the event concerns one.
    pub report: Option<ReportId>,
    /// Who made the change. With a `cause`, the person whose program made it.
    pub person: DeskActor,
    /// What was changed.
    #[serde(flatten)]
    pub detail: EventDetail,
    /// What the program observed; `None` when a person decided.
    pub cause: Option<Text>,
    /// When it was recorded, by the service's clock.
    #[serde(serialize_with = "json::time")]
    pub at: Timestamp,
    /// When it was decided, by the client's clock, if earlier than `at`.
    #[serde(serialize_with = "json::time")]
    pub decided_at: Option<Timestamp>,
}

/// What was changed, tagged by `kind`. `after` is complete: it replaces the earlier row, note, service or person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventDetail {
    /// The state or holder of a report.
    State {
        /// The row before; `None` for the first row of a report.
        before: Option<Box<DeskRow>>,
        /// The row after.
        after: Box<DeskRow>,
    },
    /// A note was added or withdrawn.
    Note {
        /// The note before; `None` for a new note.
        before: Option<Box<DeskNote>>,
        /// The note after.
        after: Box<DeskNote>,
    },
    /// A service was added or renamed.
    Service {
        /// The service before; `None` for a new one.
        before: Option<Box<DeskService>>,
        /// The service after.
        after: Box<DeskService>,
    },
    /// The rows and notes of one service were moved to another, which is the same service under another address.
    /// Clients read everything again.
    Merged {
        /// The service that no longer exists.
        from: i64,
        /// The service that received its rows.
        into: i64,
    },
    /// A key was created or revoked.
    Key {
        /// Its name.
        name: Text,
        /// The key's role.
        role: Role,
        /// The key's owner; `None` for a robot.
        owner: Option<Handle>,
        /// Whether it was revoked.
        revoked: bool,
    },
    /// A person was added or renamed, left or returned.
    Person {
        /// The person before; `None` for a new person.
        before: Option<Box<Person>>,
        /// The person after.
        after: Box<Person>,
    },
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

impl DeskEvent {
    /// The author as shown in the history.
    pub fn author(&self) -> String {
        match &self.cause {
            Some(_) => format!("the program, seen by {}", self.person.shown()),
            None => self.person.shown().into_owned(),
        }
    }

    /// Converts the event to a history entry; `None` if it concerns no report. `report` is the report, if known.
    pub fn log_entry(&self, report: Option<&Report>) -> Option<LogEntry> {
        let id = self.report.clone()?;
        let about = |kind| {
            let entry = report.map_or_else(|| LogEntry::new(kind, self.at), |row| LogEntry::about(kind, row, self.at));
            LogEntry { author: self.author(), report: Some(id.clone()), ..entry }
        };
        match &self.detail {
            // A state that is set again by the same person is no assignment.
            EventDetail::State { before, after }
                if before.as_ref().map_or(State::New, |row| row.state) == after.state
                    && before.as_ref().and_then(|row| row.holder.as_ref()) != after.holder.as_ref() =>
            {
                let handle = |row: &DeskRow| row.holder.as_ref().map(ToString::to_string).unwrap_or_default();
                let former = before.as_deref().map(handle).unwrap_or_default();
                Some(LogEntry { before: former, after: handle(after), ..about(LogKind::Assigned) })
            }
            EventDetail::State { before, after } => {
                let word = |row: &DeskRow| row.state.kind().name().to_owned();
                let former = before.as_deref().map_or_else(|| "new".to_owned(), word);
                let detail = after.reason.as_ref().map(|reason| reason.shown().to_owned()).unwrap_or_default();
                Some(LogEntry { before: former, after: word(after), detail, ..about(LogKind::State) })
            }
            EventDetail::Note { before: None, after } => {
                Some(LogEntry { detail: after.text.shown().to_owned(), ..about(LogKind::Note) })
            }
            EventDetail::Note { .. }
            | EventDetail::Service { .. }
            | EventDetail::Merged { .. }
            | EventDetail::Key { .. }
            | EventDetail::Person { .. }
            | EventDetail::Unknown => None,
        }
    }

    /// The kind, the value before and the value after, in display form.
    pub fn words(&self) -> (&'static str, String, String) {
        let row = |row: &DeskRow| {
            let holder = row.holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default();
            format!("{}{holder}", row.state.kind().name())
        };
        let before_row = |before: &Option<Box<DeskRow>>| before.as_deref().map(row).unwrap_or_default();
        match &self.detail {
            EventDetail::State { before, after } => ("state", before_row(before), row(after)),
            EventDetail::Note { after, .. } if after.withdrawn => ("note", "withdrawn".to_owned(), String::new()),
            EventDetail::Note { after, .. } => ("note", String::new(), after.text.shown().to_owned()),
            EventDetail::Service { after, .. } => ("service", String::new(), after.label.shown().to_owned()),
            EventDetail::Merged { from, into } => ("merged", from.to_string(), into.to_string()),
            EventDetail::Key { name, role, revoked, .. } => {
                let after = if *revoked { "revoked" } else { role.name() };
                ("key", name.shown().to_owned(), after.to_owned())
            }
            EventDetail::Person { after, .. } => ("person", String::new(), after.handle.to_string()),
            EventDetail::Unknown => ("unknown", String::new(), String::new()),
        }
    }
}
