//! The JSON of reports, projects and stored results.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::api::contract::field;
use crate::domain::report::check::{Check, CheckOutcome, Importance};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::Text;

use super::errors::ErrorResponse;
use crate::service::audits::page_auditor::AuditResult;
use crate::service::store::rows::{AuditRecord, HistoryRow, ProjectRow, ReportCounts, ReportRow};
use crate::service::store::values;

/// A report as in a list, with the ids of failed checks; a single one also with its check results and earlier results.
#[derive(Serialize)]
pub struct ReportJson<'a> {
    id: i64,
    url: &'a str,
    project: &'a str,
    result: &'static str,
    score: i64,
    generated_at: Time,
    created_at: Time,
    updated_at: Time,
    privacy: u8,
    password: bool,
    failed: Vec<&'a str>,
    fetch_error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<FormerResultJson<'a>>>,
}

/// An earlier result of a report.
#[derive(Serialize)]
pub struct FormerResultJson<'a> {
    generated_at: Time,
    result: &'static str,
    score: i64,
    failed: Vec<&'a str>,
}

/// A project in a list.
#[derive(Serialize)]
pub struct ProjectJson<'a> {
    project: &'a str,
    created_at: Time,
    reports: i64,
    good: i64,
    decent: i64,
    bad: i64,
}

/// A time in Unix milliseconds, written as RFC 3339 in UTC with milliseconds.
struct Time(i64);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.3}", values::time(self.0)))
    }
}

impl<'a> ReportJson<'a> {
    /// Returns a report as in a list.
    pub fn listed(row: &'a ReportRow) -> Self {
        Self {
            id: row.id,
            url: &row.url,
            project: &row.project,
            result: values::result_name(row.rank),
            score: row.score,
            generated_at: Time(row.generated_at),
            created_at: Time(row.created_at),
            updated_at: Time(row.updated_at),
            privacy: row.privacy,
            password: row.has_password,
            failed: row.failed.lines().collect(),
            fetch_error: row.fetch_error.as_deref(),
            results: None,
            history: None,
        }
    }

    /// Returns a single report with its stored results, given as JSON text, and its earlier results.
    pub fn single(row: &'a ReportRow, results: &str, former: &'a [HistoryRow]) -> Result<Self, ErrorResponse> {
        let results = serde_json::from_str(results).map_err(|error| {
            tracing::error!(%error, "stored results are not JSON");
            ErrorResponse::Internal
        })?;
        let history = former.iter().map(FormerResultJson::of).collect();
        Ok(Self { results: Some(results), history: Some(history), ..Self::listed(row) })
    }
}

impl<'a> FormerResultJson<'a> {
    /// Returns an earlier result.
    pub fn of(row: &'a HistoryRow) -> Self {
        Self {
            generated_at: Time(row.generated_at),
            result: values::result_name(row.rank),
            score: row.score,
            failed: row.failed.lines().collect(),
        }
    }
}

impl<'a> ProjectJson<'a> {
    /// Returns a project as in a list.
    pub fn of(row: &'a ProjectRow) -> Self {
        let ReportCounts { reports, good, decent, bad } = row.counts;
        Self { project: &row.name, created_at: Time(row.created_at), reports, good, decent, bad }
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
        rank: values::rank_of_score(audited.score),
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
        assert_eq!(serde_json::to_value(Time(1_795_269_720_007)).unwrap(), "2026-11-21T14:02:00.007Z");
    }
}
