//! Creates many reports from one form, one page per line. Lines without a report return to the form.
//!
//! The draft on this machine holds the lines without a report, so that a crash neither loses nor repeats any.

use std::collections::BTreeMap;

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::jobs::state::CreateJob;
use crate::app::message::Fact;
use crate::app::overlays::Overlay;
use crate::app::overlays::form::Form;
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::event_log::LogEntry;
use crate::domain::failure::{Failure, FailureKind, FieldError, LookupOutcome, WriteFailure};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{NewReport, Report, ReportId};
use crate::domain::request_queue::{QueueStep, RequestQueue};
use crate::domain::text::clean;
use crate::domain::text::numbers::counted;
use crate::domain::triage::to_the_millisecond;
use crate::input::Action;

/// The maximum number of pages audited concurrently.
const MOST_IN_FLIGHT: usize = 3;

impl App {
    /// Starts to create reports for the pages of a form. `earlier` are the reports that these pages already have.
    pub(crate) fn create_many(&mut self, urls: Vec<String>, like: &NewReport, earlier: Vec<ReportId>) {
        self.jobs.create = Some(CreateJob {
            total: urls.len(),
            queue: RequestQueue::new(MOST_IN_FLIGHT, 0..urls.len()),
            left: urls.into_iter().enumerate().collect(),
            in_flight: BTreeMap::new(),
            failed: BTreeMap::new(),
            earlier,
            begun_at: self.ctx.now,
            privacy: like.privacy,
            password: like.password.clone(),
        });
        self.store_form_draft();
        self.close_form();
        self.advance_creation();
    }

    pub(crate) fn advance_creation(&mut self) {
        while let Some(job) = self.jobs.create.as_mut().filter(|_| !self.session.quitting) {
            let QueueStep::Send(line) = job.queue.next(self.ctx.now) else { break };
            let Some(url) = job.left.get(&line).cloned() else { continue };
            let request = self.ctx.next_request();
            job.in_flight.insert(request, line);
            let new = NewReport { url, privacy: job.privacy, password: job.password.clone() };
            self.ctx.effects.push(Effect::Create(request, new));
        }
        let is_quitting = self.session.quitting;
        let has_ended = |job: &mut CreateJob| {
            job.queue.is_empty() || (is_quitting || job.queue.paused().is_some()) && job.in_flight.is_empty()
        };
        if let Some(job) = self.jobs.create.take_if(has_ended) {
            self.end_creation(&job);
        }
    }

    /// Whether pages wait to be sent.
    pub(crate) fn is_sending_pages(&self) -> bool {
        self.jobs.create.as_ref().is_some_and(|job| job.unsent() > 0 && job.queue.paused().is_none())
    }

    /// Sends no further pages. Those in flight are awaited.
    pub(crate) fn stop_creation(&mut self) {
        if let Some(job) = &mut self.jobs.create {
            job.queue.pause("stopped");
        }
        self.advance_creation();
    }

    /// Handles the reply for one page of a form. Returns false if the request belongs to no such form.
    pub(crate) fn on_page_created(&mut self, request: RequestId, result: &Result<Report, WriteFailure>) -> bool {
        let Some(job) = &mut self.jobs.create else { return false };
        let Some(line) = job.in_flight.remove(&request) else { return false };
        let begun_at = job.begun_at;
        let created = match result {
            Err(WriteFailure::Unsure { found: LookupOutcome::Report(report), .. }) => Ok(&**report),
            other => other.as_ref(),
        };
        match created {
            Err(WriteFailure::Refused(failure)) if job.queue.pause_after(failure, self.ctx.now) => {
                self.ctx.note_failure(failure);
                job.queue.requeue(line);
            }
            Err(failure) => {
                let (WriteFailure::Refused(cause) | WriteFailure::Unsure { failure: cause, .. }) = failure;
                job.queue.count_failure(cause);
                job.queue.done();
                job.failed.insert(line, failure.clone());
            }
            Ok(_) => {
                job.queue.count_success();
                job.queue.done();
                job.left.remove(&line);
            }
        }
        if let Ok(report) = created {
            let begun_at = to_the_millisecond(begun_at);
            self.log(vec![LogEntry { begun_at, ..LogEntry::of_creation(report, self.ctx.now) }]);
            self.apply(&Fact::ReportCreated(report.clone()));
            // Those after the first one are requested when all pages are done.
            if self.projects.list.is_ready() && self.projects.rows().is_empty() {
                self.projects.load(&mut self.ctx);
            }
        }
        self.store_uncreated();
        self.advance_creation();
        true
    }

