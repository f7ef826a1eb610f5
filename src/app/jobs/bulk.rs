//! Bulk runs: plan, confirm, send, report.
//!
//! The targets are fixed when the plan is made; later refreshes, sorting or filtering do not change them.
//! `domain::bulk` decides what is sent when.

use std::time::Duration;

use crate::app::App;
use crate::app::effect::{Effect, ItemWrite, RequestId};
use crate::app::jobs::state::BulkJob;
use crate::app::message::Fact;
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::Form;
use crate::app::overlays::{ListCursor, MenuChoice, Overlay};
use crate::app::replies::BulkTargets;
use crate::domain::bulk::{
    BulkItem, BulkOperation, InterruptedRun, ItemReply, ItemState, Plan, RequestPace, Run, RunNumber, RunStep,
};
use crate::domain::desk::Role;
use crate::domain::draft::DraftKey;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::report_state::Trend;
use crate::domain::text::numbers::{counted, grouped};
use crate::input::Action;

/// The maximum number of requests in flight: a service audits few pages concurrently.
const AT_ONCE: usize = 3;
/// The assumed duration of a re-run until one was measured.
const USUAL_AUDIT: Duration = Duration::from_secs(3);
/// The assumed duration of any other write.
const USUAL_WRITE: Duration = Duration::from_millis(200);
/// The number of recent exchanges used to estimate the duration of a write.
const LATEST: usize = 9;

impl App {
    /// Plans an operation for the marked reports, or those of the project, and asks for confirmation.
    pub(crate) fn plan(&mut self, operation: BulkOperation) {
        let needed = if matches!(operation, BulkOperation::Rerun) { Role::Triage } else { Role::Admin };
        let reason = self.role_reason(needed).or_else(|| self.run_disabled_reason());
        if let Some(reason) = reason.or_else(|| self.cached_rows_reason()) {
            self.ctx.notify(reason);
            return;
        }
        self.reports.end_range(&mut self.ctx);
        let BulkTargets { ids: targets, project } = self.bulk_targets();
        let rows = targets.iter().filter_map(|id| self.reports.listing.row(id));
        let plan = Plan::new(operation, rows, |id| self.is_writing(id));
        if plan.changes() == 0 {
            self.ctx.notify(format!("Nothing to do: {}", skip_summary(&plan)));
            return;
        }
        let takes = plan.duration(self.request_pace(&plan.operation));
        self.ask(Question::Bulk { plan: Box::new(plan), takes, project });
    }

    fn run_disabled_reason(&self) -> Option<String> {
        let busy = self.jobs.bulk.as_ref().filter(|bulk| bulk.is_active());
        busy.map(|bulk| {
            format!(
                "Still {} other reports: {} shows the progress",
                bulk.run.operation.progress_verb(),
                self.ctx.key(Action::Actions)
            )
        })
        .or_else(|| self.write_disabled_reason())
    }

    /// Returns the measured pace of this kind of write, and the service's rate limit.
    fn request_pace(&self, operation: &BulkOperation) -> RequestPace {
        let method = if operation.destroys() { "DELETE" } else { "PUT" };
        let alike = self.ctx.activity.iter().filter(|exchange| exchange.method == method && exchange.status.is_some());
        let mut times: Vec<Duration> = alike.take(LATEST).map(|exchange| exchange.took).collect();
        times.sort_unstable();
        let usual = if matches!(operation, BulkOperation::Rerun) { USUAL_AUDIT } else { USUAL_WRITE };
        let each = times.get(times.len() / 2).copied().unwrap_or(usual);
        let limit = self.ctx.activity.iter().find_map(|exchange| exchange.limit);
        RequestPace { each, at_once: AT_ONCE, limit }
    }

    /// Starts a confirmed plan.
    pub(crate) fn begin_run(&mut self, plan: Plan) {
        if let Some(reason) = self.run_disabled_reason() {
            self.ctx.notify(reason);
            return;
        }
        self.delete_draft(&DraftKey::EditSelected);
        let request = self.ctx.next_request();
        let mut run = Run::new(plan, AT_ONCE);
        if run.operation.destroys() {
            // Until then nothing is sent, and `u` or `x` undoes the whole run.
            run.queue.wait_until(self.ctx.now.saturating_add(self.jobs.delete_delay).unwrap_or(self.ctx.now));
        }
        self.ctx.effects.push(Effect::StoreRun(request, run.operation.clone(), run.items.clone()));
        self.jobs.bulk = Some(BulkJob { beginning: Some(request), ..BulkJob::new(run, self.ctx.now) });
        self.overlays.push(Overlay::Run(ListCursor::default()));
    }

