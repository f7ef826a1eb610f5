//! Bulk runs: send a confirmed plan, report, undo. `domain::bulk` decides what is sent when.

use std::sync::Arc;

use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::effect::{Effect, ItemWrite, RequestId};
use crate::app::jobs::state::BulkJob;
use crate::app::message::Fact;
use crate::app::overlays::dialog::Question;
use crate::app::overlays::form::Form;
use crate::app::overlays::{ListCursor, MenuChoice, Overlay, cursors};
use crate::app::undo::{UndoDirection, UndoStep};
use crate::domain::bulk::{
    BulkItem, BulkOperation, BulkTargets, InterruptedRun, ItemReply, ItemState, Plan, Run, RunNumber, RunStep, summary,
};
use crate::domain::draft::DraftKey;
use crate::domain::failure::{Failure, FailureKind, WriteFailure};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{ReportId, brief_url};
use crate::domain::request_queue::RequestQueue;
use crate::domain::text::numbers::counted;
use crate::input::Action;

/// The maximum number of requests in flight: a service audits few pages concurrently.
pub(super) const MOST_IN_FLIGHT: usize = 3;

impl App {
    /// Starts a confirmed plan. `direction` is set if it undoes or redoes an earlier run.
    pub(crate) fn begin_run(&mut self, plan: Plan, direction: Option<UndoDirection>) {
        if let Some(reason) = self.run_disabled_reason() {
            return self.ctx.notify(reason);
        }
        self.close_form();
        self.delete_draft(&DraftKey::EditSelected);
        let direction = direction.filter(|direction| self.ctx.undo.take_planned(&plan, *direction));
        let request = self.ctx.next_request();
        let mut run = Run::new(plan, MOST_IN_FLIGHT);
        if run.operation.destroys() {
            // Until then nothing is sent, and `u` or `x` undoes the whole run.
            run.queue.wait_until(self.undoable_until());
        }
        self.ctx.effects.push(Effect::StoreRun(request, run.operation.clone(), run.items.clone()));
        self.jobs.bulk = Some(BulkJob { beginning: Some(request), direction, ..BulkJob::new(run, self.ctx.now) });
        self.open_run();
    }

