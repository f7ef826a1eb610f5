//! The event log: what was done to reports, by whom and when. Append-only.

pub mod line;
#[cfg(test)]
mod tests;
pub mod timeline;

use jiff::Timestamp;

use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::{Report, ReportChange, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::{Note, StateKind, Triage, to_the_millisecond};

/// The most checks named in an entry.
const MOST_NAMES: usize = 8;

/// The kind of a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LogKind {
    /// The report was created. `after`: its result; `detail`: why its page could not be fetched.
    Created,
    /// The report was re-run. `before` and `after`: its results; `detail`: which checks flipped, or why the page could
    /// not be fetched.
    Rerun,
    /// An audit seen in a list, by an unknown author. `before` and `after` as for a re-run. Not shown in the history.
    Audited,
    /// Its privacy was changed. `before` and `after`: the API's names.
    Privacy,
    /// It got a new password.
    Password,
    /// Its triage state was set. `before` and `after`: the filter's names; `detail`: why the program did it, empty if a
    /// person did.
    State,
    /// The report was assigned on the desk. `before` and `after`: handles; empty for nobody.
    Assigned,
    /// A decision about state and holder was dropped in a conflict, or the desk refused it. `before`: the decision;
    /// `after`: what the desk kept, empty if unknown. Both in display form.
    Dropped,
    /// A note was added. `detail`: its text. Notes are stored separately, so the journal returns no such entry.
    Note,
    /// The report was deleted.
    Deleted,
    /// A project was deleted with its reports.
    ProjectDeleted,
}

impl LogKind {
    /// The name stored in the journal.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// An entry of the log. All texts are safe to display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// When it happened, to the millisecond.
    pub at: Timestamp,
    /// When the action began, to the millisecond; shared by all entries of one action.
    pub begun_at: Timestamp,
    /// The author; empty for the user of this machine.
    pub author: String,
    /// The report; `None` for a project.
    pub report: Option<ReportId>,
    /// The report's URL, or the project's name. Empty if only the report's id is known.
    pub name: String,
    /// The report's project; empty if unknown.
    pub project: String,
    /// What happened.
    pub kind: LogKind,
    /// The value before, depending on the kind; empty if unknown.
    pub before: String,
    /// The value after, depending on the kind.
    pub after: String,
    /// Further details, depending on the kind.
    pub detail: String,
    /// The time of the audit that the entry is about.
    pub audited_at: Option<Timestamp>,
}

impl LogEntry {
    /// Creates an entry by the user of this machine, without `before` and `after`.
    pub fn new(kind: LogKind, now: Timestamp) -> Self {
        let now = to_the_millisecond(now);
        Self {
            at: now,
            begun_at: now,
            author: String::new(),
            report: None,
            name: String::new(),
            project: String::new(),
            kind,
            before: String::new(),
            after: String::new(),
            detail: String::new(),
            audited_at: None,
        }
    }

    /// Creates an entry about a report.
    pub fn about(kind: LogKind, report: &Report, now: Timestamp) -> Self {
        Self {
            report: Some(report.id.clone()),
            name: report.short_url().to_owned(),
            project: report.project.shown().to_owned(),
            ..Self::new(kind, now)
        }
    }

    /// Names the report if the entry does not.
    #[must_use]
    pub fn or_named(self, name: &str) -> Self {
        if self.name.is_empty() { Self { name: name.to_owned(), ..self } } else { self }
    }

    /// The entries of a change accepted by the service. `before` is the report as known before the change.
    pub fn of_change(change: &ReportChange, before: Option<&Report>, after: &Report, now: Timestamp) -> Vec<Self> {
        let mut entries = Vec::new();
        let former = before.and_then(|report| report.privacy);
        if let Some(privacy) = after.privacy.filter(|now| change.privacy.is_some() && former != Some(*now)) {
            let before = former.map_or("", Privacy::name).to_owned();
            entries.push(Self {
                before,
                after: privacy.name().to_owned(),
                ..Self::about(LogKind::Privacy, after, now)
            });
        }
        if change.password.is_some() {
            entries.push(Self::about(LogKind::Password, after, now));
        }
        if change.rerun {
            let known = before.and_then(Report::failing);
            let flips = || after.flips(known.as_deref()).map(|flips| flips.in_words(MOST_NAMES)).unwrap_or_default();
            let former = || after.history().first().map(ReportState::verdict);
            // Most checks have no verdict without a page.
            let detail = after.fetch_failure.map_or_else(flips, FetchFailure::sentence);
            entries.push(Self {
                before: before.map(Report::verdict).or_else(former).unwrap_or_default(),
                after: after.verdict(),
                detail,
                audited_at: after.generated_at,
                ..Self::about(LogKind::Rerun, after, now)
            });
        }
        entries
    }

    /// The entry of a created report.
    pub fn of_creation(report: &Report, now: Timestamp) -> Self {
        let entry = Self::about(LogKind::Created, report, now);
        let detail = report.fetch_failure.map(FetchFailure::sentence).unwrap_or_default();
        Self { after: report.verdict(), detail, audited_at: report.generated_at, ..entry }
    }

    /// The entry of a deleted report of which only the id is known.
    pub fn of_deletion(id: &ReportId, now: Timestamp) -> Self {
        Self { report: Some(id.clone()), ..Self::new(LogKind::Deleted, now) }
    }

    /// The entry of a project that was deleted with its reports.
    pub fn of_project_deletion(project: &Text, now: Timestamp) -> Self {
        Self { name: project.shown().to_owned(), ..Self::new(LogKind::ProjectDeleted, now) }
    }

    /// The entry of a note about a report of which only the id is known.
    pub fn of_note(id: &ReportId, note: &Note) -> Self {
        Self {
            report: Some(id.clone()),
            author: note.author.clone(),
            detail: note.text.shown().to_owned(),
            ..Self::new(LogKind::Note, note.written_at)
        }
    }

    /// The entry of a triage state that was set. `before` and `after` are `None` for the state "new".
    pub fn of_state(report: &Report, before: Option<&Triage>, after: Option<&Triage>, now: Timestamp) -> Self {
        Self::about(LogKind::State, report, now).with_states(before, after)
    }

    /// Adds the states before and after to an entry about a state.
    #[must_use]
    pub fn with_states(self, before: Option<&Triage>, after: Option<&Triage>) -> Self {
        let word =
            |triage: Option<&Triage>| triage.map_or(StateKind::New, |triage| triage.state.kind()).name().to_owned();
        let reason = after.and_then(|triage| triage.reason.clone()).unwrap_or_default();
        Self { before: word(before), after: word(after), detail: reason, ..self }
    }
}
