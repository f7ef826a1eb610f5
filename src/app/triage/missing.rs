//! Reports that are no longer listed: missing until the service is asked, gone if it returns 404.
//!
//! A list may change while its pages are read, so that a report is on none of them.

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::message::Fact;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::changes::ListScope;

/// The most missing reports requested automatically; others are requested when they are opened.
pub(crate) const MOST_REQUESTED: usize = 20;

impl App {
    /// Requests a report that is no longer listed, once.
    pub(crate) fn request_missing(&mut self, id: ReportId) {
        let is_requested = self.triage.changes.missing_requests.values().any(|requested| *requested == id);
        if self.ctx.is_connected() && !is_requested && !self.triage.changes.is_gone(&id) {
            let request = self.ctx.next_request();
            self.triage.changes.missing_requests.insert(request, id.clone());
            self.ctx.effects.push(Effect::ShowChecks(request, id));
        }
    }

    /// Handles the reply about a missing report: only a 404 makes it gone. Returns false for any other request.
    pub(crate) fn on_missing(&mut self, request: RequestId, result: &Result<Report, Failure>) -> bool {
        let Some(id) = self.triage.changes.missing_requests.remove(&request) else { return false };
        match result {
            Ok(report) => {
                if let Some(compared) = &mut self.triage.changes.compared {
                    compared.comparison.gone.retain(|one| one.id != id);
                }
                // Another list may be on the screen by now, which need not contain the report.
                if ListScope::of(&self.reports.listing.query) == self.triage.changes.scope {
                    // The service's total includes it already: it merely moved between pages.
                    self.reports.listing.add(Report { details: None, ..report.clone() });
                }
                self.apply(&Fact::ReportRead(report.clone()));
                self.arrange();
            }
            Err(failure) if failure.kind == FailureKind::NotFound => drop(self.triage.changes.gone.insert(id)),
            Err(_) => {}
        }
        true
    }
}
