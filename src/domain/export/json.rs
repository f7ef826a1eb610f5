//! The JSON of a report, the same on the command line and in exported files; a stable format for scripts.
//!
//! Values are raw; control characters are escaped on writing.

use std::io::{self, Write};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::field::ExportField;
use super::formats::time_text;
use super::request::ExportRequest;
use crate::domain::report::Report;
use crate::domain::report::check::{Check, Explanations, Importance};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::report_state::ReportState;
use crate::domain::text::{Text, escape_json};
use crate::domain::triage::Note;
use crate::domain::triage::urgency::points;

/// Builds the JSON object of a report, with fields in a fixed order.
pub fn report(report: &Report, explanations: &Explanations) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("id".into(), report.id.raw().into());
    fields.insert("url".into(), report.url.raw().into());
    fields.insert("project".into(), report.project.raw().into());
    fields.insert("result".into(), json!(report.outcome.sent()));
    fields.insert("score".into(), json!(report.score));
    fields.insert("generated_at".into(), time(report.generated_at));
    fields.insert("privacy".into(), json!(report.privacy.map(Privacy::name)));
    fields.insert("has_password".into(), json!(report.has_password));
    if let Some(failure) = report.fetch_failure {
        fields.insert("fetch_error".into(), failure.name().into());
    }
    if let Some(checks) = report.checks() {
        fields.insert("checks".into(), checks.iter().map(|one| check(one, explanations)).collect());
    }
    if !report.history().is_empty() {
        fields.insert("history".into(), report.history().iter().map(result).collect());
    }
    let extra = report.details.as_ref().map(|details| details.extra.clone()).unwrap_or_default();
    fields.insert("extra".into(), extra.into());
    fields
}

/// Builds the JSON of a check; category and importance missing from the service are filled in from `explanations`.
pub fn check(check: &Check, explanations: &Explanations) -> Value {
    let known = explanations.get(check.id.raw());
    let category = check.category.as_ref().map(Text::raw).or(known.map(|known| known.category));
    json!({
        "id": check.id.raw(),
        "category": category,
        "importance": check.known_importance(explanations).map(Importance::name),
        "outcome": check.outcome.name(),
        "value": check.value,
        "errors": check.errors.iter().map(Text::raw).collect::<Vec<_>>(),
    })
}

/// RFC 3339 in UTC, or null.
pub fn time(at: Option<Timestamp>) -> Value {
    json!(at.map(time_text))
}

/// A note; `author` is empty for the user of this machine.
fn note(note: &Note) -> Value {
    json!({ "written_at": time(Some(note.written_at)), "author": note.author, "text": note.text.raw() })
}

/// A current or earlier result of a report.
pub fn result(result: &ReportState) -> Value {
    json!({
        "generated_at": time(result.generated_at),
        "result": result.outcome.sent(),
        "score": result.score,
        "failed": result.failing.as_ref().map(|ids| ids.iter().map(|id| &**id).collect::<Vec<_>>()),
    })
}

/// Returns the ids of the failing checks; null if unknown.
pub fn failed(report: &Report) -> Value {
    report.failing().map_or(Value::Null, |ids| ids.iter().map(|id| &**id).collect())
}

/// Writes one array of complete reports, whatever the columns. `failed` is added if the column is shown and the report
/// came without checks.
pub(super) fn write(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    let around = &request.around;
    let with_failed = fields.contains(&ExportField::FailedChecks);
    let mut before = "[\n";
    for row in request.reports() {
        let mut object = report(row, &around.explanations);
        if with_failed && row.checks().is_none() {
            object.insert("failed".into(), failed(row));
        }
        if fields.contains(&ExportField::Urgency) {
            object.insert("work".into(), points(row, around).into());
        }
        object.insert("state".into(), around.triages.kind(&row.id).name().into());
        object.insert("notes".into(), around.notes.of(&row.id).iter().map(note).collect());
        let former = around.results_before.get(&row.id);
        object.insert("before".into(), json!(former.map(|was| json!({ "result": was.result, "score": was.score }))));
        write!(out, "{before}{}", escape_json(&serde_json::to_string(&object)?))?;
        before = ",\n";
    }
    out.write_all(if before == "[\n" { b"[]\n" } else { b"\n]\n" })
}

#[cfg(test)]
mod tests {
    use super::super::formats::time_text;

    #[test]
    fn a_time_keeps_its_trailing_zeros() {
        for (sent, expected) in [
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
            ("2026-01-02T03:04:05.120Z", "2026-01-02T03:04:05.120Z"),
            ("2026-01-02T03:04:05.1234Z", "2026-01-02T03:04:05.123400Z"),
            ("2026-01-02T03:04:05.000000001Z", "2026-01-02T03:04:05.000000001Z"),
        ] {
            assert_eq!(time_text(sent.parse().unwrap()), expected);
        }
    }
}
