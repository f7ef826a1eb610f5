//! Handles replies to reads, distributes facts to all parts of the state, and determines the current report.

use std::sync::Arc;

use crate::app::App;
use crate::app::effect::{EditBase, RequestId};
use crate::app::frame_layout::Pane;
use crate::app::message::Fact;
use crate::app::session::state::RetrySchedule;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::cached_rows::SavedView;
use crate::domain::list::paging::Page;
use crate::domain::report::Report;
use crate::domain::text::clean;

impl App {
    /// Applies a fact to every part of the state.
    pub(crate) fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::ReportUpdated(report) | Fact::ReportRead(report) => self.observe(std::iter::once(report)),
            Fact::ReportDeleted(id) => self.triage.changes.keep_names(self.reports.listing.row(id).into_iter()),
            Fact::ProjectDeleted(project) => {
                let rows = self.reports.listing.rows.iter().filter(|row| row.project.raw() == project.raw());
                self.triage.changes.keep_names(rows);
            }
            Fact::ReportCreated(_) => {}
        }
        self.jobs.checks.on_fact(fact);
        if matches!(fact, Fact::ReportUpdated(_)) {
            self.advance_checks();
        }
        self.report.on_fact(fact, &mut self.ctx);
        // Someone else has re-run or moved it; after own writes the projects are requested anyway.
        let is_recounted = if let Fact::ReportRead(report) = fact
            && let Some(row) = self.reports.listing.row(&report.id)
        {
            row.outcome != report.outcome || row.project != report.project
        } else {
            false
        };
        let needs_arranging = self.reports.on_fact(fact, &self.ctx);
        self.projects.count(&self.reports.listing);
        if is_recounted && self.projects.list.is_ready() {
            self.projects.load(&mut self.ctx);
        }
        if needs_arranging {
            self.arrange();
        }
        if let Fact::ReportCreated(report) = fact {
            self.reports.count_created_above(&report.id);
        }
    }

    /// Loads the rows of the current query unless loaded already, and arranges them.
    pub(crate) fn load_if_needed(&mut self) {
        self.reports.load_if_needed(&self.projects, &self.triage, &mut self.ctx);
    }

    /// Arranges the loaded rows.
    pub(crate) fn arrange(&mut self) {
        self.reports.arrange(&self.triage, &mut self.ctx);
    }

    /// Handles a page of reports, or its last rows.
    pub(crate) fn on_reports(&mut self, request: RequestId, result: Result<Page<Report>, Failure>) {
        if self.reports.loading().waits_for() != Some(request) {
            return;
        }
        match result {
            Ok(mut page) => {
                self.session.retry = RetrySchedule::default();
                self.ctx.key_refusal = None;
                let triaged = self.add_rows(request, std::mem::take(&mut page.rows));
                self.reports.end_page(&page, &mut self.triage, &mut self.ctx);
                self.schedule_refresh();
                self.show_new_rows(&triaged);
                self.projects.count(&self.reports.listing);
                if self.projects.is_outdated_by(&self.reports.listing) {
                    self.projects.load(&mut self.ctx);
                }
            }
            Err(failure) => {
                if failure.kind == FailureKind::NotFound && self.projects.list.is_ready() {
                    // Someone else may have deleted the project.
                    self.projects.load(&mut self.ctx);
                }
                if self.reports.on_failed_page(&failure, &mut self.triage, &mut self.ctx) {
                    self.schedule_retry(&failure);
                }
            }
        }
    }

    /// Handles the first rows of an incomplete page.
    pub(crate) fn on_report_rows(&mut self, request: RequestId, rows: Vec<Report>) {
        if self.reports.loading().waits_for() == Some(request) {
            let triaged = self.add_rows(request, rows);
            self.show_new_rows(&triaged);
        }
    }

    /// Adds rows to the listing being loaded. Returns those with a triage state.
    fn add_rows(&mut self, request: RequestId, mut rows: Vec<Report>) -> Vec<Report> {
        self.reports.recent_writes.correct(request, &mut rows);
        for row in &mut rows {
            self.jobs.checks.fill_in(row);
        }
        let triages = &self.triage.states.triages;
        let triaged = rows.iter().filter(|row| triages.get(&row.id).is_some()).cloned().collect();
        self.reports.add_rows(rows);
        triaged
    }

    fn show_new_rows(&mut self, triaged: &[Report]) {
        self.reports.show_new_rows(&self.triage, &mut self.ctx);
        self.observe(triaged.iter());
    }

    /// Handles the saved views, and shows the one that the program was started with.
    pub(crate) fn on_views(&mut self, views: Vec<SavedView>) {
        if self.reports.views_changed_since_request {
            return self.reports.read_views(&mut self.ctx);
        }
        self.reports.views = views;
        let Some(name) = self.session.first_view.take() else { return };
        match self.reports.views.iter().find(|view| view.name == name).cloned() {
            Some(view) => self.show_view(&view),
            None => self.ctx.notify(format!("There is no view named {} here", clean(&name))),
        }
    }

    /// Returns a report as it was opened, unless its row has changed since.
    pub(crate) fn opened(&self, row: &Report) -> Option<&Report> {
        self.report.remembered(&row.id).map(Arc::as_ref).filter(|opened| !differs(opened, row))
    }

    /// Returns what is known about the report of a row: the report itself if it was opened, which has more data.
    pub(crate) fn best_known<'a>(&'a self, row: &'a Report) -> &'a Report {
        let current = self.current_report().filter(|opened| opened.id == row.id);
        current.or_else(|| self.opened(row)).unwrap_or(row)
    }

    /// Returns the current report: with all details if it was opened, else its row.
    pub fn current_report(&self) -> Option<&Report> {
        let row = self.subject()?;
        let whole = self.report.whole.value.as_ref().filter(|whole| whole.id == row.id);
        Some(whole.map_or(row, Arc::as_ref))
    }

    /// Lets the report pane follow the cursor. Called after every message.
    pub(crate) fn follow_cursor(&mut self) {
        let row = self.subject();
        let is_outdated = row.is_some_and(|row| self.report.known(&row.id).any(|known| differs(known, row)));
        let id = row.map(|row| row.id.clone());
        if let Some(id) = id.as_ref().filter(|_| is_outdated) {
            self.report.drop_outdated(id);
        }
        let layout = &self.ctx.layout;
        let is_visible =
            self.screen.focus == Pane::Report || self.queue().is_some() || layout.visible.contains(&Pane::Report);
        self.report.follow(id, is_visible, &mut self.ctx);
    }

    /// Handles an opened report. If the user opened it and it no longer exists, its row is removed.
    pub(crate) fn on_report(&mut self, request: RequestId, result: Result<Report, Failure>) {
        if self.report.whole.request != Some(request) {
            return;
        }
        let result = result.map(Arc::new);
        match &result {
            Ok(report) => {
                self.ctx.key_refusal = None;
                self.apply(&Fact::ReportRead(Report::clone(report)));
            }
            Err(failure) => {
                self.ctx.note_failure(failure);
                let is_gone = failure.kind == FailureKind::NotFound && self.report.is_opened;
                if let Some(id) = self.report.id.clone().filter(|_| is_gone) {
                    self.apply(&Fact::ReportDeleted(id));
                    self.projects.load(&mut self.ctx);
                    self.ctx.notify_failure(failure);
                }
            }
        }
        self.report.take_reply(request, result, &self.ctx);
    }
}

/// Whether a list shows another state of a report than the one that was opened. A value that is missing on either side
/// is no difference.
fn differs(opened: &Report, row: &Report) -> bool {
    let audits = opened.generated_at.zip(row.generated_at);
    audits.is_some_and(|(opened, listed)| opened != listed) || EditBase::of(opened).is_outdated_by(row)
}