    /// Handles the journal's reply. If the run could not be stored, it continues with a notice.
    pub(crate) fn on_run_stored(&mut self, request: RequestId, result: Result<Option<RunNumber>, Failure>) {
        if self.on_pending_stored(request, result.as_ref().ok().copied().flatten()) {
            return;
        }
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.beginning == Some(request)) else {
            // A deletion that was sent or undone before it was stored.
            self.ctx.effects.extend(result.ok().flatten().map(Effect::DeleteRun));
            return;
        };
        bulk.beginning = None;
        match result {
            Ok(number) => bulk.number = number,
            Err(failure) => self.ctx.notify(format!("{}. A crash would lose the run's progress", failure.message)),
        }
        self.advance_run();
    }

    /// Sends the requests that are due; none while the program is quitting.
    pub(crate) fn advance_run(&mut self) {
        while !self.session.quitting {
            let now = self.ctx.now;
            let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.beginning.is_none()) else { return };
            let (at, looks) = match bulk.run.step(now) {
                RunStep::Send(at) => (at, false),
                RunStep::LookUp(at) => (at, true),
                RunStep::Wait(_) | RunStep::Nothing => break,
            };
            let (id, operation, number) = (bulk.run.items[at].id.clone(), bulk.run.operation.clone(), bulk.number);
            let planned = bulk.run.planned_privacy(at);
            let request = self.ctx.next_request();
            if let Some(bulk) = &mut self.jobs.bulk {
                bulk.in_flight.insert(request, at);
            }
            self.ctx.effects.push(if looks {
                Effect::ReadItem(request, id)
            } else {
                Effect::SendItem(
                    request,
                    ItemWrite { stored: number.map(|number| (number, at)), id, operation, planned },
                )
            });
        }
        self.announce_end_of_run();
    }

    /// Handles the reply for one report of the run.
    pub(crate) fn on_item(&mut self, request: RequestId, answer: ItemReply) {
        let now = self.ctx.now;
        let Some(bulk) = &mut self.jobs.bulk else { return };
        let Some(at) = bulk.in_flight.remove(&request) else { return };
        let changed = match &answer {
            ItemReply::Updated(Ok(report)) | ItemReply::Looked(Ok(report)) | ItemReply::Changed(report) => {
                Some(report.clone())
            }
            ItemReply::Updated(Err(_)) | ItemReply::Deleted(_) | ItemReply::Looked(Err(_)) => None,
        };
        bulk.run.answered(at, answer, now);
        let item = bulk.run.items[at].clone();
        let gone = bulk.run.operation.destroys() && matches!(item.state, ItemState::Done(_));
        if let Some(number) = bulk.number {
            self.ctx.effects.push(Effect::StoreItem(number, at, item.state.clone()));
        }
        if matches!(item.state, ItemState::Done(_)) {
            self.log_item(&item.id, changed.as_ref());
        }
        if gone {
            self.apply(&Fact::ReportDeleted(item.id));
        } else if let Some(report) = changed {
            self.apply(&Fact::ReportUpdated(report));
        }
        self.advance_run();
        self.quit_when_done();
    }

    fn announce_end_of_run(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| !bulk.is_active() && !bulk.announced) else { return };
        bulk.announced = true;
        let number = bulk.number;
        let done: Vec<ReportId> = bulk
            .run
            .items
            .iter()
            .filter(|item| matches!(item.state, ItemState::Done(_)))
            .map(|item| item.id.clone())
            .collect();
        let text = outcome(&bulk.run);
        self.ctx.effects.extend(number.map(Effect::DeleteRun));
        self.reports.unmark(&done);
        self.projects.load(&mut self.ctx);
        let shown = self.overlays.iter().any(|overlay| matches!(overlay, Overlay::Run(_)));
        let key = self.ctx.key(Action::Actions);
        self.ctx.notify(if shown { text } else { format!("{text} ({key} shows the list)") });
    }

    /// Offers to resume the first interrupted run.
    pub(crate) fn on_interrupted_runs(&mut self, mut runs: Vec<InterruptedRun>) {
        // One at a time; runs that are not resumed are offered again at the next start.
        if runs.is_empty() {
            return;
        }
        let run = runs.remove(0);
        if run.left().next().is_none() {
            self.ctx.effects.push(Effect::DeleteRun(run.run));
            return self.on_interrupted_runs(runs);
        }
        self.ask_after_typing(Question::ResumeRun(Box::new(run)));
    }

    /// Resumes an interrupted run.
    pub(crate) fn resume_run(&mut self, broken: InterruptedRun) {
        if let Some(reason) = self.run_disabled_reason() {
            self.ctx.notify(reason);
            return;
        }
        if broken.needs_password {
            return self.mark_remaining(&broken);
        }
        let run = Run::resumed(broken.operation, broken.items, AT_ONCE);
        self.jobs.bulk = Some(BulkJob { number: Some(broken.run), ..BulkJob::new(run, self.ctx.now) });
        self.overlays.push(Overlay::Run(ListCursor::default()));
        self.advance_run();
    }

    /// Marks the unfinished reports of a run whose password was not stored.
    fn mark_remaining(&mut self, broken: &InterruptedRun) {
        let left: Vec<ReportId> = broken.left().cloned().collect();
        let count = left.len() as u64;
        self.reports.mark(left, &mut self.ctx);
        self.ctx.effects.push(Effect::DeleteRun(broken.run));
        let key = self.ctx.key(Action::EditReport);
        self.ctx.notify(format!(
            "{} left, now marked: the password was not stored; {key} sets it again",
            counted(count, "report")
        ));
    }

    /// Pauses or resumes the run.
    pub(crate) fn pause_or_resume(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.is_active()) else { return };
        match bulk.run.queue.paused() {
            Some(_) => bulk.run.queue.resume(),
            None => bulk.run.queue.pause("by you"),
        }
        self.advance_run();
    }

    /// Undoes a bulk deletion that has not sent anything yet. Returns true if there was one.
    pub(crate) fn undo_run(&mut self) -> bool {
        let waits = |item: &BulkItem| matches!(item.state, ItemState::Waiting | ItemState::Skipped(_));
        let untouched = |bulk: &&BulkJob| bulk.is_active() && bulk.run.items.iter().all(waits);
        let taken = self.jobs.bulk.as_ref().filter(untouched).is_some_and(|bulk| bulk.run.operation.destroys());
        if taken {
            self.cancel_run();
            self.ctx.notify("Undone: nothing was deleted".to_owned());
        }
        taken
    }

    pub(crate) fn cancel_run(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.is_active()) else { return };
        bulk.run.cancel();
        self.advance_run();
    }

    pub(crate) fn retry_failed(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| !bulk.is_active()) else { return };
        if bulk.run.retry() == 0 {
            return self.ctx.notify("Nothing failed".to_owned());
        }
        let request = self.ctx.next_request();
        if let Some(bulk) = &mut self.jobs.bulk {
            bulk.announced = false;
            bulk.number = None;
            bulk.beginning = Some(request);
            self.ctx.effects.push(Effect::StoreRun(request, bulk.run.operation.clone(), bulk.run.items.clone()));
        }
    }

    /// Opens the menu of available actions, those for the marked reports first.
    pub(crate) fn offer_actions(&mut self) {
        let BulkTargets { ids, project } = self.bulk_targets();
        let (marked, what) = (ids.len() as u64, if project.is_some() { "loaded report" } else { "marked report" });
        let mut rows: Vec<(String, MenuChoice)> = Vec::new();
        if let Some(bulk) = &self.jobs.bulk {
            rows.push((format!("show the run: {}", title(&bulk.run)), MenuChoice::ShowRun));
        }
        if marked > 0 {
            let operations = [
                BulkOperation::Rerun,
                BulkOperation::Privacy { privacy: Privacy::Public, password: None },
                BulkOperation::Privacy { privacy: Privacy::Private, password: None },
            ];
            let text = |operation: &BulkOperation| format!("{} {}", operation.verb(), counted(marked, what));
            rows.extend(operations.into_iter().map(|operation| (text(&operation), MenuChoice::Bulk(operation))));
            rows.push((format!("set a password for {}", counted(marked, what)), MenuChoice::BulkPassword));
            rows.push((text(&BulkOperation::Delete), MenuChoice::Bulk(BulkOperation::Delete)));
        }
        let single = ACTIONS.iter().filter(|(action, _)| self.disabled_reason(*action).is_none());
        rows.extend(single.map(|(action, text)| ((*text).to_owned(), MenuChoice::Do(*action))));
        self.open_menu(project.map_or_else(|| "Actions".to_owned(), |about| format!("Actions: {about}")), rows, 0);
    }

    /// Opens the form that sets the privacy of all marked reports.
    pub(crate) fn open_many_form(&mut self, privacy: Option<Privacy>) {
        let form = Form::many(self.bulk_targets().ids.len(), privacy, self.draft(&DraftKey::EditSelected));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// Whether replies for a run are awaited.
    pub(crate) fn awaits_run(&self) -> bool {
        self.jobs.bulk.as_ref().is_some_and(|bulk| !bulk.in_flight.is_empty())
    }

    /// Returns the progress for the footer; `None` without an active run.
    pub fn run_text(&self) -> Option<String> {
        let bulk = self.jobs.bulk.as_ref().filter(|bulk| bulk.is_active())?;
        Some(progress(&bulk.run))
    }
}

