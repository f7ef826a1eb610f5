//! The timeline of one report: audits and actions, latest first.

use jiff::Timestamp;

use super::line::{audit_text, state_text};
use super::{LogEntry, LogKind, MOST_NAMES};
use crate::domain::report::Report;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::triage::Note;

/// An event of a report's timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineItem {
    /// When; `None` if the service did not report the time of the audit.
    pub at: Option<Timestamp>,
    /// The result of the audit, if the item is one.
    pub outcome: Option<Outcome>,
    /// What happened and who did it.
    pub text: String,
}

/// Builds the timeline of a report from the service's history, log entries and notes. Empty while only the present
/// audit is known, which the pane shows above.
pub fn timeline(report: &Report, entries: &[LogEntry], notes: &[Note]) -> Vec<TimelineItem> {
    if report.history().is_empty() && entries.is_empty() && notes.is_empty() {
        return Vec::new();
    }
    let present = report.state();
    // Latest first.
    let audits: Vec<&ReportState> = std::iter::once(&present).chain(report.history()).collect();
    let is_known = |at: Option<Timestamp>| at.is_some() && audits.iter().any(|audit| audit.generated_at == at);
    let by_log = |at: Option<Timestamp>| entries.iter().find(|entry| at.is_some() && entry.audited_at == at);
    let mut items: Vec<TimelineItem> = audits
        .iter()
        .enumerate()
        .map(|(place, audit)| {
            let entry = by_log(audit.generated_at);
            let older = audits.get(place + 1);
            let flips = older.and_then(|older| older.flips(audit));
            // Checks of a page that could not be fetched are not compared.
            let failure = report.fetch_failure.filter(|_| place == 0).map(FetchFailure::sentence);
            let logged = entry.map(|entry| entry.detail.clone()).filter(|detail| !detail.is_empty());
            let flips = failure.or(logged).or_else(|| flips.map(|flips| flips.in_words(MOST_NAMES)));
            let before = older.map(|older| older.verdict()).or_else(|| entry.map(|entry| entry.before.clone()));
            let verb = entry.map_or_else(|| "audited".to_owned(), verb);
            let text = audit_text(&before.unwrap_or_default(), &audit.verdict(), &flips.unwrap_or_default());
            TimelineItem {
                at: audit.generated_at,
                outcome: Some(audit.outcome.clone()),
                text: format!("{verb}: {text}"),
            }
        })
        .collect();
    items.extend(entries.iter().filter(|entry| !is_known(entry.audited_at)).map(of_entry));
    items.extend(notes.iter().map(of_note));
    items.sort_by_key(|item| std::cmp::Reverse(item.at));
    items
}

fn who(author: &str) -> &str {
    if author.is_empty() { "you" } else { author }
}

/// The verb, with the author, of an entry about an audit.
fn verb(entry: &LogEntry) -> String {
    match entry.kind {
        LogKind::Created => format!("{} created it", who(&entry.author)),
        LogKind::Rerun => format!("{} re-ran it", who(&entry.author)),
        LogKind::Audited
        | LogKind::Privacy
        | LogKind::Password
        | LogKind::State
        | LogKind::Assigned
        | LogKind::Dropped
        | LogKind::Note
        | LogKind::Deleted
        | LogKind::ProjectDeleted => "audited".to_owned(),
    }
}

fn of_entry(entry: &LogEntry) -> TimelineItem {
    let LogEntry { author, before, after, detail, kind, .. } = entry;
    let is_audit = matches!(kind, LogKind::Created | LogKind::Rerun | LogKind::Audited);
    let outcome = is_audit.then(|| Outcome::from_verdict(after).0);
    let author = who(author);
    let text = match kind {
        LogKind::Created | LogKind::Rerun | LogKind::Audited => {
            format!("{}: {}", verb(entry), audit_text(before, after, detail))
        }
        LogKind::Privacy if before.is_empty() => format!("{author} set privacy {after}"),
        LogKind::Privacy => format!("{author} changed privacy: {before} → {after}"),
        LogKind::Password => format!("{author} set a new password"),
        LogKind::State if detail.is_empty() => format!("{author} set {}", state_text(after)),
        LogKind::State => detail.clone(),
        LogKind::Assigned if after.is_empty() => format!("{author} unassigned it from {before}"),
        LogKind::Assigned => format!("{author} assigned it to {after}"),
        LogKind::Dropped if after.is_empty() => format!("{author} dropped “{before}”"),
        LogKind::Dropped => format!("{author} dropped “{before}”, kept “{after}”"),
        LogKind::Note => format!("{author} noted: {detail}"),
        LogKind::Deleted | LogKind::ProjectDeleted => format!("{author} deleted it"),
    };
    TimelineItem { at: Some(entry.audited_at.unwrap_or(entry.at)), outcome, text }
}

fn of_note(note: &Note) -> TimelineItem {
    let text = format!("{} noted: {}", who(&note.author), note.text);
    TimelineItem { at: Some(note.written_at), outcome: None, text }
}
