//! Reports that are not listed any more: missing until the service was asked for them, gone when it does not know them.
//!
//! A list may change while it is read, so that a report that is still there is on none of its pages.

use std::collections::{HashMap, HashSet};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::changes::ListScope;

/// Missing reports that are asked for without a key; the others are asked for when they are opened.
pub(crate) const MOST_ASKED_FOR: usize = 20;

/// What is known of missing reports.
#[derive(Debug, Default)]
pub(crate) struct MissingReports {
    asked_for: HashMap<RequestId, ReportId>,
    gone: HashSet<ReportId>,
}

impl MissingReports {
    /// Whether the service does not know the report any more.
    pub(crate) fn is_gone(&self, id: &ReportId) -> bool {
        self.gone.contains(id)
    }
}

impl App {
    /// Asks for a report that is not listed any more, unless that was done. A list may have changed while it was read.
    pub(crate) fn ask_for_missing(&mut self, id: ReportId) {
        let is_asked_for = self.since.missing.asked_for.values().any(|asked| *asked == id);
        if self.is_connected() && !is_asked_for && !self.since.missing.is_gone(&id) {
            let request = self.next_request();
            self.since.missing.asked_for.insert(request, id.clone());
            self.effects.push(Effect::ShowChecks(request, id));
        }
    }

    /// Takes the answer about a missing report: only "not found" makes it gone. False when nobody asked.
    pub(crate) fn on_missing(&mut self, request: RequestId, result: &Result<Report, Failure>) -> bool {
        let Some(id) = self.since.missing.asked_for.remove(&request) else { return false };
        match result {
            Ok(report) => {
                if let Some(compared) = &mut self.since.compared {
                    compared.comparison.gone.retain(|one| one.id != id);
                }
                // Another list may be on the screen by now, in which the report has no place.
                if ListScope::of(&self.reports.listing.query) == self.since.scope {
                    // Counted by the service already: it only slipped from page to page.
                    self.reports.listing.add(Report { details: None, ..report.clone() });
                }
                self.put_row(report);
                self.arrange();
                self.since.list(self.now);
            }
            Err(failure) if failure.kind == FailureKind::NotFound => drop(self.since.missing.gone.insert(id)),
            Err(_) => {}
        }
        true
    }
}
