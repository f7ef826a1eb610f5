//! Domain values as records: their JSON (`assets/docs/commands.md`), and the cells of all other formats.
//!
//! Scripts rely on field names and their order.

use std::borrow::Cow;
use std::sync::LazyLock;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::audit::{self, Audit};
use crate::domain::event_log::LogEntry;
use crate::domain::export::{json, time_text};
use crate::domain::project::Project;
use crate::domain::report::check::{Check, CheckOutcome, Explanations, Importance, value_text};
use crate::domain::report::error_groups::error_lines;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::score;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::clean;
use crate::domain::triage::{Note, Triage};

static EXPLANATIONS: LazyLock<Explanations> = LazyLock::new(audit::explanations);

/// One value, for every format but JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellValue {
    /// A text, cleaned once it is in a record.
    Text(String),
    /// A time.
    Time(Timestamp),
}

impl CellValue {
    /// Returns the value for programs.
    pub fn exact(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Time(at) => Cow::Owned(time_text(*at)),
        }
    }
}

impl From<String> for CellValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for CellValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Option<Timestamp>> for CellValue {
    fn from(at: Option<Timestamp>) -> Self {
        at.map_or_else(|| Self::Text(String::new()), Self::Time)
    }
}

/// A record to print.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Raw values by name.
    pub json: Value,
    /// One cell per column, texts cleaned.
    pub cells: Vec<CellValue>,
    /// What caps the score, cleaned: `20: capped because the page answers with status 500`.
    pub reason: Option<String>,
    /// The checks for people, failed ones first.
    pub checks: Vec<CheckLine>,
}

/// A check of a printed report; all texts are cleaned.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckLine {
    pub outcome: CheckOutcome,
    pub id: String,
    pub importance: &'static str,
    /// How many points the score gains if the check passes; 0 if unknown.
    pub gain: u8,
    /// The findings, equal ones grouped, each with its indentation depth.
    pub errors: Vec<(usize, String)>,
    /// The measured value; empty if an error contains it.
    pub value: String,
    /// When the check passes, with its threshold; empty for an unknown check.
    pub passes_when: &'static str,
    /// The remedy for a failed check, if any.
    pub remedy: &'static str,
}

impl Record {
    /// Creates a record without checks, cleaning its cells.
    pub fn new(json: Value, cells: Vec<CellValue>) -> Self {
        let cleaned = |cell| match cell {
            CellValue::Text(text) => CellValue::Text(clean(&text).into_owned()),
            CellValue::Time(at) => CellValue::Time(at),
        };
        Self { json, cells: cells.into_iter().map(cleaned).collect(), reason: None, checks: Vec::new() }
    }

    /// Creates the record of a deleted report or project.
    pub fn deleted(id: &str) -> Self {
        Self::new(json!({ "id": id, "deleted": true }), vec![id.into(), "true".into()])
    }

    /// Creates the record of a report.
    pub fn report(report: &Report) -> Self {
        let cells = vec![
            report.id.shown().into(),
            report.url.shown().into(),
            report.project.shown().into(),
            report.outcome.name().into(),
            cell(report.score),
            report.generated_at.into(),
            cell(report.privacy.map(Privacy::name)),
            cell(report.has_password),
            cell(report.failing().map(|failing| names(&failing))),
        ];
        let mut fields = json::report(report, &EXPLANATIONS);
        let details = report.details.as_ref();
        if report.checks().is_none() && details.is_some_and(|details| details.sends_failed) {
            // `extra` stays the last field.
            let extra = fields.remove("extra");
            fields.insert("failed".into(), report.failed.iter().map(|id| &**id).collect());
            fields.extend(extra.map(|extra| ("extra".to_owned(), extra)));
        }
        let checks = report.checks().unwrap_or_default();
        let (reason, checks) = (reason(checks, report.score), check_lines(checks, report.score));
        Self { json: fields.into(), cells, reason, checks }
    }

    /// Creates the record of a report for chosen columns: its JSON has `failed` although the service sent all checks.
    pub fn report_for_columns(report: &Report) -> Self {
        let mut record = Self::report(report);
        record.json["failed"] = json::failed(report);
        record
    }

    /// Creates the record of an audit that is not stored: a report without an id.
    pub fn audit(audit: &Audit) -> Self {
        let at = rounded(audit.audited_at);
        let mut extra = Map::new();
        extra.insert("final_url".into(), audit.final_url.as_str().into());
        extra.insert("failure".into(), json!(audit.failure));
        let mut json = json!({
            "id": null,
            "url": audit.url.as_str(),
            "project": audit.project,
            "result": json::result(&audit.outcome),
            "score": audit.score,
            "generated_at": json::time(Some(at)),
            "privacy": null,
            "has_password": null,
        });
        if let Some(failure) = FetchFailure::of_checks(&audit.checks) {
            json["fetch_error"] = failure.name().into();
        }
        json["checks"] = audit.checks.iter().map(|check| json::check(check, &EXPLANATIONS)).collect();
        json["extra"] = extra.into();
        let (url, project) = (audit.url.as_str(), audit.project.as_str());
        let (word, score) = (audit.outcome.name(), audit.score.to_string());
        let texts = ["", url, project, word, &score].map(CellValue::from);
        let cells = texts.into_iter().chain([CellValue::Time(at), "".into(), "".into()]).collect();
        let (reason, checks) =
            (reason(&audit.checks, Some(audit.score)), check_lines(&audit.checks, Some(audit.score)));
        Self { reason, checks, ..Self::new(json, cells) }
    }

