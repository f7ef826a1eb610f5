//! Requests under way and waiting, as data.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::app::effect::RequestId;
use crate::app::facts::Fact;
use crate::domain::bulk::{Run, RunNumber};
use crate::domain::draft::Draft;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::write_request::WriteRequest;
use crate::domain::report::{Report, ReportId};
use crate::domain::request_queue::RequestQueue;

/// How long a confirmed deletion waits before it is sent.
pub const DELETE_DELAY: SignedDuration = SignedDuration::from_secs(5);

/// Requests that change reports or run beside the panes.
#[derive(Debug)]
pub struct Jobs {
    /// Single writes under way.
    pub writes: Vec<RunningWrite>,
    /// Pages of one form that become reports.
    pub create: Option<CreateJob>,
    /// Deletions that were confirmed and wait to be sent.
    pub pending_deletes: Vec<PendingDelete>,
    /// How long they wait.
    pub delete_delay: SignedDuration,
    /// The bulk run under way, or the last one.
    pub bulk: Option<BulkJob>,
    /// Checks that lists leave out.
    pub checks: KnownCheckSets,
}

impl Default for Jobs {
    fn default() -> Self {
        Self {
            writes: Vec::new(),
            create: None,
            pending_deletes: Vec::new(),
            delete_delay: DELETE_DELAY,
            bulk: None,
            checks: KnownCheckSets::default(),
        }
    }
}

/// A write that is under way.
#[derive(Debug, Clone)]
pub struct RunningWrite {
    /// Who waits.
    pub request: RequestId,
    /// What it does, for the status line: `re-running shop.example/tea`.
    pub what: String,
    /// The report it is about, so that its row can show it.
    pub id: Option<ReportId>,
    /// What can be offered again; `None` for a create, whose form stays open.
    pub(crate) again: Option<WriteRequest>,
    /// It takes a step back or does it again, and is no step itself.
    pub(crate) undoes: bool,
    /// The draft that was sent: forgotten when the service said yes, also when its form was left meanwhile.
    pub(crate) draft: Option<Draft>,
}

impl RunningWrite {
    /// The write as it can be sent again; `None` for a create, whose form stays open.
    pub fn repeatable(&self) -> Option<&WriteRequest> {
        self.again.as_ref()
    }
}

/// A run and what is known of it here.
#[derive(Debug)]
pub struct BulkJob {
    /// How it stands.
    pub run: Run,
    /// Where this machine keeps it; `None` until it is kept, or where it cannot be.
    pub(crate) number: Option<RunNumber>,
    /// Nothing is sent before it is kept.
    pub(crate) beginning: Option<RequestId>,
    /// Who waits for which item.
    pub(crate) awaited: Vec<(RequestId, usize)>,
    /// Its end was told.
    pub(crate) told: bool,
}

impl BulkJob {
    /// True until everything is answered.
    pub fn is_active(&self) -> bool {
        self.beginning.is_some() || !self.run.has_ended()
    }

    pub(crate) fn is_sending(&self, id: &ReportId) -> bool {
        self.awaited.iter().any(|(_, at)| self.run.items[*at].id == *id)
    }
}

/// Pages that are to become reports.
#[derive(Debug)]
pub struct CreateJob {
    /// The lines that are not sent yet.
    pub(crate) queue: RequestQueue<String>,
    pub(crate) in_flight: Vec<(RequestId, String)>,
    /// Refused lines, and why.
    pub(crate) refused: Vec<(String, String)>,
    pub(crate) created: usize,
    pub(crate) total: usize,
    pub(crate) privacy: Option<Privacy>,
    pub(crate) password: Option<SecretString>,
}

impl CreateJob {
    /// The lines without a report yet: refused, in flight, waiting.
    pub(crate) fn left(&self) -> impl Iterator<Item = &String> {
        let refused = self.refused.iter().map(|(url, _)| url);
        refused.chain(self.in_flight.iter().map(|(_, url)| url)).chain(self.queue.waiting())
    }
}

/// Which checks of a report fail, and of which audit that is true.
#[derive(Debug)]
pub(crate) struct KnownChecks {
    pub(crate) generated_at: Option<Timestamp>,
    pub(crate) failing: Box<[CheckId]>,
}

/// Reports whose checks are being fetched.
#[derive(Debug)]
pub(crate) struct ChecksFetch {
    /// All that were asked for, so that none is fetched twice.
    pub(crate) requested: HashSet<ReportId>,
    pub(crate) queue: RequestQueue<ReportId>,
    pub(crate) in_flight: Vec<(RequestId, ReportId)>,
    pub(crate) done: usize,
    /// Failures in a row.
    pub(crate) failures: usize,
}

/// What is known of checks beside what lists say.
#[derive(Debug, Default)]
pub struct KnownCheckSets {
    pub(crate) known: HashMap<ReportId, KnownChecks>,
    pub(crate) fetch: Option<ChecksFetch>,
}

impl KnownCheckSets {
    /// Fills in what is known of a row that says nothing of its checks, as long as it is of the same audit.
    pub(crate) fn fill_in(&self, row: &mut Report) {
        if self.known.is_empty() || row.failing().is_some() {
            return;
        }
        let known = self.known.get(&row.id).filter(|known| known.generated_at == row.generated_at);
        if let Some(known) = known {
            row.set_failing(known.failing.clone());
        }
    }

    /// Keeps what an opened report says of its checks.
    pub(crate) fn on_fact(&mut self, fact: &Fact) {
        let (Fact::ReportUpdated(report) | Fact::ReportRead(report)) = fact else { return };
        if let Some(failing) = report.checks().and_then(|_| report.failing()) {
            let known = KnownChecks { generated_at: report.generated_at, failing: failing.into() };
            self.known.insert(report.id.clone(), known);
        }
    }
}

/// A deletion that was confirmed and not sent yet.
#[derive(Debug)]
pub struct PendingDelete {
    /// What would be sent.
    pub(crate) write: WriteRequest,
    /// Its name, as it may be shown.
    pub(crate) name: String,
    /// When it is sent.
    pub(crate) until: Timestamp,
    /// Who waits to know where it is kept.
    pub(crate) keeping: Option<RequestId>,
    /// Where this machine keeps it, for the next start.
    pub(crate) kept: Option<RunNumber>,
}
