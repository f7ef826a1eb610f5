//! The state of jobs: requests in flight and queued for writes, bulk runs, creation, checks.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::app::effect::RequestId;
use crate::app::message::Fact;
use crate::app::overlays::dialog::Question;
use crate::app::undo::{RequestedStep, UndoDirection};
use crate::domain::bulk::{Run, RunNumber};
use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, WriteFailure};
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportId, WriteRequest};
use crate::domain::request_queue::RequestQueue;

/// The delay before a confirmed deletion is sent.
pub const DELETE_DELAY: SignedDuration = SignedDuration::from_secs(5);

/// Requests that change reports or run in the background.
#[derive(Debug, Default)]
pub struct Jobs {
    /// Single writes in flight.
    pub writes: Vec<RunningWrite>,
    /// The creation of reports from the pages of one form.
    pub create: Option<CreateJob>,
    /// Confirmed deletions that are not sent yet.
    pub pending_deletes: Vec<PendingDelete>,
    /// The delay before they are sent, [`DELETE_DELAY`] in the program.
    pub delete_delay: SignedDuration,
    /// The running bulk run, or the last one.
    pub bulk: Option<BulkJob>,
    /// Checks that lists omit.
    pub checks: KnownCheckSets,
    /// Questions that replies raise while the user is typing.
    pub(crate) questions: VecDeque<Question>,
}

impl Jobs {
    /// Returns the bulk run that has not ended.
    pub(crate) fn active_run(&self) -> Option<&BulkJob> {
        self.bulk.as_ref().filter(|bulk| bulk.is_active())
    }

    /// Returns when the next queue waiting for a rate limit continues.
    pub(crate) fn wakes_at(&self) -> Option<Timestamp> {
        let run = self.bulk.as_ref().and_then(|bulk| bulk.run.queue.wakes_at());
        let create = self.create.as_ref().and_then(|create| create.queue.wakes_at());
        let checks = self.checks.fetch.as_ref().and_then(|fetch| fetch.queue.wakes_at());
        [run, create, checks].into_iter().flatten().min()
    }

    /// Whether this report existed before the request that creates one for its page.
    pub(super) fn is_earlier(&self, request: RequestId, id: &ReportId) -> bool {
        let of_page = self.writes.iter().find(|write| write.request == request).map(|write| &write.earlier);
        let of_many = self.create.as_ref().filter(|job| job.in_flight.contains_key(&request)).map(|job| &job.earlier);
        of_page.or(of_many).is_some_and(|earlier| earlier.contains(id))
    }
}

/// A write in flight.
#[derive(Debug, Clone)]
pub struct RunningWrite {
    /// The id of the request.
    pub request: RequestId,
    /// What happens to it: `re-running`.
    pub(crate) verb: &'static str,
    /// The name of its report, page or project.
    pub(crate) target: String,
    /// The write to offer for a retry; `None` for a create, whose form stays open.
    pub again: Option<WriteRequest>,
    /// The step that it undoes or redoes. Such a write is no undo step itself.
    pub(crate) undoes: Option<RequestedStep>,
    /// The draft that was sent: deleted when the service accepts it, even if its form was closed meanwhile.
    pub(crate) draft: Option<Draft>,
    /// The reports that the page of a create had before.
    pub(crate) earlier: Vec<ReportId>,
    /// Its report before it was sent, if known. A list read since may show the change already.
    pub(crate) before: Option<Box<Report>>,
}

impl RunningWrite {
    /// Creates the record of a write that is sent now.
    pub(super) fn new(request: RequestId, verb: &'static str, target: String, again: Option<WriteRequest>) -> Self {
        Self { request, verb, target, again, undoes: None, draft: None, earlier: Vec::new(), before: None }
    }

    /// Describes it for the status line: `re-running shop.example/tea`.
    pub fn description(&self) -> String {
        format!("{} {}", self.verb, self.target)
    }

    /// Names its target in a failure: `shop.example/tea: the report no longer exists`.
    pub(super) fn named(&self, failure: &Failure) -> Failure {
        Failure { message: format!("{}: {}", self.target, failure.message), ..failure.clone() }
    }

    /// The report that it concerns.
    pub fn report(&self) -> Option<&ReportId> {
        match self.again.as_ref()? {
            WriteRequest::Update(id, _) | WriteRequest::DeleteReport(id) => Some(id),
            WriteRequest::DeleteProject(_) => None,
        }
    }
}

/// A bulk run in the dashboard.
#[derive(Debug)]
pub struct BulkJob {
    /// The run.
    pub run: Run,
    /// Its number in the journal; `None` until it is stored, or if that failed.
    pub(crate) number: Option<RunNumber>,
    /// The request that stores it; nothing is sent before the reply.
    pub(crate) beginning: Option<RequestId>,
    /// The indexes of the items in flight, by request.
    pub(crate) in_flight: BTreeMap<RequestId, usize>,
    /// The index of the last item that was sent: the cursor of the run's list moves along until the user moves it.
    pub(crate) latest: usize,
    /// Whether the notice of its end was shown.
    pub(crate) announced: bool,
    /// When it was confirmed, or resumed in this run of the program.
    pub(crate) begun_at: Timestamp,
    /// Whether it undoes or redoes an earlier run; `None` for neither.
    pub(crate) direction: Option<UndoDirection>,
}

