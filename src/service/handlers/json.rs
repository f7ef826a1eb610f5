//! The JSON of reports, projects and stored results.

use serde_json::{Map, Value, json};

use crate::api::contract::field;
use crate::domain::report::check::{Check, CheckOutcome, Importance};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::Text;

use super::errors::ErrorResponse;
use crate::service::audits::page_auditor::AuditResult;
use crate::service::store::rows::{AuditRecord, HistoryRow, ProjectRow, ReportRow};
use crate::service::store::values;

/// Returns a report as in a list, with the ids of failed checks.
pub fn report(row: &ReportRow) -> Value {
    json!({
        field::ID: row.id,
        field::URL: row.url,
        field::PROJECT: row.project,
        field::RESULT: values::result_name(row.rank),
        field::SCORE: row.score,
        field::GENERATED_AT: time(row.generated_at),
        field::CREATED_AT: time(row.created_at),
        field::UPDATED_AT: time(row.updated_at),
        field::PRIVACY: row.privacy,
        field::PASSWORD: row.has_password,
        field::FAILED: lines(&row.failed),
        field::FETCH_ERROR: row.fetch_error,
    })
}

/// Returns a single report with its stored results, given as JSON text, and its earlier results.
pub fn report_details(row: &ReportRow, results: &str, former: &[HistoryRow]) -> Result<Value, ErrorResponse> {
    let results = serde_json::from_str(results).map_err(|error| {
        tracing::error!(%error, "stored results are not JSON");
        ErrorResponse::Internal
    })?;
    let mut details = report(row);
    details[field::RESULTS] = results;
    details[field::HISTORY] = former.iter().map(former_result).collect();
    Ok(details)
}

/// Returns an earlier result of a report.
pub fn former_result(row: &HistoryRow) -> Value {
    json!({
        field::GENERATED_AT: time(row.generated_at),
        field::RESULT: values::result_name(row.rank),
        field::SCORE: row.score,
        field::FAILED: lines(&row.failed),
    })
}

/// Returns a project as in a list.
pub fn project(row: &ProjectRow) -> Value {
    json!({
        field::PROJECT: row.name,
        field::CREATED_AT: time(row.created_at),
        field::REPORTS: row.counts.reports,
        field::GOOD: row.counts.good,
        field::DECENT: row.counts.decent,
        field::BAD: row.counts.bad,
    })
}

/// Formats Unix milliseconds as RFC 3339 in UTC with milliseconds.
fn time(milliseconds: i64) -> String {
    format!("{:.3}", values::time(milliseconds))
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
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
        assert_eq!(time(1_795_269_720_007), "2026-11-21T14:02:00.007Z");
    }
}