/// The actions that the menu offers for the report under the cursor.
const ACTIONS: [(Action, &str); 8] = [
    (Action::NewReport, "new report"),
    (Action::EditReport, "edit: privacy, password, re-run"),
    (Action::RerunReport, "re-run: audit the page again"),
    (Action::OpenWebPage, "open the web page"),
    (Action::OpenReportPage, "open the report page"),
    (Action::CopyUrl, "copy the URL"),
    (Action::Export, "export marked or shown reports"),
    (Action::Delete, "delete"),
];

/// Formats the progress: `re-running 12/87, 2 failed`, and why it is paused.
pub fn progress(run: &Run) -> String {
    let tally = run.tally();
    let ended = tally.done + tally.failed + tally.skipped;
    let failed = if tally.failed > 0 { format!(", {} failed", grouped(tally.failed as u64)) } else { String::new() };
    let paused = run.queue.paused().map(|why| format!(" · paused: {why}")).unwrap_or_default();
    let of = format!("{}/{}", grouped(ended as u64), grouped(tally.all as u64));
    format!("{} {of}{failed}{paused}", run.operation.progress_verb())
}

/// Formats the title of the run's list: its progress, or its outcome.
pub fn title(run: &Run) -> String {
    if run.has_ended() { outcome(run) } else { progress(run) }
}

