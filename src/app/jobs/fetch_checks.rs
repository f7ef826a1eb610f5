//! KnownCheckSets of reports whose list says nothing about them: fetched behind everything else, under the service's budget.
//!
//! What was learnt is kept beside the lists, so that a refresh does not lose it. Must not know what checks are used for.

use std::collections::{HashMap, HashSet, VecDeque};

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::report::check::Check;
use crate::domain::report::history::CheckId;
use crate::domain::report::{Details, Report, ReportId};
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

/// How many are asked for at the same time.
const AT_ONCE: usize = 4;
/// After so many failures in a row nothing more is asked.
const MOST_FAILURES: usize = 3;
/// A service that says "not now" without saying for how long is asked again after this.
const USUAL_WAIT: SignedDuration = SignedDuration::from_secs(30);

/// Which checks of a report fail, and of which audit that is true.
#[derive(Debug)]
struct KnownChecks {
    generated_at: Option<Timestamp>,
    failing: Box<[CheckId]>,
}

/// A fetching that is under way.
#[derive(Debug, Default)]
struct Fetch {
    /// All that were asked for, so that none is twice.
    wanted: HashSet<ReportId>,
    waiting: VecDeque<ReportId>,
    under_way: Vec<(RequestId, ReportId)>,
    done: usize,
    all: usize,
    failures: usize,
    wait_until: Option<Timestamp>,
}

/// What is known of checks beside what lists say.
#[derive(Debug, Default)]
pub struct KnownCheckSets {
    known: HashMap<ReportId, KnownChecks>,
    fetch: Option<Fetch>,
}

impl KnownCheckSets {
    /// Fills in what is known of a row that says nothing of its checks, as long as it is of the same audit.
    pub(crate) fn fill_in(&self, row: &mut Report) {
        if self.known.is_empty() || row.failing().is_some() {
            return;
        }
        let known = self.known.get(&row.id).filter(|known| known.generated_at == row.generated_at);
        if let Some(known) = known {
            set_failing(row, known.failing.clone());
        }
    }

    /// Keeps what an opened report says of its checks.
    pub(crate) fn learn(&mut self, report: &Report) {
        if let Some(failing) = report.checks().and_then(|_| report.failing()) {
            let known = KnownChecks { generated_at: report.generated_at, failing: failing.into() };
            self.known.insert(report.id.clone(), known);
        }
    }
}

/// Lets a row say which checks fail. That none does is known too, and is no silence.
pub(crate) fn set_failing(row: &mut Report, failing: Box<[CheckId]>) {
    if failing.is_empty() {
        row.details = Some(Box::new(Details { checks: Some(Vec::<Check>::new()), ..Details::default() }));
    }
    row.failed = failing.into();
}

impl App {
    /// Asks for the checks of these reports, beside what is asked for already.
    pub(crate) fn fetch_checks(&mut self, ids: impl IntoIterator<Item = ReportId>) {
        if !self.is_connected() || self.reports.listing.from_memory {
            return;
        }
        let fetch = self.checks.fetch.get_or_insert_default();
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
            let now = self.now;
            let Some(fetch) = &mut self.checks.fetch else { return };
            let waits = fetch.wait_until.is_some_and(|until| until > now);
            if waits || fetch.under_way.len() >= AT_ONCE {
                return;
            }
            fetch.wait_until = None;
            let Some(id) = fetch.waiting.pop_front() else { break };
            let request = self.next_request();
            if let Some(fetch) = &mut self.checks.fetch {
                fetch.under_way.push((request, id.clone()));
            }
            self.effects.push(Effect::ShowChecks(request, id));
        }
        if let Some(fetch) = self.checks.fetch.take_if(|fetch| fetch.under_way.is_empty()) {
            self.checks_are_known(&fetch);
        }
    }

    /// Takes one report whose checks were asked for.
    pub(crate) fn on_checks(&mut self, request: RequestId, result: Result<Report, Failure>) {
        let again_at = result.as_ref().err().and_then(|failure| {
            let usual = || self.now.saturating_add(USUAL_WAIT).ok();
            (failure.kind == FailureKind::RateLimited).then(|| self.asked_to_wait_until(failure).or_else(usual))?
        });
        if self.on_missing(request, &result) {
            return;
        }
        let Some(fetch) = &mut self.checks.fetch else { return };
        let Some(at) = fetch.under_way.iter().position(|(waiting, _)| *waiting == request) else { return };
        let (_, id) = fetch.under_way.remove(at);
        match result {
            Ok(report) => {
                (fetch.done, fetch.failures) = (fetch.done + 1, 0);
                self.put_row(&report);
            }
            Err(_) if again_at.is_some() => {
                fetch.wait_until = again_at;
                fetch.waiting.push_front(id);
            }
            Err(failure) => {
                (fetch.done, fetch.failures) = (fetch.done + 1, fetch.failures + 1);
                if fetch.failures >= MOST_FAILURES && failure.kind != FailureKind::NotFound {
                    self.stop_checks();
                    return self.tell_failure(&failure);
                }
            }
        }
        self.advance_checks();
    }

    /// Asks for no more checks. True when some were being asked for.
    pub(crate) fn stop_checks(&mut self) -> bool {
        let Some(fetch) = self.checks.fetch.take() else { return false };
        self.effects.extend(fetch.under_way.into_iter().map(|(request, _)| Effect::Cancel(request)));
        true
    }

    fn checks_are_known(&mut self, fetch: &Fetch) {
        if !self.reports.filter.is_empty() {
            // `check:` may keep other rows now.
            self.arrange();
        }
        if !self.refresh_causes() && fetch.all > 1 {
            let reports = counted(fetch.all as u64, "report");
            self.tell(format!("The checks of {reports} are known: {} says what they share", self.key(Action::Causes)));
        }
    }

    /// `checks of 12/300 (Esc stops)`.
    pub fn checks_text(&self) -> Option<String> {
        let fetch = self.checks.fetch.as_ref()?;
        let waits = if fetch.wait_until.is_some() { ", the service asks to wait" } else { "" };
        Some(format!("checks of {}/{}{waits} (Esc stops)", grouped(fetch.done as u64), grouped(fetch.all as u64)))
    }

    pub(crate) fn checks_wake_at(&self) -> Option<Timestamp> {
        self.checks.fetch.as_ref()?.wait_until
    }
}