    /// Opens the run's list at the last item that was sent.
    pub(crate) fn open_run(&mut self) {
        let at = self.jobs.active_run().map_or(0, |bulk| bulk.latest);
        self.overlays.retain(|overlay| !matches!(overlay, Overlay::Run(_)));
        self.overlays.push(Overlay::Run(ListCursor { at, ..ListCursor::default() }));
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
            Err(failure) => self.ctx.notify(format!("! {}. A crash would lose the run's progress", failure.message)),
        }
        self.advance_run();
    }

    /// Sends the requests that are due; none while the program is quitting.
    pub(crate) fn advance_run(&mut self) {
        while !self.session.quitting {
            let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.beginning.is_none()) else { return };
            let step = bulk.run.step(self.ctx.now);
            let (RunStep::Send(at) | RunStep::LookUp(at)) = step else { break };
            let (id, operation, number) = (bulk.run.items[at].id.clone(), bulk.run.operation.clone(), bulk.number);
            let planned = bulk.run.planned_privacy(at);
            let request = self.ctx.next_request();
            bulk.in_flight.insert(request, at);
            let latest = bulk.latest.max(at);
            let former = std::mem::replace(&mut bulk.latest, latest);
            self.move_run_cursor(former, latest);
            self.ctx.effects.push(if step == RunStep::LookUp(at) {
                Effect::ReadItem(request, id)
            } else {
                let stored = number.map(|number| (number, at));
                Effect::SendItem(request, ItemWrite { stored, id, operation, planned })
            });
        }
        self.announce_end_of_run();
    }

    /// Handles the reply for one report of the run.
    pub(crate) fn on_item(&mut self, request: RequestId, answer: ItemReply) {
        let Some(bulk) = &mut self.jobs.bulk else { return };
        let Some(at) = bulk.in_flight.remove(&request) else { return };
        let mut gone = false;
        if let ItemReply::Updated(Err(WriteFailure::Refused(failure)))
        | ItemReply::Deleted(Err(WriteFailure::Refused(failure)))
        | ItemReply::Looked(Err(failure)) = &answer
        {
            self.ctx.note_failure(failure);
            gone = failure.kind == FailureKind::NotFound;
        }
        let changed = answer.report().cloned();
        bulk.run.answered(at, answer, self.ctx.now);
        let item = bulk.run.items[at].clone();
        gone |= bulk.run.operation.destroys() && matches!(item.state, ItemState::Done(_));
        let number = bulk.number;
        let entries = self.item_entries(&item, changed.as_ref());
        if let Some(number) = number {
            self.log_changed(&entries);
            self.ctx.effects.push(Effect::StoreItem(number, at, item.state, entries));
        } else {
            self.log(entries);
        }
        if gone {
            self.apply(&Fact::ReportDeleted(item.id));
        } else if let Some(report) = changed {
            self.apply(&Fact::ReportUpdated(report));
        }
        self.advance_run();
    }

    /// Moves the cursor of the run's list, if it is on this row.
    fn move_run_cursor(&mut self, from: usize, to: usize) {
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::Run(_))) {
            if cursor.at == from {
                cursor.at = to;
            }
        }
    }

    fn announce_end_of_run(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| !bulk.is_active() && !bulk.announced) else { return };
        bulk.announced = true;
        let (number, latest) = (bulk.number, bulk.latest);
        self.ctx.undo.remember_run(bulk.begun_at, undo_steps(bulk), rest_step(bulk), bulk.direction);
        let is_done = |item: &&BulkItem| matches!(item.state, ItemState::Done(_));
        let done: Vec<ReportId> = bulk.run.items.iter().filter(is_done).map(|item| item.id.clone()).collect();
        let (text, has_failed) = (summary::outcome(&bulk.run), bulk.run.tally().failed > 0);
        self.ctx.effects.extend(number.map(Effect::DeleteRun));
        self.move_run_cursor(latest, 0);
        self.reports.unmark(&done);
        self.projects.load(&mut self.ctx);
        if has_failed {
            self.call_off_quitting(&Failure::new(FailureKind::Local, &text, ""));
        }
        let shown = self.overlays.iter().any(|overlay| matches!(overlay, Overlay::Run(_)));
        let shows = self.ctx.key(Action::Actions);
        let text = if shown { text } else { format!("{text} ({shows} shows the run)") };
        let undo = self.undo_run_text().map(|undo| format!(" · {undo}")).unwrap_or_default();
        self.ctx.notify(text + &undo);
    }

    /// Drops the deletions among the interrupted runs of which nothing was sent, and offers to resume the first other run.
    pub(crate) fn on_interrupted_runs(&mut self, runs: Vec<InterruptedRun>) {
        let (dropped, runs): (Vec<_>, Vec<_>) = runs.into_iter().partition(InterruptedRun::is_unsent_deletion);
        let (open, finished): (Vec<_>, Vec<_>) = runs.into_iter().partition(|run| run.left().next().is_some());
        self.tell_dropped(&dropped);
        self.ctx.effects.extend(dropped.iter().chain(&finished).map(|run| Effect::DeleteRun(run.run)));
        // One at a time; runs that are not resumed are offered again at the next start.
        if let Some(run) = open.into_iter().next() {
            self.ask_after_typing(Question::ResumeRun(Box::new(run)));
        }
    }

    /// Reports confirmed deletions that were not sent before the program ended.
    fn tell_dropped(&mut self, dropped: &[InterruptedRun]) {
        let items = dropped.iter().flat_map(|run| &run.items);
        let items: Vec<&BulkItem> = items.filter(|item| item.state == ItemState::Waiting).collect();
        match items[..] {
            [] => {}
            [only] => self.tell_not_sent(&brief_url(&only.url)),
            _ => self.tell_not_sent(&counted(items.len() as u64, "report")),
        }
    }

    /// Resumes an interrupted run.
    pub(crate) fn resume_run(&mut self, interrupted: InterruptedRun) {
        if let Some(reason) = self.run_disabled_reason() {
            return self.ctx.notify(reason);
        }
        if interrupted.needs_password {
            return self.mark_remaining(&interrupted);
        }
        let run = Run::resumed(interrupted.operation, interrupted.items, MOST_IN_FLIGHT);
        self.jobs.bulk = Some(BulkJob { number: Some(interrupted.run), ..BulkJob::new(run, self.ctx.now) });
        self.open_run();
        self.advance_run();
    }

    /// Marks the unfinished reports of a run whose password was not stored.
    fn mark_remaining(&mut self, interrupted: &InterruptedRun) {
        let left: Vec<ReportId> = interrupted.left().cloned().collect();
        let count = left.len() as u64;
        self.reports.mark(left, &mut self.ctx);
        self.ctx.effects.push(Effect::DeleteRun(interrupted.run));
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

    /// Returns the key that undoes the run, or continues one that undoes or redoes another. Only for a deletion that has
    /// not sent anything yet, and for a change of privacy that has ended and after which nothing else was done.
    pub(crate) fn undo_run_text(&self) -> Option<String> {
        let (undo, redo) = (self.ctx.key(Action::Undo), self.ctx.key(Action::Redo));
        if self.is_unsent_deletion() {
            return Some(format!("{undo} undoes it"));
        }
        let bulk = self.jobs.bulk.as_ref().filter(|bulk| !bulk.is_active())?;
        let is_next = |direction| self.ctx.undo.planned_run(direction) == Some(bulk.begun_at);
        match bulk.direction {
            Some(UndoDirection::Undo) => is_next(UndoDirection::Undo).then(|| format!("{undo} undoes the rest")),
            Some(UndoDirection::Redo) if is_next(UndoDirection::Redo) => Some(format!("{redo} redoes the rest")),
            Some(UndoDirection::Redo) | None => is_next(UndoDirection::Undo).then(|| format!("{undo} undoes it")),
        }
    }

    /// Whether the run is a deletion that has not sent anything yet.
    pub(crate) fn is_unsent_deletion(&self) -> bool {
        let waits = |item: &BulkItem| matches!(item.state, ItemState::Waiting | ItemState::Skipped(_));
        self.jobs.active_run().is_some_and(|bulk| bulk.run.operation.destroys() && bulk.run.items.iter().all(waits))
    }

    /// Undoes a bulk deletion that has not sent anything yet, and closes its list. Returns true if there was one.
    pub(crate) fn undo_run(&mut self) -> bool {
        let can_undo = self.is_unsent_deletion();
        if can_undo {
            self.cancel_run();
            self.overlays.pop_if(|overlay| matches!(overlay, Overlay::Run(_)));
            self.ctx.notify("Undone: nothing was deleted");
        }
        can_undo
    }

    /// Opens the report of the item under the cursor of the run's list.
    pub(crate) fn open_run_item(&mut self) {
        let (Some(Overlay::Run(cursor)), Some(bulk)) = (self.overlays.last(), &self.jobs.bulk) else { return };
        let id = bulk.run.listed().get(cursor.at).map(|item| item.id.clone());
        self.open_reports(id.as_slice());
    }

    pub(crate) fn cancel_run(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| bulk.is_active()) else { return };
        bulk.run.cancel();
        self.advance_run();
    }

    pub(crate) fn retry_failed(&mut self) {
        let Some(bulk) = self.jobs.bulk.as_mut().filter(|bulk| !bulk.is_active()) else { return };
        if bulk.run.retry() == 0 {
            return self.ctx.notify("Nothing failed");
        }
        let request = self.ctx.next_request();
        (bulk.announced, bulk.latest) = (false, 0);
        bulk.number = None;
        bulk.beginning = Some(request);
        self.ctx.effects.push(Effect::StoreRun(request, bulk.run.operation.clone(), bulk.run.items.clone()));
    }

    /// Opens the menu of available actions, those for the marked reports first. Their reports are fixed now.
    pub(crate) fn offer_actions(&mut self) {
        let targets = Arc::new(self.bulk_targets());
        let about = targets.about.clone();
        let marked = targets.ids.len() as u64;
        let what = if about.is_some() { "loaded report" } else { "marked report" };
        let mut rows: Vec<(String, MenuChoice)> = Vec::new();
        if let Some(bulk) = &self.jobs.bulk {
            rows.push((format!("show the run: {}", summary::title(&bulk.run)), MenuChoice::ShowRun));
        }
        if marked > 0 {
            let operations = [
                BulkOperation::Rerun,
                BulkOperation::Privacy { privacy: Privacy::Public, password: None },
                BulkOperation::Privacy { privacy: Privacy::Private, password: None },
            ];
            let reports = counted(marked, what);
            let row = |operation: BulkOperation| {
                (format!("{} {reports}", operation.verb()), MenuChoice::Bulk(operation, Arc::clone(&targets)))
            };
            rows.extend(operations.map(row));
            rows.push((format!("set a password for {reports}"), MenuChoice::BulkPassword(Arc::clone(&targets))));
            rows.push(row(BulkOperation::Delete));
        }
        // With marked reports, these act on them too.
        let is_listed = |action| matches!(action, Action::EditReport | Action::RerunReport | Action::Delete);
        let has_marks = marked > 0 && about.is_none();
        let single = ACTIONS
            .iter()
            .filter(|(action, _)| self.disabled_reason(*action).is_none() && !(has_marks && is_listed(*action)));
        rows.extend(single.map(|(action, text)| ((*text).to_owned(), MenuChoice::Do(*action))));
        self.open_menu(about.map_or_else(|| "Actions".to_owned(), |about| format!("Actions: {about}")), rows, 0);
    }

    /// Opens the form that sets a password for several reports, unless its plan would be refused.
    pub(crate) fn open_password_form(&mut self, targets: Arc<BulkTargets>) {
        let privacy = Privacy::Password;
        match self.plan_disabled_reason(&BulkOperation::Privacy { privacy, password: None }) {
            Some(reason) => self.ctx.notify(reason),
            None => self.open_many_form(targets, Some(privacy)),
        }
    }

    /// Opens the form that sets the privacy of several reports.
    pub(crate) fn open_many_form(&mut self, targets: Arc<BulkTargets>, privacy: Option<Privacy>) {
        let form = Form::many(targets, privacy, self.draft(&DraftKey::EditSelected));
        self.overlays.push(Overlay::Form(Box::new(form)));
    }

    /// Whether the run is paused.
    pub(crate) fn is_run_paused(&self) -> bool {
        self.jobs.bulk.as_ref().is_some_and(|bulk| bulk.run.queue.paused().is_some())
    }

    /// Whether replies for a run are awaited.
    pub(crate) fn awaits_run(&self) -> bool {
        self.jobs.bulk.as_ref().is_some_and(|bulk| !bulk.in_flight.is_empty())
    }

    /// Returns the progress for the footer; `None` without an active run.
    pub fn run_text(&self) -> Option<String> {
        let bulk = self.jobs.active_run()?;
        let undo = if self.is_unsent_deletion() { format!(" ({} undoes it)", self.undo_keys()) } else { String::new() };
        Some(summary::progress(&bulk.run) + &self.waiting_text(&bulk.run.queue) + &undo)
    }

    /// Returns the time until which a queue sends nothing: `14:02:30`; `None` if it does not wait.
    pub(crate) fn waits_until<T>(&self, queue: &RequestQueue<T>) -> Option<String> {
        let until = queue.wakes_at().filter(|until| *until > self.ctx.now)?;
        Some(until.to_zoned(self.screen.zone.clone()).strftime("%H:%M:%S").to_string())
    }

    /// Formats that time for a progress text: `, waits until 14:02:30`; empty if the queue does not wait.
    pub(crate) fn waiting_text<T>(&self, queue: &RequestQueue<T>) -> String {
        self.waits_until(queue).map(|until| format!(", waits until {until}")).unwrap_or_default()
    }
}

