//! Responses of services (lists, paging data, base URLs), and the files exported from them.

use std::collections::HashSet;
use std::sync::Arc;

use reportdeck::api::address::BaseUrl;
use reportdeck::api::decode::{self, RowDetail, envelope, readable};
use reportdeck::api::paging::next_page;
use reportdeck::domain::export::request::ExportRequest;
use reportdeck::domain::export::{self, FileFormat};
use reportdeck::domain::list::columns::Column;
use reportdeck::domain::list::interner::Interner;
use reportdeck::domain::list::paging::{MOST_ROWS, Next, NextStep, Walk};
use reportdeck::domain::report::Report;
use reportdeck::domain::text::is_invisible;
use serde_json::Value;
use strum::IntoEnumIterator as _;

/// More pages than paging requests when every response is the same.
const MOST_PAGES: usize = 3;

fn json(bytes: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(bytes);
    let strict = serde_json::from_str::<Value>(&text);
    let lenient = serde_json::from_str::<Value>(&readable(&text));
    if let Ok(strict) = &strict {
        assert_eq!(lenient.as_ref().ok(), Some(strict), "harmless data was changed");
    }
    strict.or(lenient).ok()
}

#[track_caller]
pub fn harmless(text: &str) {
    assert!(!text.chars().any(|letter| letter.is_control() || is_invisible(letter)), "{}", text.escape_debug());
}

fn reports(bytes: &[u8]) -> Vec<Report> {
    let Some(root) = json(bytes) else { return Vec::new() };
    let single = envelope::single(root.clone());
    let rows = envelope::rows(root).map(|(rows, _)| rows).unwrap_or_default();
    let fields = rows.iter().filter_map(Value::as_object).chain(&single);
    fields.filter_map(|fields| decode::report(fields, RowDetail::Everything, &mut Interner::default())).collect()
}

pub fn lists(bytes: &[u8]) {
    for report in reports(bytes) {
        for text in [report.id.shown(), report.url.shown(), report.project.shown(), report.outcome.name()] {
            harmless(text);
        }
        assert!(report.score.is_none_or(|score| score <= 100));
        for check in report.checks().unwrap_or_default() {
            harmless(check.id.shown());
            check.errors.iter().for_each(|error| harmless(error.shown()));
        }
        let _ = (report.short_url(), report.web_url(), report.failing(), report.flips(None));
    }
    let rows = json(bytes).and_then(envelope::rows).map(|(rows, _)| rows).unwrap_or_default();
    for project in rows.into_iter().filter_map(decode::project) {
        harmless(project.name.shown());
    }
}

/// Identical responses for every page end the paging.
pub fn paging(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let root = json(bytes);
    let rows = root.clone().and_then(envelope::rows).map_or(0, |(rows, _)| rows.len());
    let next = next_page(root.as_ref().and_then(Value::as_object), Some(&text), rows);
    let mut walk = Walk::capped(MOST_ROWS);
    let steps = (0..).map(|page| walk.after_page(&next, rows, if page == 0 { rows } else { 0 }));
    let asked = steps.take_while(|step| matches!(step, NextStep::Ask(_))).count();
    assert!(asked <= MOST_PAGES, "{asked} pages of the same response");
    // New rows with the same token end the paging too.
    if !matches!(next, Next::NoEvidence) {
        let mut walk = Walk::capped(MOST_ROWS);
        let steps = (0..).map(|_| walk.after_page(&next, 1, 1));
        assert!(steps.take_while(|step| matches!(step, NextStep::Ask(_))).count() <= MOST_PAGES);
    }
}

pub fn address(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match BaseUrl::parse(&text, false) {
        Ok(base) => {
            harmless(&base.host());
            assert!(base.as_str().starts_with("https://") || base.is_loopback(), "{}", base.as_str());
            assert_eq!(BaseUrl::parse(base.as_str(), false).unwrap().as_str(), base.as_str());
            let parts: HashSet<_> = ["a", "%2e%2e", "..", "a/b"].iter().filter_map(|id| base.endpoint(id)).collect();
            assert!(parts.iter().all(|url| base.is_same_origin(url)));
        }
        Err(failure) => harmless(&failure.to_string()),
    }
}

pub fn exports(bytes: &[u8]) {
    let rows = reports(bytes);
    let filter: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
    let request = ExportRequest {
        rows: Arc::new(rows.iter().cloned().collect()),
        places: (0..).take(rows.len()).collect(),
        columns: Column::iter().collect(),
        service: filter.clone(),
        filter,
        ..ExportRequest::default()
    };
    for format in FileFormat::iter() {
        let mut written = Vec::new();
        export::write(&request, format, &mut written).unwrap();
        let written = String::from_utf8(written).unwrap();
        let acts = |letter: char| (letter.is_control() && letter != '\n') || is_invisible(letter);
        assert!(!written.chars().any(acts), "{}", written.escape_debug());
        match format {
            FileFormat::Csv => {
                let mut reader = csv::Reader::from_reader(written.as_bytes());
                let read: Vec<_> = reader.records().map(Result::unwrap).collect();
                assert_eq!(read.len(), rows.len());
                let formula = |cell: &str| cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
                assert!(!read.iter().flatten().any(formula), "{written}");
            }
            FileFormat::Json => {
                let read: Vec<Value> = serde_json::from_str(&written).unwrap();
                let ids: Vec<_> = rows.iter().map(|row| row.id.raw()).collect();
                assert_eq!(read.iter().map(|row| row["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
                let urls: Vec<_> = rows.iter().map(|row| row.url.raw()).collect();
                assert_eq!(read.iter().map(|row| row["url"].as_str().unwrap()).collect::<Vec<_>>(), urls);
            }
            FileFormat::Markdown => {
                let cells = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
                let table: Vec<usize> = written.lines().skip(4).map(cells).collect();
                assert_eq!(table.len(), rows.len() + 2, "{written}");
                assert!(table.iter().all(|count| *count == table[0]), "{written}");
            }
            FileFormat::Html => {
                assert_eq!(written.matches("<tr>").count(), rows.len() + 1, "{written}");
                assert!(!written.contains("<script") && !written.contains("<img"), "{written}");
            }
        }
    }
}
