//! Fetches checks that the list omits, yielding to interactive requests and within the rate limit.

use std::collections::{BTreeMap, HashSet};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::jobs::state::ChecksFetch;
use crate::app::message::Fact;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::request_queue::{QueueStep, RequestQueue};
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

/// The maximum number of requests in flight.
const MOST_IN_FLIGHT: usize = 4;
/// Consecutive failures after which fetching stops.
const MOST_FAILURES: usize = 3;

impl App {
    /// Queues reports whose checks are to be fetched.
    pub(crate) fn fetch_checks(&mut self, ids: impl IntoIterator<Item = ReportId>) {
        if !self.ctx.is_connected() || self.reports.listing.is_cached {
            return;
        }
        let fetch = self.jobs.checks.fetch.get_or_insert_with(|| ChecksFetch {
            requested: HashSet::new(),
            queue: RequestQueue::new(MOST_IN_FLIGHT, []),
            in_flight: BTreeMap::new(),
            done: 0,
            failures: 0,
        });
        for id in ids {
            if fetch.requested.insert(id.clone()) {
                fetch.queue.push(id);
            }
        }
        self.advance_checks();
    }

    pub(crate) fn advance_checks(&mut self) {
        while let Some(fetch) = &mut self.jobs.checks.fetch {
            let QueueStep::Send(id) = fetch.queue.next(self.ctx.now) else { break };
            let request = self.ctx.next_request();
            fetch.in_flight.insert(request, id.clone());
            self.ctx.effects.push(Effect::ShowChecks(request, id));
        }
        if let Some(fetch) = self.jobs.checks.fetch.take_if(|fetch| fetch.queue.is_empty()) {
            self.checks_are_known(&fetch);
        }
    }

    /// Handles a report that was requested for its checks.
    pub(crate) fn on_checks(&mut self, request: RequestId, result: Result<Report, Failure>) {
        if self.on_missing(request, &result) {
            return;
        }
        let Some(fetch) = &mut self.jobs.checks.fetch else { return };
        let Some(id) = fetch.in_flight.remove(&request) else { return };
        if let Err(failure) = &result
            && fetch.queue.wait_after(failure, self.ctx.now)
        {
            fetch.queue.requeue(id);
            return self.advance_checks();
        }
        fetch.queue.done();
        fetch.done += 1;
        match result {
            Ok(report) => {
                fetch.failures = 0;
                self.apply(&Fact::ReportRead(report));
                self.update_message_title();
            }
            Err(failure) => {
                fetch.failures += 1;
                if fetch.failures >= MOST_FAILURES && failure.kind != FailureKind::NotFound {
                    self.stop_checks();
                    return self.ctx.notify_failure(&failure);
                }
            }
        }
        self.advance_checks();
    }

    /// Stops fetching checks. Returns true if any fetch was running.
    pub(crate) fn stop_checks(&mut self) -> bool {
        let Some(fetch) = self.jobs.checks.fetch.take() else { return false };
        self.ctx.effects.extend(fetch.in_flight.into_keys().map(Effect::Cancel));
        true
    }

    fn checks_are_known(&mut self, fetch: &ChecksFetch) {
        if !self.reports.filter.is_empty() {
            // `check:` may match other rows now.
            self.arrange();
        }
        self.triage.causes.were_fetched = true;
        // An open causes screen shows this itself.
        if !self.shows_causes() && fetch.requested.len() > 1 {
            let reports = counted(fetch.requested.len() as u64, "report");
            self.ctx.notify(format!(
                "Fetched the checks of {reports}: {} shows common causes",
                self.ctx.key(Action::Causes)
            ));
        }
    }

    /// Formats the progress: `checks of 12/300 (Esc stops)`.
    pub fn checks_text(&self) -> Option<String> {
        let fetch = self.jobs.checks.fetch.as_ref()?;
        let (done, all) = (grouped(fetch.done as u64), grouped(fetch.requested.len() as u64));
        let waits = self.waiting_text(&fetch.queue);
        let stop =
            if self.list_has_keys() { format!(" ({} stops)", self.ctx.key(Action::Back)) } else { String::new() };
        Some(format!("checks of {done}/{all}{waits}{stop}"))
    }
}
