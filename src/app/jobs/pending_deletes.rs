//! Delays confirmed deletions by a few seconds, during which they can be undone.
//!
//! They are stored in the journal. If the program ends before they are sent, they are dropped, and the next start
//! reports it.

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::app::effect::{Effect, RequestId};
use crate::app::jobs::state::{PendingDelete, RunningWrite};
use crate::app::overlays::Overlay;
use crate::app::overlays::dialog::Question;
use crate::domain::bulk::{BulkOperation, ItemState, Plan, RunNumber};
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::report::{ReportId, WriteRequest};
use crate::domain::text::clean;
use crate::input::Action;

impl App {
    /// Schedules a confirmed deletion, to be sent after the delay.
    pub(crate) fn delete_later(&mut self, write: WriteRequest, name: String) {
        if self.jobs.delete_delay.is_zero() {
            return self.write(write);
        }
        if let Some(reason) = self.write_disabled_reason() {
            return self.ctx.notify(reason);
        }
        let until = self.undoable_until();
        let storing = self.store_pending(&write);
        self.jobs.pending_deletes.push(PendingDelete { write, name, until, storing, number: None });
    }

    /// Returns until when a deletion confirmed now can be undone.
    pub(super) fn undoable_until(&self) -> Timestamp {
        self.ctx.now.saturating_add(self.jobs.delete_delay).unwrap_or(self.ctx.now)
    }

    /// Starts the delays of pending deletions again: without the terminal, the user could not undo them.
    pub(crate) fn restart_deletion_delays(&mut self) {
        let until = self.undoable_until();
        for pending in &mut self.jobs.pending_deletes {
            pending.until = until;
        }
        if self.is_unsent_deletion()
            && let Some(bulk) = &mut self.jobs.bulk
        {
            bulk.run.queue.wait_until(until);
        }
    }

    /// Stores a pending deletion: of a report as a bulk run of one, of a project as a draft.
    fn store_pending(&mut self, write: &WriteRequest) -> Option<RequestId> {
        if let WriteRequest::DeleteProject(name) = write {
            let draft = Draft::of_text(DraftKey::DeleteProject(name.raw().to_owned()), name.raw());
            self.store_draft(draft);
            return None;
        }
        let WriteRequest::DeleteReport(id) = write else { return None };
        let row = self.reports.listing.row(id)?;
        let plan = Plan::new(BulkOperation::Delete, std::iter::once(row), |_| None);
        let request = self.ctx.next_request();
        self.ctx.effects.push(Effect::StoreRun(request, plan.operation, plan.items));
        Some(request)
    }

    /// Handles the journal's number of a pending deletion. Returns true if the request was for one.
    pub(crate) fn on_pending_stored(&mut self, request: RequestId, number: Option<RunNumber>) -> bool {
        let Some(pending) = self.jobs.pending_deletes.iter_mut().find(|pending| pending.storing == Some(request))
        else {
            return false;
        };
        pending.storing = None;
        pending.number = number;
        true
    }

    /// Returns the reports whose deletion is pending, alone or with others.
    pub fn pending_ids(&self) -> impl Iterator<Item = &ReportId> {
        let single = self.jobs.pending_deletes.iter().filter_map(|pending| match &pending.write {
            WriteRequest::DeleteReport(id) => Some(id),
            WriteRequest::DeleteProject(_) | WriteRequest::Update(..) => None,
        });
        let run = self.jobs.bulk.iter().filter(|_| self.is_unsent_deletion()).flat_map(|bulk| &bulk.run.items);
        single.chain(run.filter(|item| item.state == ItemState::Waiting).map(|item| &item.id))
    }

    /// Formats the countdown of the latest deletion, which is the one to be undone:
    /// `deleting in 4 s (u undoes it): shop.example/tea and 1 more`. The name comes last, because a narrow screen cuts the
    /// end.
    pub fn pending_text(&self) -> Option<String> {
        let latest = self.jobs.pending_deletes.last()?;
        let left = latest.until.duration_since(self.ctx.now).as_millis().max(0);
        let more = self.jobs.pending_deletes.len() - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (seconds, undo) = ((left + 999) / 1000, self.undo_keys());
        Some(format!("deleting in {seconds} s ({undo} undoes it): {}{more}", latest.name))
    }

    /// Returns the key that undoes a deletion, after the one that leaves a form, a dialog or a text field.
    pub(crate) fn undo_keys(&self) -> String {
        let (keymap, undo) = (&self.ctx.keymap, self.ctx.key(Action::Undo));
        // Without a key it is a command of the palette.
        let first = if keymap.first_binding(Action::Undo).is_some() { Action::Undo } else { Action::Palette };
        match keymap.binding_for(first, self.context()) {
            Some(_) => undo,
            None => format!("{}, then {undo}", self.ctx.key(Action::Back)),
        }
    }

