//! Reports that a list does not hold any more: missing until the service is asked, gone when it does not know them.
//!
//! A list may change while its pages are read, so that a report is on none of them.

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::message::Fact;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::changes::ListScope;

/// The most missing reports that are requested at once; others are requested when they are opened.
pub(crate) const MOST_ASKED_FOR: usize = 20;

impl App {
    /// Requests a report that is not listed any more, once.
    pub(crate) fn ask_for_missing(&mut self, id: ReportId) {
        let is_asked_for = self.triage.changes.missing.asked_for.values().any(|asked| *asked == id);
        if self.ctx.is_connected() && !is_asked_for && !self.triage.changes.missing.is_gone(&id) {
            let request = self.ctx.next_request();
            self.triage.changes.missing.asked_for.insert(request, id.clone());
            self.ctx.effects.push(Effect::ShowChecks(request, id));
        }
    }

    /// Takes the reply about a missing report: only "not found" makes it gone. False for any other request.
    pub(crate) fn on_missing(&mut self, request: RequestId, result: &Result<Report, Failure>) -> bool {
        let Some(id) = self.triage.changes.missing.asked_for.remove(&request) else { return false };
        match result {
            Ok(report) => {
                if let Some(compared) = &mut self.triage.changes.compared {
                    compared.comparison.gone.retain(|one| one.id != id);
                }
                // Another list may be on the screen by now, in which the report has no place.
                if ListScope::of(&self.reports.listing.query) == self.triage.changes.scope {
                    // Counted by the service already: it only slipped from page to page.
                    self.reports.listing.add(Report { details: None, ..report.clone() });
                }
                self.apply(&Fact::ReportRead(report.clone()));
                self.arrange();
                self.triage.changes.list(self.ctx.now);
            }
            Err(failure) if failure.kind == FailureKind::NotFound => drop(self.triage.changes.missing.gone.insert(id)),
            Err(_) => {}
        }
        true
    }
}
