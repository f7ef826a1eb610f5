//! The copy menu: what to copy of the current or marked reports.

use std::sync::Arc;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::overlays::MenuChoice;
use crate::domain::export::request::{CopyFormat, ExportRequest};
use crate::domain::export::{self, FileFormat, tabs, whole};
use crate::domain::report::Report;
use crate::domain::text::numbers::counted;

impl App {
    /// Opens the copy menu. Its reports are fixed now and do not follow the cursor.
    pub(crate) fn offer_copies(&mut self) {
        let marked = self.target_places();
        let here = self.subject().and_then(|report| self.reports.listing.place(&report.id));
        let places = if marked.is_empty() { here.into_iter().collect() } else { marked };
        let request = Arc::new(self.export_request(places));
        let Some(first) = request.reports().next() else { return };
        let many = request.places.len() > 1;
        let copy = |text: &str, kind| (text.to_owned(), MenuChoice::Copy(kind, Arc::clone(&request)));
        let (title, mut rows) = if many {
            let rows = vec![
                copy("URLs, one per line", CopyFormat::Url),
                copy("ids, one per line", CopyFormat::Id),
                copy("rows, tab-separated", CopyFormat::Row),
                copy("Markdown: a table", CopyFormat::Markdown),
            ];
            (format!("Copy {}", counted(request.places.len() as u64, "marked report")), rows)
        } else {
            let rows = vec![
                copy(&format!("URL       {}", address(first)), CopyFormat::Url),
                copy(&format!("id        {}", first.id.shown()), CopyFormat::Id),
                copy("row, tab-separated", CopyFormat::Row),
                copy("Markdown: the whole report", CopyFormat::Markdown),
            ];
            (format!("Copy report {}", first.id.shown()), rows)
        };
        rows.push(("message to the customer …".to_owned(), MenuChoice::Message(Arc::clone(&request))));
        if !many && self.ctx.is_connected() {
            rows.push(copy("URL of the report page", CopyFormat::ReportPage));
        }
        self.open_menu(title, rows, 0);
    }

    /// Copies the chosen format.
    pub(crate) fn copy(&mut self, kind: CopyFormat, request: &ExportRequest) {
        let lines = |line: fn(&Report) -> String| request.reports().map(line).collect::<Vec<_>>().join("\n");
        let text = match kind {
            CopyFormat::Url => lines(address),
            CopyFormat::Id => lines(|report| report.id.shown().to_owned()),
            CopyFormat::Row => tabs::lines(&request.columns, request.reports(), &request.around),
            CopyFormat::Markdown => self.as_markdown(request),
            CopyFormat::ReportPage => {
                if let Some(report) = request.reports().next() {
                    self.ctx.notify("Requesting the report page …");
                    self.ctx.effects.push(Effect::CopyReportPage(report.id.clone()));
                }
                return;
            }
        };
        self.ctx.effects.push(Effect::Copy(text));
    }

    /// Copies the URL of the report under the cursor.
    pub(crate) fn copy_url(&mut self) {
        if let Some(report) = self.subject() {
            self.ctx.effects.push(Effect::Copy(address(report)));
        }
    }

    fn as_markdown(&self, request: &ExportRequest) -> String {
        let mut reports = request.reports();
        if let (Some(only), None) = (reports.next(), reports.next()) {
            return whole::markdown(self.best_known(only), &self.ctx.explanations);
        }
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = export::write(request, FileFormat::Markdown, &mut bytes);
        String::from_utf8(bytes).unwrap_or_default()
    }
}

/// Returns the URL as a browser accepts it, else as the service sent it.
fn address(report: &Report) -> String {
    report.web_url().map_or_else(|| report.url.shown().to_owned(), String::from)
}
