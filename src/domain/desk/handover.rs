//! Shift handover: reports that are open, waiting, returning from a snooze, or were closed.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::content::DeskContent;
use super::event::{DeskEvent, EventDetail};
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::{State, StateKind};

/// A section of a handover, in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum HandoverPart {
    /// Bad, open, and held by nobody.
    Free,
    /// Open and held by somebody.
    Held,
    /// Waiting for somebody, or for the next audit.
    Waiting,
    /// A snooze that ends during the next shift.
    Returning,
    /// Settled during this shift.
    Closed,
}

impl HandoverPart {
    /// The name in output.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// One report of a handover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoverLine {
    /// The section.
    pub part: HandoverPart,
    /// The report.
    pub report: ReportId,
    /// Its URL; empty if the report was not read.
    pub url: String,
    /// Its state.
    pub state: StateKind,
    /// The holder, or who closed it; empty for nobody.
    pub person: String,
    /// Since when; for a snooze, until when.
    pub at: Option<Timestamp>,
    /// The last note.
    pub note: String,
}

/// Builds the handover of a shift from the reports as read, the desk, and its events since the shift began.
pub fn handover(
    reports: &[Report],
    desk: &DeskContent,
    events: &[DeskEvent],
    (now, shift): (Timestamp, SignedDuration),
) -> Vec<HandoverLine> {
    let urls: HashMap<&ReportId, &str> = reports.iter().map(|report| (&report.id, report.url.raw())).collect();
    let notes: HashMap<&ReportId, &str> = desk.notes.values().map(|note| (&note.report, note.text.shown())).collect();
    let line = |part, report: &ReportId, state, person: String, at| HandoverLine {
        part,
        report: report.clone(),
        url: urls.get(report).copied().unwrap_or_default().to_owned(),
        state,
        person,
        at,
        note: notes.get(report).copied().unwrap_or_default().to_owned(),
    };
    let end = now.saturating_add(shift).unwrap_or(Timestamp::MAX);
    let mut lines: Vec<HandoverLine> = reports
        .iter()
        .filter(|report| !desk.rows.contains_key(&report.id))
        .map(|report| line(HandoverPart::Free, &report.id, StateKind::New, String::new(), report.generated_at))
        .collect();
    for row in desk.rows.values() {
        let person = row.holder.as_ref().map(ToString::to_string).unwrap_or_default();
        let is_bad = urls.contains_key(&row.report);
        // An expired snooze is new since its end. The expiry is derived, never written.
        let (state, set_at) =
            row.state.snooze_ended_at(now).map_or((row.state, row.set_at), |until| (State::New, until));
        let (part, at) = match state {
            State::New | State::Looking if !person.is_empty() => (HandoverPart::Held, set_at),
            State::New | State::Looking if is_bad => (HandoverPart::Free, set_at),
            State::Waiting | State::ToVerify => (HandoverPart::Waiting, set_at),
            State::Snoozed { until } if until <= end => (HandoverPart::Returning, until),
            State::New | State::Looking | State::Snoozed { .. } | State::WontFix | State::Done => continue,
        };
        lines.push(line(part, &row.report, state.kind(), person, Some(at)));
    }
    let begun = now.saturating_sub(shift).unwrap_or(Timestamp::MIN);
    let mut closed: HashMap<&ReportId, &DeskEvent> = HashMap::new();
    for event in events.iter().filter(|event| event.at >= begun) {
        let EventDetail::State { before, after } = &event.detail else { continue };
        let kind = after.state.kind();
        let was = before.as_deref().map(|row| row.state.kind());
        // A report that was reopened since is in another section.
        let still = desk.rows.get(&after.report).is_none_or(|row| row.state.kind() == kind);
        if kind.is_settled() && was != Some(kind) && still {
            let latest = closed.entry(&after.report).or_insert(event);
            *latest = if event.revision > latest.revision { event } else { latest };
        }
    }
    for (report, event) in closed {
        let EventDetail::State { after, .. } = &event.detail else { continue };
        let who = if event.cause.is_some() { "the program".to_owned() } else { event.person.shown().into_owned() };
        lines.push(line(HandoverPart::Closed, report, after.state.kind(), who, Some(event.at)));
    }
    lines.sort_by(|one, other| {
        (one.part, &one.person, one.at, &one.report).cmp(&(other.part, &other.person, other.at, &other.report))
    });
    lines
}
