//! Exports the shown or marked reports to a file. The rows are fixed when the menu opens, and shared rather than
//! copied.

use std::collections::HashMap;
use std::sync::Arc;

use strum::IntoEnumIterator;

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::effect::Effect;
use crate::app::overlays::MenuChoice;
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::export::FileFormat;
use crate::domain::export::request::ExportRequest;
use crate::domain::list::columns::Column;
use crate::domain::list::filter;
use crate::domain::list::query::Direction;
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::urgency::{ResultBefore, RowContext};

impl App {
    /// Opens the menu of formats; its title says what will be exported.
    pub(crate) fn offer_export(&mut self) {
        let marked = self.target_places();
        let is_marked = !marked.is_empty();
        let request = Arc::new(self.export_request(marked));
        let what = if is_marked { "marked report" } else { "shown report" };
        let title = format!("Export {}{}", counted(request.places.len() as u64, what), self.left_out());
        let row = |format: FileFormat| {
            let name = request.file_name(format);
            (format!("{:<10}{name}", format.name()), MenuChoice::Export(format, Arc::clone(&request)))
        };
        let rows = FileFormat::iter().map(row).collect();
        self.open_menu(title, rows, 0);
    }

    /// Exports in the chosen format.
    pub(crate) fn export(&mut self, format: FileFormat, request: Arc<ExportRequest>) {
        self.ctx.notify(format!("Writing {} …", counted(request.places.len() as u64, "report")));
        self.ctx.effects.push(Effect::Export(format, request));
    }

    /// Returns an export request for the marked rows, or else all shown rows.
    pub(crate) fn export_request(&self, marked: Vec<u32>) -> ExportRequest {
        let filter = if marked.is_empty() { self.chosen_by() } else { "marked".to_owned() };
        let places = if marked.is_empty() { self.reports.shown.clone() } else { marked };
        let service = match &self.ctx.connection {
            Connection::Ready(connected) if connected.host.is_empty() => connected.name.clone(),
            Connection::Ready(connected) => connected.host.clone(),
            Connection::Starting | Connection::Failed(_) => String::new(),
        };
        ExportRequest {
            rows: Arc::clone(&self.reports.listing.rows),
            columns: self.reports.wanted_columns(),
            service,
            filter,
            order: order(self.reports.sort),
            of: self.total_without_filter().filter(|of| *of > places.len() as u64),
            local_time: self.ctx.now.to_zoned(self.screen.zone.clone()).datetime(),
            around: RowContext { results_before: self.results_before(), ..self.triage.row_context(&self.ctx) },
            places,
        }
    }

    /// Returns the results before the latest changes, as logged in this run.
    fn results_before(&self) -> Arc<HashMap<ReportId, ResultBefore>> {
        let changed = |entry: &&LogEntry| entry.kind == LogKind::Rerun && entry.before != entry.after;
        let before = |entry: &LogEntry| Some((entry.report.clone()?, ResultBefore::from_verdict(&entry.before)?));
        Arc::new(self.log.of_this_run.iter().filter(changed).filter_map(before).collect())
    }

    /// Returns the open project and the filter line: `project:"shop.example" result:bad`.
    fn chosen_by(&self) -> String {
        let scope = self.reports.scope.as_ref().map(|scope| format!("project:{}", filter::quoted(scope.raw())));
        let line = Some(self.reports.filter_line.value().trim().to_owned()).filter(|line| !line.is_empty());
        scope.into_iter().chain(line).collect::<Vec<_>>().join(" ")
    }

    /// The number of reports of the open project or of the service; `None` if only filtered rows were requested.
    fn total_without_filter(&self) -> Option<u64> {
        let query = &self.reports.listing.query;
        let scope = self.reports.scope.as_ref().map(Text::raw);
        let narrowed = query.search.is_some() || query.result.is_some() || query.project.as_deref() != scope;
        let counted = scope.and_then(|scope| self.projects.named(scope)?.reports);
        counted.or_else(|| (!narrowed).then(|| self.reports.total(&self.projects)))
    }

    /// Returns ` (87 of 1,089 loaded)` while the service has more of these rows.
    fn left_out(&self) -> String {
        let listing = &self.reports.listing;
        if listing.is_complete() {
            return String::new();
        }
        let loaded = listing.loaded() as u64;
        match listing.total.filter(|total| *total > loaded) {
            Some(total) => format!(" ({} of {} loaded)", grouped(loaded), grouped(total)),
            None => format!(" ({} loaded, perhaps not all)", grouped(loaded)),
        }
    }
}

/// Describes a sort order: `audited, newest first`.
fn order((column, direction): (Column, Direction)) -> String {
    format!("{}, {}", column.sort_name(), column.order_text(direction))
}
