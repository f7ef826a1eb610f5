//! The history overlay: the lines of the event log.

use std::sync::Arc;

use crate::app::App;
use crate::app::frame_layout::Pane;
use crate::app::overlays::{ListCursor, NOTHING_TO_OPEN, Overlay};
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;

impl App {
    /// Opens the history.
    pub(crate) fn open_history(&mut self) {
        self.log.is_read = false;
        self.overlays.push(Overlay::History(ListCursor::default()));
    }

    /// Opens the reports of the line under the cursor.
    pub(crate) fn open_history_line(&mut self) {
        let Some(Overlay::History(cursor)) = self.overlays.last() else { return };
        let Some(line) = self.log.lines.get(cursor.at) else { return self.ctx.notify(NOTHING_TO_OPEN) };
        let reports = line.reports.clone();
        self.open_reports(&reports);
    }

    /// Opens the report if exactly one of these is loaded, else marks all that are.
    pub(crate) fn open_reports(&mut self, ids: &[ReportId]) {
        let loaded: Vec<ReportId> = ids.iter().filter(|id| self.reports.listing.row(id).is_some()).cloned().collect();
        if loaded.is_empty() {
            return self.ctx.notify("None of these reports is loaded: deleted, or left out by the filter");
        }
        if let [id] = loaded.as_slice() {
            return self.show_report(id.clone());
        }
        self.close_lists();
        let reports = counted(loaded.len() as u64, "report");
        self.reports.mark(loaded, &mut self.ctx);
        self.screen.focus_on(Pane::Reports);
        self.ctx.notify(format!("{reports} marked"));
    }

    /// Moves the cursor to a report and focuses its pane. Closes the lists above it, and leaves the project and clears
    /// the filter that hide it.
    pub(crate) fn show_report(&mut self, id: ReportId) {
        self.close_lists();
        if !self.put_cursor_on(&id) {
            let (triages, now) = (Arc::clone(&self.triage.states.triages), self.ctx.now);
            self.change_view(|reports, ctx| reports.reveal(id, &triages, now, ctx));
        }
        self.screen.focus_on(Pane::Report);
    }
}