/// Returns the steps that undo a run: one for each earlier privacy of its reports, none for other operations.
fn undo_steps(bulk: &BulkJob) -> Vec<UndoStep> {
    let BulkOperation::Privacy { privacy: now, .. } = bulk.run.operation else { return Vec::new() };
    let step = |privacy: Privacy| {
        let changed = |item: &&BulkItem| matches!(item.state, ItemState::Done(_)) && item.before == privacy.name();
        let after = |item: &BulkItem| BulkItem { before: now.name().to_owned(), failing: None, ..item.clone() };
        let items: Vec<BulkItem> = bulk.run.items.iter().filter(changed).map(after).collect();
        (!items.is_empty()).then_some(UndoStep::PrivacyOfMany { run: bulk.begun_at, items, privacy })
    };
    Privacy::iter().filter(|privacy| *privacy != now).filter_map(step).collect()
}

/// Returns the step for what a run left undone that undoes or redoes another one; none if nothing but failed, which would
/// fail again and hide the steps below.
fn rest_step(bulk: &BulkJob) -> Option<UndoStep> {
    let BulkOperation::Privacy { privacy, .. } = bulk.run.operation else { return None };
    let items: Vec<BulkItem> = bulk.run.unfinished().cloned().collect();
    let tally = bulk.run.tally();
    let has_only_failed = tally.done == 0 && items.len() == tally.failed;
    (!items.is_empty() && !has_only_failed).then_some(UndoStep::PrivacyOfMany { run: bulk.begun_at, items, privacy })
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
