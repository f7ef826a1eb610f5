//! KnownCheckSets of reports whose list says nothing about them: fetched behind everything else, under the service's budget.
//!
//! What was learnt is kept beside the lists, so that a refresh does not lose it. Must not know what checks are used for.

use crate::app::jobs::state::ChecksFetch;

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::facts::Fact;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

/// How many are asked for at the same time.
const AT_ONCE: usize = 4;
/// After so many failures in a row nothing more is asked.
const MOST_FAILURES: usize = 3;
/// A service that says "not now" without saying for how long is asked again after this.
const USUAL_WAIT: SignedDuration = SignedDuration::from_secs(30);

impl App {
    /// Asks for the checks of these reports, beside what is asked for already.
    pub(crate) fn fetch_checks(&mut self, ids: impl IntoIterator<Item = ReportId>) {
        if !self.ctx.is_connected() || self.reports.listing.from_memory {
            return;
        }
        let fetch = self.jobs.checks.fetch.get_or_insert_default();
        for id in ids {
            if fetch.wanted.insert(id.clone()) {
                fetch.waiting.push_back(id);
                fetch.all += 1;
            }
        }
        self.advance_checks();
    }

    pub(crate) fn advance_checks(&mut self) {
        loop {
            let now = self.ctx.now;
            let Some(fetch) = &mut self.jobs.checks.fetch else { return };
            let waits = fetch.wait_until.is_some_and(|until| until > now);
            if waits || fetch.under_way.len() >= AT_ONCE {
                return;
            }
            fetch.wait_until = None;
            let Some(id) = fetch.waiting.pop_front() else { break };
            let request = self.ctx.next_request();
            if let Some(fetch) = &mut self.jobs.checks.fetch {
                fetch.under_way.push((request, id.clone()));
            }
            self.ctx.effects.push(Effect::ShowChecks(request, id));
        }
        if let Some(fetch) = self.jobs.checks.fetch.take_if(|fetch| fetch.under_way.is_empty()) {
            self.checks_are_known(&fetch);
        }
    }

    /// Takes one report whose checks were asked for.
    pub(crate) fn on_checks(&mut self, request: RequestId, result: Result<Report, Failure>) {
        let again_at = result.as_ref().err().and_then(|failure| {
            let usual = || self.ctx.now.saturating_add(USUAL_WAIT).ok();
            (failure.kind == FailureKind::RateLimited).then(|| self.ctx.retry_at(failure).or_else(usual))?
        });
        if self.on_missing(request, &result) {
            return;
        }
        let Some(fetch) = &mut self.jobs.checks.fetch else { return };
        let Some(at) = fetch.under_way.iter().position(|(waiting, _)| *waiting == request) else { return };
        let (_, id) = fetch.under_way.remove(at);
        match result {
            Ok(report) => {
                (fetch.done, fetch.failures) = (fetch.done + 1, 0);
                self.apply(&Fact::ReportRead(report));
            }
            Err(_) if again_at.is_some() => {
                fetch.wait_until = again_at;
                fetch.waiting.push_front(id);
            }
            Err(failure) => {
                (fetch.done, fetch.failures) = (fetch.done + 1, fetch.failures + 1);
                if fetch.failures >= MOST_FAILURES && failure.kind != FailureKind::NotFound {
                    self.stop_checks();
                    return self.ctx.tell_failure(&failure);
                }
            }
        }
        self.advance_checks();
    }

    /// Asks for no more checks. True when some were being asked for.
    pub(crate) fn stop_checks(&mut self) -> bool {
        let Some(fetch) = self.jobs.checks.fetch.take() else { return false };
        self.ctx.effects.extend(fetch.under_way.into_iter().map(|(request, _)| Effect::Cancel(request)));
        true
    }

    fn checks_are_known(&mut self, fetch: &ChecksFetch) {
        if !self.reports.filter.is_empty() {
            // `check:` may keep other rows now.
            self.arrange();
        }
        if !self.refresh_causes() && fetch.all > 1 {
            let reports = counted(fetch.all as u64, "report");
            self.ctx.tell(format!(
                "The checks of {reports} are known: {} says what they share",
                self.ctx.key(Action::Causes)
            ));
        }
    }

    /// `checks of 12/300 (Esc stops)`.
    pub fn checks_text(&self) -> Option<String> {
        let fetch = self.jobs.checks.fetch.as_ref()?;
        let waits = if fetch.wait_until.is_some() { ", the service asks to wait" } else { "" };
        Some(format!("checks of {}/{}{waits} (Esc stops)", grouped(fetch.done as u64), grouped(fetch.all as u64)))
    }

    pub(crate) fn checks_wake_at(&self) -> Option<Timestamp> {
        self.jobs.checks.fetch.as_ref()?.wait_until
    }
}
