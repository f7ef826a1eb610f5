//! Events: the append-only log of a desk.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::change_id::ChangeId;
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
    /// Its number: one higher than that of the event before.
    pub revision: i64,
    /// The id of the write.
    pub change: ChangeId,
    /// The service, where it is about one.
    pub service: Option<i64>,
    /// The report, where it is about one.
    pub report: Option<ReportId>,
    /// Who made it. For a change with a cause: whose program made it.
    pub person: DeskActor,
    /// What was changed.
    #[serde(flatten)]
    pub detail: EventDetail,
    /// What the program saw; `None` when a person decided.
    pub cause: Option<Text>,
    /// When it was made, by the service's clock.
    pub at: Timestamp,
    /// When it was decided, if that was earlier, by the client's clock.
    pub decided_at: Option<Timestamp>,
}

/// What was changed, by `kind`. `after` is whole: it takes the place of the row, note, service or person before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EventDetail {
    /// State or holder of a report.
    State {
        /// As it was; `None` for the first row of a report.
        before: Option<Box<DeskRow>>,
        /// As it is.
        after: Box<DeskRow>,
    },
    /// A note was added or withdrawn.
    Note {
        /// As it was; `None` for a new note.
        before: Option<Box<DeskNote>>,
        /// As it is.
        after: Box<DeskNote>,
    },
    /// A service was added or renamed.
    Service {
        /// As it was; `None` for a new one.
        before: Option<Box<DeskService>>,
        /// As it is.
        after: Box<DeskService>,
    },
    /// The rows and notes of one service were moved to another, which is the same under another address. Clients read
    /// everything again.
    Merged {
        /// The service that is gone.
        from: i64,
        /// The service that has its rows.
        into: i64,
    },
    /// A key was created or revoked.
    Key {
        /// Its name.
        name: Text,
        /// What it may do.
        role: Role,
        /// Whose it is; `None` for a robot's.
        owner: Option<Handle>,
        /// Whether it was revoked.
        revoked: bool,
    },
    /// A person was added, renamed, left or came back.
    Person {
        /// As it was; `None` for a new person.
        before: Option<Box<Person>>,
        /// As it is.
        after: Box<Person>,
    },
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

impl DeskEvent {
    /// Who made it, as the history writes it.
    pub fn author(&self) -> String {
        match &self.cause {
            Some(_) => format!("the program, seen by {}", self.person.shown()),
            None => self.person.shown().to_owned(),
        }
    }

    /// The event as an entry of the history; `None` where it is about no report. `report` is the report, if it is known.
    pub fn log_entry(&self, report: Option<&Report>) -> Option<LogEntry> {
        let id = self.report.clone()?;
        let about = |kind| {
            let entry = report.map_or_else(|| LogEntry::new(kind, self.at), |row| LogEntry::about(kind, row, self.at));
            LogEntry { author: self.author(), report: Some(id.clone()), ..entry }
        };
        match &self.detail {
            EventDetail::State { before, after }
                if before.as_ref().map_or(State::New, |row| row.state) == after.state =>
            {
                let handle = |row: &DeskRow| row.holder.as_ref().map(ToString::to_string).unwrap_or_default();
                let former = before.as_deref().map(handle).unwrap_or_default();
                Some(LogEntry { before: former, after: handle(after), ..about(LogKind::Assigned) })
            }
            EventDetail::State { before, after } => {
                let word = |row: &DeskRow| row.state.kind().word().to_owned();
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

    /// Its kind, what was before, and what is since then, in words that may be shown.
    pub fn words(&self) -> (&'static str, String, String) {
        let row = |row: &DeskRow| {
            let holder = row.holder.as_ref().map(|holder| format!(", {holder}")).unwrap_or_default();
            format!("{}{holder}", row.state.kind().word())
        };
        let before_row = |before: &Option<Box<DeskRow>>| before.as_deref().map(row).unwrap_or_default();
        match &self.detail {
            EventDetail::State { before, after } => ("state", before_row(before), row(after)),
            EventDetail::Note { after, .. } if after.withdrawn => ("note", "withdrawn".to_owned(), String::new()),
            EventDetail::Note { after, .. } => ("note", String::new(), after.text.shown().to_owned()),
            EventDetail::Service { after, .. } => ("service", String::new(), after.label.shown().to_owned()),
            EventDetail::Merged { from, into } => ("merged", from.to_string(), into.to_string()),
            EventDetail::Key { name, role, revoked, .. } => {
                let after = if *revoked { "revoked" } else { role.word() };
                ("key", name.shown().to_owned(), after.to_owned())
            }
            EventDetail::Person { after, .. } => ("person", String::new(), after.handle.to_string()),
            EventDetail::Unknown => ("unknown", String::new(), String::new()),
        }
    }
}
