//! Replies to reads of single reports, and the current report.

use crate::app::App;
use crate::app::effect::RequestId;
use crate::app::facts::Fact;
use crate::app::frame_layout::Pane;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};

impl App {
    /// Hands a fact to every part of the state.
    pub(crate) fn apply(&mut self, fact: &Fact) {
        if let Fact::ReportUpdated(report) | Fact::ReportRead(report) = fact {
            self.observe(std::iter::once(report));
        }
        self.jobs.checks.on_fact(fact);
        self.report.on_fact(fact, &mut self.ctx);
        let needs_arranging = self.reports.on_fact(fact, &self.ctx);
        if needs_arranging {
            self.arrange();
        }
    }

    /// The report that an action on one report is about: that of the queue, else the one under the cursor.
    pub fn subject(&self) -> Option<&Report> {
        match self.queue() {
            Some(queue) => self.reports.listing.row(queue.ids.get(queue.at)?),
            None => self.reports.current(),
        }
    }

    /// The reports that a bulk action is about, in the order of the screen: the visible selection. In the queue every
    /// action is about one report.
    pub fn targets(&self) -> Vec<ReportId> {
        if self.queue().is_some() { Vec::new() } else { self.reports.selected() }
    }

    /// The current report, as its row or, once it was opened, with everything.
    pub fn current_report(&self) -> Option<&Report> {
        let row = self.subject()?;
        let whole = self.report.whole.value().filter(|whole| whole.id == row.id);
        Some(whole.unwrap_or(row))
    }

    /// Lets the report pane follow the cursor. Called after every message.
    pub(crate) fn follow_cursor(&mut self) {
        let id = self.subject().map(|report| report.id.clone());
        let layout = &self.ctx.layout;
        let is_visible =
            self.screen.focus == Pane::Report || self.queue().is_some() || layout.visible.contains(&Pane::Report);
        self.report.follow(id, is_visible, &mut self.ctx);
    }

    /// Takes an opened report. One that the person asked for and that is gone leaves the list too.
    pub(crate) fn on_report(&mut self, request: RequestId, result: Result<Report, Failure>) {
        if self.report.whole.waits_for() != Some(request) {
            return;
        }
        match &result {
            Ok(report) => {
                self.ctx.key_refused = false;
                self.report.remember(report.clone());
                self.apply(&Fact::ReportRead(report.clone()));
            }
            Err(failure) => {
                self.ctx.note_failure(failure);
                let is_gone = failure.kind == FailureKind::NotFound && self.report.asked_for;
                if let Some(id) = self.report.id.clone().filter(|_| is_gone) {
                    self.apply(&Fact::ReportDeleted(id));
                    self.ctx.tell_failure(failure);
                }
            }
        }
        self.report.take_reply(request, result, &self.ctx);
    }
}
