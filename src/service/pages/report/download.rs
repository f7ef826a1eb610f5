//! Downloads of a report: JSON for programs, CSV for spreadsheets. Both hold what the page shows, in English.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::checks::PageChecks;
use super::history::format_time;
use crate::audit::EXPLANATIONS;
use crate::domain::export::csv::escape_formula;
use crate::domain::report::check::{Check, Importance, value_text};
use crate::domain::report::score;
use crate::domain::text::{Text, clean};
use crate::service::handlers::errors::ErrorResponse;
use crate::service::pages::language::PageLanguage;
use crate::service::store::rows::{HistoryRow, ReportRow};
use crate::service::store::values;

/// The columns of the CSV; one line per check.
const COLUMNS: [&str; 10] =
    ["check", "title", "category", "importance", "outcome", "gain", "value", "errors", "passes_when", "remedy"];

/// The format of a downloaded report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum DownloadFormat {
    /// One JSON object.
    Json,
    /// RFC 4180 with a header line.
    Csv,
}

/// Builds the download of a report.
pub fn file(
    format: DownloadFormat,
    row: &ReportRow,
    checks: &[Check],
    former: &[HistoryRow],
) -> Result<Response, ErrorResponse> {
    let (kind, ending, body) = match format {
        DownloadFormat::Json => ("application/json", "json", json_text(row, checks, former)),
        DownloadFormat::Csv => {
            let text = csv_text(row, checks).map_err(|error| {
                tracing::error!(%error, report = row.id, "a CSV file could not be written");
                ErrorResponse::Internal
            });
            ("text/csv; charset=utf-8", "csv", text?)
        }
    };
    let name = format!("attachment; filename=\"report-{}.{ending}\"", row.id);
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::VARY, "Cookie"),
        (header::CONTENT_DISPOSITION, &name),
    ];
    Ok((headers, body).into_response())
}

fn json_text(row: &ReportRow, checks: &[Check], history: &[HistoryRow]) -> String {
    let page = PageChecks::new(checks, row.score, PageLanguage::english());
    let check = |(place, check): (usize, &Check)| {
        let known = EXPLANATIONS.get(check.id.raw());
        json!({
            "check": check.id.raw(),
            "title": known.map(|known| known.title),
            "category": check.category.as_ref().map(Text::raw),
            "importance": check.importance.map(Importance::name),
            "outcome": check.outcome.name(),
            "gain": page.gain(place),
            "value": check.value,
            "errors": check.errors.iter().map(Text::raw).collect::<Vec<_>>(),
            "passes_when": known.map(|known| known.passes_when),
            "source": known.map(|known| known.source),
            "remedy": known.map(|known| known.remedy),
        })
    };
    let former = |old: &HistoryRow| {
        json!({
            "generated_at": format_time(old.generated_at).0,
            "result": values::result_name(old.rank),
            "score": old.score,
            "failed": old.failed.lines().collect::<Vec<_>>(),
        })
    };
    let report = json!({
        "id": row.id,
        "url": row.url,
        "project": row.project,
        "generated_at": format_time(row.generated_at).0,
        "result": values::result_name(row.rank),
        "score": row.score,
        "failed": row.failed.lines().collect::<Vec<_>>(),
        "capped": page.capping().and_then(|_| score::cap_reason(checks)),
        "checks": checks.iter().enumerate().map(check).collect::<Vec<_>>(),
        "history": history.iter().map(former).collect::<Vec<_>>(),
    });
    report.to_string()
}

fn csv_text(row: &ReportRow, checks: &[Check]) -> anyhow::Result<String> {
    let page = PageChecks::new(checks, row.score, PageLanguage::english());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (place, check) in checks.iter().enumerate() {
        let known = EXPLANATIONS.get(check.id.raw());
        let errors: Vec<&str> = check.errors.iter().map(Text::shown).collect();
        let cells = [
            check.id.shown().to_owned(),
            known.map_or("", |known| known.title).to_owned(),
            clean(check.category.as_ref().map_or("", Text::raw)).into_owned(),
            check.importance.map_or("", Importance::name).to_owned(),
            check.outcome.name().to_owned(),
            page.gain(place).map(|gain| gain.to_string()).unwrap_or_default(),
            value_text(&check.value),
            errors.join("\n"),
            known.map_or("", |known| known.passes_when).to_owned(),
            known.map_or("", |known| known.remedy).to_owned(),
        ];
        writer.write_record(cells.iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::pages::report::checks::read;
    use crate::service::pages::report::tests::row;

    #[test]
    fn cells_that_a_spreadsheet_would_calculate_are_texts() {
        let stored =
            json!({ "=1+1": {"outcome": "failed", "category": "@x", "value": "-1", "errors": ["=cmd()", "b"]} });
        let checks = read(&stored.to_string()).unwrap();
        let text = csv_text(&row("https://shop.example/"), &checks).unwrap();
        assert_eq!(text.lines().next(), Some(&*COLUMNS.join(",")));
        assert!(text.contains("'=1+1,,'@x,,failed,,'-1,\"'=cmd()\nb\",,"), "{text}");
    }

    #[test]
    fn json_names_the_cap_the_gains_and_the_thresholds() {
        let errors = ["the page responds with status 500"];
        let passed = |weight: &str| json!({"outcome": "passed", "importance": weight, "category": "seo"});
        let stored = json!({
            "http_status": {"outcome": "failed", "importance": "high", "category": "seo", "value": 500, "errors": errors},
            "title": passed("high"), "robots": passed("high"), "noindex": passed("high"),
        });
        let mut row = row("https://shop.example/");
        row.score = 20;
        let checks = read(&stored.to_string()).unwrap();
        let report: serde_json::Value = serde_json::from_str(&json_text(&row, &checks, &[])).unwrap();
        assert_eq!(report["capped"], "capped because the page responds with status 500");
        let status = report["checks"].as_array().unwrap().iter().find(|check| check["check"] == "http_status").unwrap();
        assert_eq!((&status["gain"], &status["value"]), (&json!(80), &json!(500)));
        assert!(status["passes_when"].as_str().is_some_and(|text| text.contains("200 to 299")));
    }
}
