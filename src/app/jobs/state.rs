//! Requests in flight and waiting: writes, bulk runs, creates, checks.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::app::effect::RequestId;
use crate::app::message::Fact;
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

impl Jobs {
    /// When a queue that waits for a rate limit sends again.
    pub(crate) fn wakes_at(&self) -> Option<Timestamp> {
        let run = self.bulk.as_ref().and_then(|bulk| bulk.run.queue.wakes_at());
        let create = self.create.as_ref().and_then(|create| create.queue.wakes_at());
        let checks = self.checks.fetch.as_ref().and_then(|fetch| fetch.queue.wakes_at());
        [run, create, checks].into_iter().flatten().min()
    }
}

/// A write that is under way.
#[derive(Debug, Clone)]
pub struct RunningWrite {
    /// The id of the request.
    pub request: RequestId,
    /// What it does, for the status line: `re-running shop.example/tea`.
    pub what: String,
    /// The write to offer again; `None` for a create, whose form stays open.
    pub(crate) again: Option<WriteRequest>,
    /// It undoes or redoes a step, and is no step itself.
    pub(crate) undoes: bool,
    /// The draft that was sent: deleted when the service accepts it, even if its form was closed meanwhile.
    pub(crate) draft: Option<Draft>,
}

impl RunningWrite {
    /// The report it is about.
    pub fn report(&self) -> Option<&ReportId> {
        match self.again.as_ref()? {
            WriteRequest::Update(id, _) | WriteRequest::DeleteReport(id) => Some(id),
            WriteRequest::DeleteProject(_) => None,
        }
    }

    /// The write as it can be sent again; `None` for a create, whose form stays open.
    pub fn repeatable(&self) -> Option<&WriteRequest> {
        self.again.as_ref()
    }
}

/// A bulk run in the dashboard.
#[derive(Debug)]
pub struct BulkJob {
    /// The run.
    pub run: Run,
    /// Its number in the journal; `None` until it is stored, or if it cannot be.
    pub(crate) number: Option<RunNumber>,
    /// The request to store it; nothing is sent before the reply.
    pub(crate) beginning: Option<RequestId>,
    /// The request and the index of each item in flight.
    pub(crate) awaited: Vec<(RequestId, usize)>,
    /// The notice of its end was shown.
    pub(crate) told: bool,
    /// When it was confirmed, or resumed by this program.
    pub(crate) begun_at: Timestamp,
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
    pub(crate) begun_at: Timestamp,
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

/// The failing checks of a report, as of an audit.
#[derive(Debug)]
pub(crate) struct KnownChecks {
    pub(crate) generated_at: Option<Timestamp>,
    pub(crate) failing: Box<[CheckId]>,
}

/// Reports whose checks are being fetched.
#[derive(Debug)]
pub(crate) struct ChecksFetch {
    /// All requested reports, so that none is fetched twice.
    pub(crate) requested: HashSet<ReportId>,
    pub(crate) queue: RequestQueue<ReportId>,
    pub(crate) in_flight: Vec<(RequestId, ReportId)>,
    pub(crate) done: usize,
    /// Failures in a row.
    pub(crate) failures: usize,
}

/// Known checks of reports whose list leaves them out.
#[derive(Debug, Default)]
pub struct KnownCheckSets {
    pub(crate) known: HashMap<ReportId, KnownChecks>,
    pub(crate) fetch: Option<ChecksFetch>,
}

impl KnownCheckSets {
    /// Adds known checks to a row of the same audit that lacks them.
    pub(crate) fn fill_in(&self, row: &mut Report) {
        if self.known.is_empty() || row.failing().is_some() {
            return;
        }
        let known = self.known.get(&row.id).filter(|known| known.generated_at == row.generated_at);
        if let Some(known) = known {
            row.set_failing(known.failing.clone());
        }
    }

    /// Records the checks of an opened report.
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
    /// The write.
    pub(crate) write: WriteRequest,
    /// Its name, as it may be shown.
    pub(crate) name: String,
    /// When it is sent.
    pub(crate) until: Timestamp,
    /// The request to store it.
    pub(crate) storing: Option<RequestId>,
    /// Its number in the journal.
    pub(crate) number: Option<RunNumber>,
}
