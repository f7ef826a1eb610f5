//! Many new reports from one form: each line is a page. They are audited a few at a time; what was refused comes back
//! into the form, what was made does not.
//!
//! The draft on this machine always holds the lines that are not made yet: a crash loses none and repeats none.

use crate::app::jobs::state::CreateJob;

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::facts::Fact;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::Form;
use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, FailureKind, FieldError, LookupOutcome, WriteFailure};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report};
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::input::Action;

/// How many pages are audited at the same time.
const AT_ONCE: usize = 3;
/// A service that says "not now" without saying for how long is asked again after this.
const USUAL_WAIT: SignedDuration = SignedDuration::from_secs(60);

impl App {
    /// Begins to audit the pages of a form, one a line.
    pub(crate) fn begin_batch(&mut self, urls: Vec<String>, like: &NewReport) {
        if self.jobs.create.is_some() {
            self.with_form(|form| form.problem = Some("Pages of another form are still being audited".to_owned()));
            return;
        }
        self.jobs.create = Some(CreateJob {
            all: urls.len(),
            waiting: urls.into(),
            under_way: Vec::new(),
            refused: Vec::new(),
            made: 0,
            privacy: like.privacy,
            password: like.password.clone(),
            wait_until: None,
        });
        self.keep_draft();
        self.close_form();
        self.advance_batch();
    }

    pub(crate) fn advance_batch(&mut self) {
        loop {
            let now = self.ctx.now;
            let Some(batch) = &mut self.jobs.create else { return };
            let waits = batch.wait_until.is_some_and(|until| until > now);
            if waits || self.session.quitting || batch.under_way.len() >= AT_ONCE {
                break;
            }
            batch.wait_until = None;
            let Some(url) = batch.waiting.pop_front() else { break };
            let new = NewReport { url: url.clone(), privacy: batch.privacy, password: batch.password.clone() };
            let request = self.ctx.next_request();
            if let Some(batch) = &mut self.jobs.create {
                batch.under_way.push((request, url));
            }
            self.ctx.effects.push(Effect::Create(request, new));
        }
        let ended =
            self.jobs.create.as_ref().is_some_and(|batch| batch.waiting.is_empty() && batch.under_way.is_empty());
        if let Some(batch) = self.jobs.create.take_if(|_| ended) {
            self.end_batch(batch);
        }
    }

    /// Takes the answer about one page. False when it is not of a batch.
    pub(crate) fn on_page_of_batch(&mut self, request: RequestId, result: &Result<Report, WriteFailure>) -> bool {
        let now = self.ctx.now;
        let Some(batch) = &mut self.jobs.create else { return false };
        let Some(at) = batch.under_way.iter().position(|(waiting, _)| *waiting == request) else { return false };
        let (_, url) = batch.under_way.remove(at);
        match result {
            Ok(report) => self.take_created(report),
            Err(WriteFailure::Unsure { found: LookupOutcome::Report(report), .. }) => self.take_created(report),
            Err(WriteFailure::Refused(failure)) if failure.kind == FailureKind::RateLimited => {
                let wait = failure.retry_after.and_then(|wait| SignedDuration::try_from(wait).ok());
                batch.wait_until = now.saturating_add(wait.unwrap_or(USUAL_WAIT)).ok();
                batch.waiting.push_front(url);
            }
            Err(failure) => batch.refused.push((url, why(failure))),
        }
        self.keep_batch();
        self.advance_batch();
        self.leave_when_done();
        true
    }

    fn take_created(&mut self, report: &Report) {
        if let Some(batch) = &mut self.jobs.create {
            batch.made += 1;
        }
        self.apply(&Fact::ReportCreated(report.clone()));
    }

    /// Keeps the lines that are not made yet as the draft of a new report.
    fn keep_batch(&mut self) {
        let Some(batch) = &self.jobs.create else { return };
        let left: Vec<&str> = batch.left().map(String::as_str).collect();
        if left.is_empty() {
            return self.forget_draft("new".to_owned());
        }
        let privacy = batch.privacy.map(Privacy::code);
        let draft = Draft { form: "new".to_owned(), url: left.join("\n"), privacy, rerun: false };
        self.put_draft(draft);
    }

    fn end_batch(&mut self, batch: CreateJob) {
        self.projects.load(&mut self.ctx);
        let made = counted(batch.made as u64, "page");
        if batch.refused.is_empty() {
            self.forget_draft("new".to_owned());
            return self.ctx.tell(format!("{made} audited"));
        }
        let refused = batch.refused.len();
        if !self.overlays.is_empty() {
            return self
                .ctx
                .tell(format!("{made} audited, {refused} refused: {} shows them", self.ctx.key(Action::NewReport)));
        }
        let draft = self.drafts.iter().find(|draft| draft.form == "new");
        let mut form = Form::new_report(draft);
        let texts = batch.refused.into_iter().map(|(url, why)| format!("{}: {why}", clean(&url))).collect();
        form.errors.push(FieldError { field: "url".to_owned(), texts });
        form.problem = Some(format!("{made} audited, {refused} refused. Only the refused lines are left in the form"));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// `auditing 3/12 pages, 1 refused`.
    pub fn batch_text(&self) -> Option<String> {
        let batch = self.jobs.create.as_ref()?;
        let refused = batch.refused.len();
        let refused_text = if refused > 0 { format!(", {refused} refused") } else { String::new() };
        Some(format!("auditing {}/{} pages{refused_text}", batch.made + refused, batch.all))
    }

    /// Whether answers about pages are awaited.
    pub(crate) fn awaits_batch(&self) -> bool {
        self.jobs.create.as_ref().is_some_and(|batch| !batch.under_way.is_empty())
    }

    pub(crate) fn batch_wakes_at(&self) -> Option<Timestamp> {
        self.jobs.create.as_ref()?.wait_until
    }
}

/// Why a page did not become a report, and what is known of it.
fn why(failure: &WriteFailure) -> String {
    let told = |failure: &Failure| {
        let texts = failure.fields.iter().flat_map(|error| error.texts.iter().cloned()).collect::<Vec<_>>();
        if texts.is_empty() { failure.message.clone() } else { texts.join(", ") }
    };
    match failure {
        WriteFailure::Refused(failure) => told(failure),
        WriteFailure::Unsure { failure, found: LookupOutcome::Nothing | LookupOutcome::Report(_) } => {
            format!("{}; it was most likely not made", failure.message)
        }
        WriteFailure::Unsure { failure, found: LookupOutcome::Unknown(_) } => {
            format!("{}; whether it was made is not known", failure.message)
        }
    }
}
