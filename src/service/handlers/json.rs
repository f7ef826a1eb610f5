//! The JSON of reports, projects and stored results.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::api::contract::field;
use crate::domain::report::check::{Check, CheckOutcome, Importance};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::Text;

use super::errors::ErrorResponse;
use crate::service::audits::page_auditor::AuditResult;
use crate::service::store::rows::{AuditRecord, HistoryRow, ProjectRow, ReportRow};
use crate::service::store::values;

/// A report in a list, with the ids of failed checks.
pub struct ReportListItem<'a>(pub &'a ReportRow);

/// A single report with all check results.
pub struct ReportDetails {
    row: ReportRow,
    results: Value,
    former: Vec<HistoryRow>,
}

/// An earlier result of a report.
pub struct FormerResultJson<'a>(pub &'a HistoryRow);

/// A project in a list.
pub struct ProjectListItem<'a>(pub &'a ProjectRow);

impl ReportDetails {
    /// Combines a row with its stored results, given as JSON text.
    pub fn new(row: ReportRow, results: &str, former: Vec<HistoryRow>) -> Result<Self, ErrorResponse> {
        let results = serde_json::from_str(results).map_err(|error| {
            tracing::error!(%error, "stored results are not JSON");
            ErrorResponse::Internal
        })?;
        Ok(Self { row, results, former })
    }
}

impl Serialize for ReportListItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_row(&mut map, self.0)?;
        map.end()
    }
}

impl Serialize for ReportDetails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_row(&mut map, &self.row)?;
        map.serialize_entry(field::RESULTS, &self.results)?;
        let former: Vec<FormerResultJson<'_>> = self.former.iter().map(FormerResultJson).collect();
        map.serialize_entry(field::HISTORY, &former)?;
        map.end()
    }
}

fn write_row<M: SerializeMap>(map: &mut M, row: &ReportRow) -> Result<(), M::Error> {
    map.serialize_entry(field::ID, &row.id)?;
    map.serialize_entry(field::URL, &row.url)?;
    map.serialize_entry(field::PROJECT, &row.project)?;
    map.serialize_entry(field::RESULT, values::result_name(row.rank))?;
    map.serialize_entry(field::SCORE, &row.score)?;
    map.serialize_entry(field::GENERATED_AT, &Rfc3339(row.generated_at))?;
    map.serialize_entry(field::CREATED_AT, &Rfc3339(row.created_at))?;
    map.serialize_entry(field::UPDATED_AT, &Rfc3339(row.updated_at))?;
    map.serialize_entry(field::PRIVACY, &row.privacy)?;
    map.serialize_entry(field::PASSWORD, &row.has_password)?;
    map.serialize_entry(field::FAILED, &Lines(&row.failed))?;
    map.serialize_entry(field::FETCH_ERROR, &row.fetch_error)
}

impl Serialize for FormerResultJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry(field::GENERATED_AT, &Rfc3339(self.0.generated_at))?;
        map.serialize_entry(field::RESULT, values::result_name(self.0.rank))?;
        map.serialize_entry(field::SCORE, &self.0.score)?;
        map.serialize_entry(field::FAILED, &Lines(&self.0.failed))?;
        map.end()
    }
}

impl Serialize for ProjectListItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ProjectRow { name, created_at, counts, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(field::PROJECT, name)?;
        map.serialize_entry(field::CREATED_AT, &Rfc3339(*created_at))?;
        map.serialize_entry(field::REPORTS, &counts.reports)?;
        map.serialize_entry(field::GOOD, &counts.good)?;
        map.serialize_entry(field::DECENT, &counts.decent)?;
        map.serialize_entry(field::BAD, &counts.bad)?;
        map.end()
    }
}

/// A timestamp in Unix milliseconds, serialised as RFC 3339 UTC with milliseconds.
struct Rfc3339(i64);

impl Serialize for Rfc3339 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.3}", values::time(self.0)))
    }
}

/// A text serialised as a list of its lines.
struct Lines<'a>(&'a str);

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.lines())
    }
}

/// Converts an audit's result to its stored form.
pub fn findings(audited: &AuditResult) -> AuditRecord {
    let failed = audited.checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
    let failed: Vec<&str> = failed.map(|check| check.id.raw()).collect();
    let results: Map<String, Value> =
        audited.checks.iter().map(|check| (check.id.raw().to_owned(), result(check))).collect();
    AuditRecord {
        project: audited.project.clone(),
        rank: values::rank(&audited.outcome, audited.score),
        score: audited.score.min(100),
        failed: failed.join("\n"),
        fetch_failure: FetchFailure::of_checks(&audited.checks),
        checks: Value::Object(results).to_string(),
    }
}

/// Returns the JSON of one check.
fn result(check: &Check) -> Value {
    let passed = match check.outcome {
        CheckOutcome::Passed => Some(true),
        CheckOutcome::Failed => Some(false),
        CheckOutcome::Note | CheckOutcome::NotApplicable => None,
    };
    let errors: Vec<&str> = check.errors.iter().map(Text::raw).collect();
    json!({
        field::PASSED: passed,
        field::IMPORTANCE: check.importance.map(Importance::name),
        field::CATEGORY: check.category.as_ref().map(Text::raw),
        field::OUTCOME: check.outcome.name(),
        field::VALUE: check.value,
        field::ERRORS: errors,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_milliseconds() {
        assert_eq!(serde_json::to_value(Rfc3339(1_795_269_720_007)).unwrap(), "2026-11-21T14:02:00.007Z");
    }
}
