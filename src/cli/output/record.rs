//! Domain values as records: their JSON (`assets/docs/commands.md`), and the cells of all other formats.
//!
//! Scripts rely on field names and their order.

use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::audit::{Audit, EXPLANATIONS};
use crate::domain::desk::Handle;
use crate::domain::event_log::LogEntry;
use crate::domain::export::json;
use crate::domain::project::Project;
use crate::domain::report::check::{Check, CheckOutcome, Importance, value_text};
use crate::domain::report::error_groups::error_lines;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::score;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::clean;
use crate::domain::triage::{Note, Triage};

/// A record to print: its JSON, whose values are the cells of all other formats.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Raw values by name.
    pub json: Value,
    /// The cells that differ from the value of that name.
    cells: Vec<(&'static str, String)>,
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
    /// Creates a record without checks.
    pub fn new(json: Value) -> Self {
        Self { json, ..Self::default() }
    }

    /// Sets the cells that differ from the value of that name.
    #[must_use]
    pub fn with_cells(self, cells: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { cells: cells.into_iter().collect(), ..self }
    }

    /// Returns the cell of a column, cleaned.
    pub fn cell(&self, column: &str) -> Cow<'_, str> {
        if let Some((_, text)) = self.cells.iter().find(|(name, _)| *name == column) {
            return clean(text);
        }
        match &self.json[column] {
            Value::Null => "".into(),
            Value::String(text) => clean(text),
            Value::Array(texts) => {
                let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
                clean(&texts.join(" ")).into_owned().into()
            }
            value => value.to_string().into(),
        }
    }

    /// Creates the record of a deleted report or project.
    pub fn deleted(id: &str) -> Self {
        Self::new(json!({ "id": id, "deleted": true }))
    }

    /// Creates the record of a report.
    pub fn report(report: &Report) -> Self {
        let mut fields = json::report(report, &EXPLANATIONS);
        if report.checks().is_none() && report.failed.known().is_some() {
            // `extra` stays the last field.
            let extra = fields.remove("extra");
            fields.insert("failed".into(), report.failed.iter().map(|id| &**id).collect());
            fields.extend(extra.map(|extra| ("extra".to_owned(), extra)));
        }
        let checks = report.checks().unwrap_or_default();
        let (reason, checks) = (reason(checks, report.score), check_lines(checks, report.score));
        let cells = vec![("result", report.outcome.name().to_owned())];
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
        let mut json = json!({
            "id": null,
            "url": audit.url.as_str(),
            "project": audit.project,
            "result": audit.outcome.sent(),
            "score": audit.score,
            "generated_at": json::time(Some(at)),
            "privacy": null,
            "has_password": null,
        });
        if let Some(failure) = FetchFailure::of_checks(&audit.checks) {
            json["fetch_error"] = failure.name().into();
        }
        json["checks"] = audit.checks.iter().map(|check| json::check(check, &EXPLANATIONS)).collect();
        json["extra"] = json!({ "final_url": audit.final_url.as_str(), "failure": audit.failure });
        let (reason, checks) =
            (reason(&audit.checks, Some(audit.score)), check_lines(&audit.checks, Some(audit.score)));
        Self { reason, checks, ..Self::new(json) }
    }

    /// Creates the record of a current or earlier result.
    pub fn result(result: &ReportState) -> Self {
        Self::new(json::result(result)).with_cells([("result", result.outcome.name().to_owned())])
    }

    /// Creates the record of a report's triage state.
    pub fn state(id: &ReportId, triage: &Triage, holder: Option<&Handle>) -> Self {
        Self::new(json!({
            "id": id.raw(),
            "state": triage.state.kind().name(),
            "holder": holder.map(Handle::as_str),
            "set_at": json::time(Some(triage.set_at)),
            "until": json::time(triage.state.until()),
            "reason": triage.reason,
        }))
    }

    /// Creates the record of a note. Without an author it was written on this machine.
    pub fn note(id: &ReportId, note: &Note) -> Self {
        Self::new(json!({
            "id": id.raw(),
            "written_at": json::time(Some(note.written_at)),
            "author": note.author,
            "text": note.text.raw(),
        }))
    }

    /// Creates the record of an event. Without an author it happened on this machine.
    pub fn change(entry: &LogEntry) -> Self {
        Self::new(json!({
            "at": json::time(Some(entry.at)),
            "author": entry.author,
            "kind": entry.kind.name(),
            "id": entry.report.as_ref().map(ReportId::raw),
            "name": entry.name,
            "project": entry.project,
            "before": entry.before,
            "after": entry.after,
            "detail": entry.detail,
        }))
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
        let sent = counts.iter().filter_map(|(name, count)| Some(((*name).to_owned(), json!((*count)?))));
        fields.extend(sent.clone());
        // Repeated here, where scripts of earlier versions look for them.
        fields.insert("extra".into(), sent.chain(project.extra.clone()).collect());
        Self::new(fields.into())
    }
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
    let listed = score::listed(checks, given, &EXPLANATIONS);
    listed.into_iter().map(|(check, gain)| check_line(check, gain)).collect()
}

fn check_line(check: &Check, gain: u8) -> CheckLine {
    let known = EXPLANATIONS.get(check.id.raw());
    let failed = check.outcome == CheckOutcome::Failed;
    let value = value_text(&check.value);
    let is_said = check.errors.iter().any(|error| error.shown().contains(&value));
    CheckLine {
        outcome: check.outcome,
        id: check.id.shown().to_owned(),
        importance: check.known_importance(&EXPLANATIONS).map_or("", Importance::name),
        gain,
        errors: error_lines(&check.errors),
        value: if is_said { String::new() } else { value },
        passes_when: known.map_or("", |known| known.passes_when),
        remedy: known.filter(|_| failed).map_or("", |known| known.remedy),
    }
}