/// Formats the outcome of a run.
fn outcome(run: &Run) -> String {
    let tally = run.tally();
    let compared = tally.improved + tally.same + tally.worse;
    let changes = [(tally.improved, "improved"), (tally.same, "same"), (tally.worse, "worse")];
    let changes =
        changes.iter().filter(|_| compared > 0).map(|(count, what)| format!("{what} {}", grouped(*count as u64)));
    let parts = [(tally.done - compared, "done"), (tally.failed, "failed"), (tally.skipped, "skipped")];
    let others =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(*count as u64)));
    let texts: Vec<String> = changes.chain(others).collect();
    format!("{}: {}", run.operation.verb(), texts.join(", "))
}

/// Describes why a plan has nothing to send.
fn skip_summary(plan: &Plan) -> String {
    let reasons: Vec<&str> = plan.rows.iter().filter_map(|row| row.skip.as_deref()).collect();
    match reasons.as_slice() {
        [] => "nothing is marked".to_owned(),
        [one] => format!("the marked report {one}"),
        [first, rest @ ..] if rest.iter().all(|reason| reason == first) => {
            format!("each of the {} marked reports {first}", reasons.len())
        }
        _ => format!("none of the {} marked reports needs a change", reasons.len()),
    }
}

/// Returns the state of an item in words, with its detail.
pub fn item_words(item: &BulkItem) -> (&'static str, &str) {
    match &item.state {
        ItemState::Waiting => ("waiting", ""),
        ItemState::Lost => ("to be checked", ""),
        ItemState::Sent => ("running", ""),
        ItemState::Done(text) => (
            match item.change {
                Some(Trend::Better) => "improved",
                Some(Trend::Same) => "same",
                Some(Trend::Worse) => "worse",
                None => "done",
            },
            text,
        ),
        ItemState::Failed(text) => ("failed", text),
        ItemState::Skipped(text) => ("skipped", text),
    }
}