impl BulkJob {
    /// Creates a run that is not stored yet, and of which nothing was sent.
    pub(crate) fn new(run: Run, begun_at: Timestamp) -> Self {
        Self {
            run,
            number: None,
            beginning: None,
            in_flight: BTreeMap::new(),
            latest: 0,
            announced: false,
            begun_at,
            direction: None,
        }
    }

    /// Whether replies or unsent items remain.
    pub fn is_active(&self) -> bool {
        self.beginning.is_some() || !self.run.has_ended()
    }

    /// Whether the reply for this report is awaited.
    pub(crate) fn is_sending(&self, id: &ReportId) -> bool {
        self.in_flight.values().any(|at| self.run.items[*at].id == *id)
    }
}

/// Pages of a form that are being created as reports.
#[derive(Debug)]
pub struct CreateJob {
    /// The lines without a report yet (failed, in flight or waiting), by their position in the form.
    pub(crate) left: BTreeMap<usize, String>,
    /// The positions of the lines not sent yet.
    pub(crate) queue: RequestQueue<usize>,
    pub(crate) in_flight: BTreeMap<RequestId, usize>,
    /// Why lines have no report, by position.
    pub(crate) failed: BTreeMap<usize, WriteFailure>,
    /// The reports that the pages had before.
    pub(crate) earlier: Vec<ReportId>,
    pub(crate) begun_at: Timestamp,
    pub(crate) total: usize,
    pub(crate) privacy: Option<Privacy>,
    pub(crate) password: Option<SecretString>,
}

impl CreateJob {
    /// The number of lines that became a report.
    pub(crate) fn created(&self) -> usize {
        self.total - self.left.len()
    }

    /// The number of lines not sent yet.
    pub(super) fn unsent(&self) -> usize {
        self.left.len() - self.failed.len() - self.in_flight.len()
    }

    /// Formats the number of lines without a report, after a comma: `, 1 rejected, 2 with unknown outcome`.
    pub(super) fn failures_text(&self) -> String {
        let is_rejected = |failure: &&WriteFailure| matches!(failure, WriteFailure::Refused(_));
        let rejected = self.failed.values().filter(is_rejected).count();
        let text = |count: usize, what| if count > 0 { format!(", {count} {what}") } else { String::new() };
        text(rejected, "rejected") + &text(self.failed.len() - rejected, "with unknown outcome")
    }
}

/// The failing checks of a report at one audit.
#[derive(Debug)]
pub(crate) struct KnownChecks {
    pub(crate) generated_at: Option<Timestamp>,
    pub(crate) failing: Box<[CheckId]>,
}

/// A running fetch of checks.
#[derive(Debug)]
pub(crate) struct ChecksFetch {
    /// All requested reports, so that none is fetched twice.
    pub(crate) requested: HashSet<ReportId>,
    pub(crate) queue: RequestQueue<ReportId>,
    pub(crate) in_flight: BTreeMap<RequestId, ReportId>,
    pub(crate) done: usize,
    /// Consecutive failures.
    pub(crate) failures: usize,
}

/// Known checks of reports whose list omits them.
#[derive(Debug, Default)]
pub struct KnownCheckSets {
    pub(crate) known: HashMap<ReportId, KnownChecks>,
    pub(crate) fetch: Option<ChecksFetch>,
}

impl KnownCheckSets {
    /// Adds known checks of the same audit to a row without checks.
    pub(crate) fn fill_in(&self, row: &mut Report) {
        if self.known.is_empty() || row.knows_failing() {
            return;
        }
        let known = self.known.get(&row.id).filter(|known| known.generated_at == row.generated_at);
        if let Some(known) = known {
            row.failed = known.failing.clone().into();
        }
    }

    /// Records the checks of a report that was created, changed or opened. Those requested before a change are requested
    /// again: the reply to the earlier request would revert it.
    pub(crate) fn on_fact(&mut self, fact: &Fact) {
        if let (Fact::ReportUpdated(report), Some(fetch)) = (fact, &mut self.fetch) {
            for (_, id) in fetch.in_flight.extract_if(.., |_, id| *id == report.id) {
                fetch.queue.requeue(id);
            }
        }
        let (Fact::ReportCreated(report) | Fact::ReportUpdated(report) | Fact::ReportRead(report)) = fact else {
            return;
        };
        if let Some(failing) = report.checks().and_then(|_| report.failing()) {
            let known = KnownChecks { generated_at: report.generated_at, failing: failing.into() };
            self.known.insert(report.id.clone(), known);
        }
    }
}

/// A confirmed deletion that is not sent yet.
#[derive(Debug)]
pub struct PendingDelete {
    /// The write.
    pub(crate) write: WriteRequest,
    /// Its display name.
    pub(crate) name: String,
    /// When it will be sent.
    pub(crate) until: Timestamp,
    /// The request that stores it.
    pub(crate) storing: Option<RequestId>,
    /// Its number in the journal.
    pub(crate) number: Option<RunNumber>,
}