    /// Stores the lines without a report as the form's draft.
    fn store_uncreated(&mut self) {
        let Some(job) = &self.jobs.create else { return };
        if job.left.is_empty() {
            return self.delete_draft(&DraftKey::NewReport);
        }
        let lines: Vec<&str> = job.left.values().map(String::as_str).collect();
        let privacy = job.privacy.map(Privacy::code);
        let draft = Draft { privacy, ..Draft::of_text(DraftKey::NewReport, lines.join("\n")) };
        self.store_draft(draft);
    }

    fn end_creation(&mut self, job: &CreateJob) {
        self.projects.load(&mut self.ctx);
        let unsent = job.unsent();
        let stopped = if unsent > 0 { format!(", {unsent} not sent") } else { String::new() };
        let outcome = format!("{} created{}{stopped}", counted(job.created() as u64, "report"), job.failures_text());
        if job.left.is_empty() {
            self.delete_draft(&DraftKey::NewReport);
            return self.ctx.notify(outcome);
        }
        if !job.failed.is_empty() {
            self.call_off_quitting(&Failure::new(
                FailureKind::Local,
                &outcome,
                "The form keeps the lines without a report",
            ));
        }
        if unsent > 0 || !self.overlays.is_empty() || self.reports.typing {
            // The reason comes last, because a narrow screen cuts the end.
            let why = job.queue.paused().map(|why| format!(" ({why})")).unwrap_or_default();
            return self.ctx.notify(format!("{outcome}: {} shows them{why}", self.ctx.key(Action::NewReport)));
        }
        let mut form = Form::new_report(self.draft(&DraftKey::NewReport));
        let failed = job.left.values().zip(job.failed.values());
        let texts = failed.map(|(url, error)| format!("{}: {}", clean(url), why(error))).collect();
        form.errors.push(FieldError { field: "url".to_owned(), texts });
        form.problem = Some(format!("{outcome}. The form keeps only the lines without a report"));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// Formats the progress: `auditing 3/12 pages, 1 rejected (Esc stops)`.
    pub fn creation_text(&self) -> Option<String> {
        let job = self.jobs.create.as_ref()?;
        let waits = self.waiting_text(&job.queue);
        let stop = match (self.is_sending_pages(), job.unsent()) {
            (true, _) if self.list_has_keys() => format!(" ({} stops)", self.ctx.key(Action::Back)),
            (true, _) | (false, 0) => String::new(),
            (false, unsent) => format!(", {unsent} not sent"),
        };
        let done = job.created() + job.failed.len();
        Some(format!("auditing {done}/{} pages{}{waits}{stop}", job.total, job.failures_text()))
    }

    /// Whether replies to creates are awaited.
    pub(crate) fn awaits_creation(&self) -> bool {
        self.jobs.create.as_ref().is_some_and(|job| !job.in_flight.is_empty())
    }
}

/// Describes why a page did not become a report, or whether that is unknown.
fn why(failure: &WriteFailure) -> String {
    let message = |failure: &Failure| {
        let texts = failure.fields.iter().flat_map(|error| error.texts.iter().cloned()).collect::<Vec<_>>();
        if texts.is_empty() { failure.message.clone() } else { texts.join(", ") }
    };
    match failure {
        WriteFailure::Refused(failure) => message(failure),
        WriteFailure::Unsure { failure, found } => format!("{}. {}", failure.message, found.after_create(failure)),
    }
}