    /// Undoes the latest pending deletion. Returns true if there was one.
    pub(crate) fn undo_deletion(&mut self) -> bool {
        let Some(pending) = self.jobs.pending_deletes.pop() else { return false };
        self.delete_pending(&pending);
        self.ctx.notify(format!("Undone: {} was not deleted", pending.name));
        true
    }

    /// Removes a deletion from the journal once it was sent or undone.
    fn delete_pending(&mut self, pending: &PendingDelete) {
        self.ctx.effects.extend(pending.number.map(Effect::DeleteRun));
        if let WriteRequest::DeleteProject(name) = &pending.write {
            self.delete_draft(&DraftKey::DeleteProject(name.raw().to_owned()));
        }
    }

    /// Handles the drafts of earlier runs. Tells about confirmed deletions of projects among them that were never sent.
    pub(crate) fn on_drafts(&mut self, drafts: Vec<Draft>) {
        // Those of this run are still pending when it reads the journal again after reconnecting.
        let is_dropped =
            |draft: &Draft| matches!(draft.key, DraftKey::DeleteProject(_)) && !self.drafts.contains(draft);
        let (dropped, drafts): (Vec<_>, Vec<_>) = drafts.into_iter().partition(is_dropped);
        // What was typed before the stored drafts arrived is newer.
        let typed: Vec<Draft> = std::mem::replace(&mut self.drafts, drafts);
        for draft in typed.into_iter().filter(|draft| !self.drafts.contains(draft)).collect::<Vec<_>>() {
            self.store_draft(draft);
        }
        if dropped.is_empty() {
            return;
        }
        let names: Vec<_> = dropped.iter().map(|draft| clean(&draft.text).into_owned()).collect();
        let projects = if names.len() == 1 { "project" } else { "projects" };
        self.tell_not_sent(&format!("{projects} {}", names.join(", ")));
        self.ctx.effects.extend(dropped.into_iter().map(|draft| Effect::DeleteDraft(draft.key)));
    }

    /// Reports a deletion that was dropped because the program ended, or the connection was lost, before it was sent.
    pub(super) fn tell_not_sent(&mut self, what: &str) {
        let key = self.ctx.key(Action::Delete);
        self.ctx.notify(format!("The deletion of {what} was not sent: {key} asks again"));
    }

    /// Whether the dialog about pending deletions is open.
    fn is_asked_about_pending(&self) -> bool {
        self.overlays.iter().any(
            |overlay| matches!(overlay, Overlay::Dialog(dialog) if matches!(dialog.question, Question::SendPending(_))),
        )
    }

    /// Sends the deletions whose delay is over, unless the user is choosing whether they are sent at all.
    pub(crate) fn send_due_deletions(&mut self) {
        if self.is_asked_about_pending() {
            return;
        }
        let now = self.ctx.now;
        while self.jobs.pending_deletes.first().is_some_and(|pending| pending.until <= now) {
            self.send_first_pending();
        }
    }

    fn send_first_pending(&mut self) {
        let pending = self.jobs.pending_deletes.remove(0);
        self.delete_pending(&pending);
        if self.write_disabled_reason().is_some() {
            return self.tell_not_sent(&pending.name);
        }
        let (running, effect) = self.prepare(pending.write, None);
        // By now the list may be another one, without the report.
        self.jobs.writes.push(RunningWrite { target: pending.name, ..running });
        self.ctx.effects.push(effect);
    }

    /// Asks before quitting while deletions are pending. Returns true if it asks.
    pub(crate) fn ask_about_pending(&mut self) -> bool {
        if self.jobs.pending_deletes.is_empty() || self.is_asked_about_pending() {
            // The user quits again without confirming: nothing is deleted.
            for pending in std::mem::take(&mut self.jobs.pending_deletes) {
                self.delete_pending(&pending);
            }
            return false;
        }
        let names = self.jobs.pending_deletes.iter().map(|pending| pending.name.clone()).collect();
        self.ask(Question::SendPending(names));
        true
    }

    /// Sends all pending deletions now, and quits after the replies.
    pub(crate) fn send_pending_and_leave(&mut self) {
        if let Some(reason) = self.write_disabled_reason() {
            return self.ctx.notify(reason);
        }
        while !self.jobs.pending_deletes.is_empty() {
            self.send_first_pending();
        }
        self.quit();
    }

    /// Returns when the countdown changes, or a deletion is due.
    pub(crate) fn pending_wakes_at(&self) -> Option<Timestamp> {
        let to_next_second = |pending: &PendingDelete| {
            let left = pending.until.duration_since(self.ctx.now).as_millis().max(0);
            if left % 1000 == 0 { left.min(1000) } else { left % 1000 }
        };
        let pending = self.jobs.pending_deletes.iter().filter(|_| !self.is_asked_about_pending());
        let to_next_second = pending.map(to_next_second).min()?;
        self.ctx.now.saturating_add(SignedDuration::from_millis(i64::try_from(to_next_second).unwrap_or(1000))).ok()
    }
}
