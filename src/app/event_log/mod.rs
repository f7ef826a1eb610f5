//! The event log: appends entries, and reads them from the journal while they are displayed.

mod history;
pub mod state;

use std::cmp::Reverse;

use jiff::Timestamp;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::overlays::{Overlay, cursors};
use crate::domain::bulk::{BulkItem, ItemState};
use crate::domain::event_log::line::{LogLine, lines};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::report::{Report, ReportChange, ReportId};
use crate::domain::triage::{Note, to_the_millisecond};

impl App {
    /// Appends entries to the log.
    pub(crate) fn log(&mut self, entries: Vec<LogEntry>) {
        self.log_changed(&entries);
        if !entries.is_empty() {
            self.ctx.effects.push(Effect::Log(entries));
        }
    }

    /// Records new entries, and marks displayed parts of the log as outdated.
    pub(crate) fn log_changed(&mut self, entries: &[LogEntry]) {
        if entries.is_empty() {
            return;
        }
        self.log.is_read = false;
        self.log.keep(entries);
        if entries.iter().any(|entry| entry.report.is_some() && entry.report == self.report.id) {
            self.report.knows_events = false;
        }
    }

    /// Reads the displayed parts of the log if they are outdated.
    pub(crate) fn read_log(&mut self) {
        let shows_day = |overlay: &Overlay| matches!(overlay, Overlay::History(_) | Overlay::Overview(_));
        if !self.log.is_read && self.log.request.is_none() && self.overlays.iter().any(shows_day) {
            let request = self.ctx.next_request();
            self.log.request = Some(request);
            self.log.is_read = true;
            self.ctx.effects.push(Effect::ReadLog(request));
        }
        self.report.read_events(&mut self.ctx);
    }

    /// Handles the lines of the log, and merges the notes into them.
    pub(crate) fn on_log(&mut self, request: RequestId, logged: Option<Vec<LogLine>>) {
        if self.log.request.take_if(|waiting| *waiting == request).is_none() {
            return;
        }
        self.log.is_stored = logged.is_some();
        let mut logged = logged.unwrap_or_else(|| lines(self.log.of_this_run.iter().cloned()));
        for line in &mut logged {
            if let (true, Some(id)) = (line.last.name.is_empty(), &line.last.report) {
                let row = self.reports.listing.row(id);
                line.last.name = row.map_or_else(|| self.name_of(id), |row| row.short_url().to_owned());
            }
        }
        let mut notes: Vec<LogEntry> =
            self.triage.states.notes.iter().map(|(id, note)| self.note_entry(id, note)).collect();
        notes.sort_by(|one, other| one.at.cmp(&other.at).then_with(|| one.name.cmp(&other.name)));
        logged.extend(lines(notes));
        logged.sort_by_key(|line| Reverse(line.last.at));
        let former = std::mem::replace(&mut self.log.lines, logged);
        let lines = &self.log.lines;
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::History(_))) {
            // At the first line, the cursor stays there and shows the latest event.
            if cursor.at > 0 {
                let is_same = |line: &LogLine| former.get(cursor.at).is_some_and(|former| former.is_same_action(line));
                let at = lines.iter().position(is_same).unwrap_or(cursor.at);
                cursor.follow_row(at, lines.len(), self.ctx.layout.overlay);
            }
        }
        self.list_latest();
    }

    /// Handles the log entries of the report in the report pane.
    pub(crate) fn on_timeline(&mut self, request: RequestId, entries: Option<Vec<LogEntry>>) {
        let kept = || {
            let of_report = |entry: &&LogEntry| entry.report.is_some() && entry.report == self.report.id;
            self.log.of_this_run.iter().filter(of_report).cloned().collect()
        };
        let entries = entries.unwrap_or_else(kept);
        self.report.take_events(request, entries);
    }

    /// Returns the log entries of an item of a bulk run; none if nothing was done. `after` is the report in the
    /// service's reply, `None` for a deletion.
    pub(crate) fn item_entries(&self, item: &BulkItem, after: Option<&Report>) -> Vec<LogEntry> {
        let Some(bulk) = self.jobs.bulk.as_ref().filter(|_| matches!(item.state, ItemState::Done(_))) else {
            return Vec::new();
        };
        let (now, begun_at) = (self.ctx.now, to_the_millisecond(bulk.begun_at));
        let mut entries = match (bulk.run.operation.change(), after) {
            (Some(change), Some(after)) => self.change_entries(&change, Some(&item.report_before(after)), after),
            (Some(_), None) => Vec::new(),
            // By now the list may be another one, without the report.
            (None, _) => vec![self.entry_about(LogKind::Deleted, &item.id, now).or_named(&item.url)],
        };
        for entry in &mut entries {
            entry.begun_at = begun_at;
        }
        entries
    }

    /// Returns the entries of a change, without a re-run that has no result yet.
    pub(crate) fn change_entries(
        &self,
        change: &ReportChange,
        before: Option<&Report>,
        after: &Report,
    ) -> Vec<LogEntry> {
        let mut entries = LogEntry::of_change(change, before, after, self.ctx.now);
        if before.is_some_and(|before| after.shows_audit(before.generated_at, &before.verdict())) {
            entries.retain(|entry| entry.kind != LogKind::Rerun);
        }
        entries
    }

    /// Returns an entry about a report, which need not be loaded.
    pub(crate) fn entry_about(&self, kind: LogKind, id: &ReportId, at: Timestamp) -> LogEntry {
        match self.reports.listing.row(id) {
            Some(report) => LogEntry::about(kind, report, at),
            None => LogEntry { report: Some(id.clone()), ..LogEntry::new(kind, at) },
        }
    }

    /// Converts a note to a log entry.
    fn note_entry(&self, id: &ReportId, note: &Note) -> LogEntry {
        let entry = self.entry_about(LogKind::Note, id, note.written_at);
        LogEntry { author: note.author.clone(), detail: note.text.shown().to_owned(), ..entry }
    }
}