    /// Creates the record of a current or earlier result.
    pub fn result(at: Option<Timestamp>, outcome: &Outcome, score: Option<u8>, failed: Option<&[CheckId]>) -> Self {
        let json = json!({
            "generated_at": json::time(at),
            "result": json::result(outcome),
            "score": score,
            "failed": failed.map(|failed| failed.iter().map(|id| &**id).collect::<Vec<_>>()),
        });
        Self::new(json, vec![at.into(), outcome.name().into(), cell(score), cell(failed.map(names))])
    }

    /// Creates the record of a report's triage state.
    pub fn state(id: &ReportId, triage: &Triage) -> Self {
        let until = triage.state.until();
        let word = triage.state.kind().name();
        let json = json!({
            "id": id.raw(),
            "state": word,
            "set_at": json::time(Some(triage.set_at)),
            "until": json::time(until),
            "reason": triage.reason,
        });
        let reason = cell(triage.reason.as_ref());
        Self::new(json, vec![id.shown().into(), word.into(), Some(triage.set_at).into(), until.into(), reason])
    }

    /// Creates the record of a note. Without an author it was written on this machine.
    pub fn note(id: &ReportId, note: &Note) -> Self {
        let json = json!({
            "id": id.raw(),
            "written_at": json::time(Some(note.written_at)),
            "author": note.author,
            "text": note.text.raw(),
        });
        let (author, text) = (note.author.as_str().into(), note.text.shown().into());
        Self::new(json, vec![id.shown().into(), Some(note.written_at).into(), author, text])
    }

    /// Creates the record of an event. Without an author it happened on this machine.
    pub fn change(entry: &LogEntry) -> Self {
        let LogEntry { at, author, report, name, kind, before, after, detail, .. } = entry;
        let json = json!({
            "at": json::time(Some(*at)),
            "author": author,
            "kind": kind.name(),
            "id": report.as_ref().map(ReportId::raw),
            "name": name,
            "project": entry.project,
            "before": before,
            "after": after,
            "detail": detail,
        });
        let texts =
            [author.as_str(), kind.name(), report.as_ref().map_or("", ReportId::shown), name, before, after, detail];
        let cells = std::iter::once(CellValue::Time(*at)).chain(texts.map(CellValue::from));
        Self::new(json, cells.collect())
    }

    /// Creates the record of an address.
    pub fn link(url: &str) -> Self {
        Self::new(json!({ "url": url }), vec![url.into()])
    }

    /// Creates the record of a project.
    pub fn project(project: &Project) -> Self {
        let counts = [("good", project.good), ("decent", project.decent), ("bad", project.bad)];
        let mut fields = Map::new();
        fields.insert("project".into(), project.name.raw().into());
        fields.insert("created_at".into(), json::time(project.created_at));
        if let Some(reports) = project.reports {
            fields.insert("reports".into(), reports.into());
        }
        // Counts are not part of the API: if a service sends them, they go into `extra`.
        let sent = counts.iter().filter_map(|(name, count)| Some(((*name).to_owned(), json!((*count)?))));
        let extra: Map<String, Value> = sent.chain(project.extra.clone()).collect();
        fields.insert("extra".into(), extra.into());
        let mut cells = vec![project.name.shown().into(), cell(project.reports)];
        cells.extend(counts.map(|(_, count)| cell(count)));
        cells.push(project.created_at.into());
        Self::new(fields.into(), cells)
    }
}

fn names(ids: &[CheckId]) -> String {
    ids.iter().map(|id| &**id).collect::<Vec<_>>().join(" ")
}

fn cell(value: Option<impl ToString>) -> CellValue {
    value.map(|value| value.to_string()).unwrap_or_default().into()
}

/// Truncates to seconds.
fn rounded(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// Returns what caps the score; `None` if nothing does, or if our formula does not explain the score.
fn reason(checks: &[Check], given: Option<u8>) -> Option<String> {
    Some(format!("{}: {}", given?, score::cap_reason_of(checks, given)?))
}

fn check_lines(checks: &[Check], given: Option<u8>) -> Vec<CheckLine> {
    let gains = score::gains(checks, given).unwrap_or_else(|| vec![0; checks.len()]);
    let mut lines: Vec<(Importance, CheckLine)> =
        checks.iter().zip(gains).map(|(check, gain)| check_line(check, gain)).collect();
    lines.sort_by_key(|(importance, line)| (line.outcome, *importance, std::cmp::Reverse(line.gain)));
    lines.into_iter().map(|(_, line)| line).collect()
}

fn check_line(check: &Check, gain: u8) -> (Importance, CheckLine) {
    let known = EXPLANATIONS.get(check.id.raw());
    let importance = check.importance.or(known.map(|known| known.importance));
    let failed = check.outcome == CheckOutcome::Failed;
    let value = value_text(&check.value);
    let is_said = check.errors.iter().any(|error| error.shown().contains(&value));
    let line = CheckLine {
        outcome: check.outcome,
        id: check.id.shown().to_owned(),
        importance: importance.map_or("", Importance::name),
        gain,
        errors: error_lines(&check.errors),
        value: if is_said { String::new() } else { value },
        passes_when: known.map_or("", |known| known.passes_when),
        remedy: known.filter(|_| failed).map_or("", |known| known.remedy),
    };
    (importance.unwrap_or(Importance::Note), line)
}
