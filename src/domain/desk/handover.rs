//! The hand-over of a shift: what is open and with whom, what waits, what comes back, what was closed.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::content::DeskContent;
use super::event::{DeskEvent, EventDetail};
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::{State, StateKind};

/// A part of a hand-over. The order is that in which it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HandoverPart {
    /// Bad, open, and with nobody.
    Free,
    /// Open, and with somebody.
    Held,
    /// Waiting for somebody, or for the next audit.
    Waiting,
    /// A snooze that ends during the next shift.
    Returning,
    /// Settled during this one.
    Closed,
}

impl HandoverPart {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Held => "held",
            Self::Waiting => "waiting",
            Self::Returning => "returning",
            Self::Closed => "closed",
        }
    }
}

/// One report of a hand-over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoverLine {
    /// The part.
    pub part: HandoverPart,
    /// The report.
    pub report: ReportId,
    /// Its URL as it may be shown; empty where the report was not read.
    pub url: String,
    /// Its state.
    pub state: StateKind,
    /// Who holds it, or who closed it; empty for nobody.
    pub person: String,
    /// Since when; of a snooze, until when.
    pub at: Option<Timestamp>,
    /// The last note.
    pub note: String,
}

/// What a shift of this length hands over: reports as they were read, the desk, and its events since the shift began.
pub fn handover(
    reports: &[Report],
    desk: &DeskContent,
    events: &[DeskEvent],
    (now, shift): (Timestamp, SignedDuration),
) -> Vec<HandoverLine> {
    let urls: HashMap<&ReportId, &str> = reports.iter().map(|report| (&report.id, report.short_url())).collect();
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
        let (part, at) = match row.state {
            State::New | State::Looking if !person.is_empty() => (HandoverPart::Held, row.set_at),
            State::New | State::Looking if is_bad => (HandoverPart::Free, row.set_at),
            State::Waiting | State::ToVerify => (HandoverPart::Waiting, row.set_at),
            State::Snoozed { until } if until <= end => (HandoverPart::Returning, until),
            State::New | State::Looking | State::Snoozed { .. } | State::WontFix | State::Done => continue,
        };
        lines.push(line(part, &row.report, row.state.kind(), person, Some(at)));
    }
    let begun = now.saturating_sub(shift).unwrap_or(Timestamp::MIN);
    for event in events.iter().filter(|event| event.at >= begun) {
        let EventDetail::State { before, after } = &event.detail else { continue };
        let kind = after.state.kind();
        let was = before.as_deref().map(|row| row.state.kind());
        if matches!(kind, StateKind::Done | StateKind::WontFix) && was != Some(kind) {
            let by = event.person.shown();
            let who = if event.cause.is_some() { "the program".to_owned() } else { by.to_owned() };
            lines.push(line(HandoverPart::Closed, &after.report, kind, who, Some(event.at)));
        }
    }
    lines.sort_by(|one, other| {
        (one.part, &one.person, one.at, &one.report).cmp(&(other.part, &other.person, other.at, &other.report))
    });
    lines
}
