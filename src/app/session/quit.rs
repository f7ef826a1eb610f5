//! Quitting: asks about pending deletions, waits for writes and for decisions that the desk is receiving, stores drafts.

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::desk::state::DeskLink;
use crate::app::effect::Effect;
use crate::app::jobs::state::RunningWrite;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::numbers::counted;
use crate::input::Action;

impl App {
    /// Quits if no write is in flight; otherwise tells which writes it waits for. A second call quits immediately.
    pub(crate) fn quit(&mut self) {
        self.store_form_draft();
        if self.ask_about_pending() {
            return;
        }
        if !self.awaits_anything() || self.session.quitting {
            self.ctx.effects.push(Effect::Quit);
            return;
        }
        self.session.quitting = true;
        let mut what: Vec<String> = self.jobs.writes.iter().map(RunningWrite::description).collect();
        if self.awaits_creation() {
            let key = self.ctx.key(Action::NewReport);
            what.push(format!("the pages being audited; the rest is kept as the draft of {key}"));
        }
        if self.awaits_run() {
            let is_stored = self.jobs.bulk.as_ref().is_some_and(|bulk| bulk.number.is_some());
            let rest = if is_stored { "is kept for the next start" } else { "is lost: it was not stored" };
            what.push(format!("the requests in flight; the rest {rest}"));
        }
        if self.unsent_decisions() > 0 {
            let decisions = counted(self.unsent_decisions() as u64, "decision");
            what.push(format!("{decisions} for the desk; unsent ones are kept for the next start"));
        }
        let (what, key) = (what.join(", "), self.ctx.key(Action::Quit));
        self.ctx.notify(format!("Quitting after {what} ({key} quits at once)"));
    }

    /// Quits if requested and no reply is pending.
    pub(crate) fn quit_when_done(&mut self) {
        if self.session.quitting && !self.awaits_anything() {
            self.ctx.effects.push(Effect::Quit);
        }
    }

    /// Stops waiting, so that the user reads this failure first. After the last frame the terminal shows it instead.
    pub(crate) fn call_off_quitting(&mut self, failure: &Failure) {
        if std::mem::take(&mut self.session.quitting) {
            self.ctx.notice = None;
            self.session.unread_failure = Some(failure.clone());
        }
    }

    /// Shows that something was not sent, and stops waiting.
    pub(crate) fn notify_unsent(&mut self, notice: String) {
        self.call_off_quitting(&Failure::new(FailureKind::Local, &notice, ""));
        self.ctx.notify(notice);
    }

    /// Describes what has been sent and not answered, for the terminal after the last frame. The next start asks about a
    /// stored run itself.
    pub(crate) fn unanswered_writes(&self) -> Option<Failure> {
        let mut what: Vec<String> = self.jobs.writes.iter().map(RunningWrite::description).collect();
        let creation = self.jobs.create.as_ref().filter(|_| self.awaits_creation());
        what.extend(creation.map(|job| format!("auditing {}", counted(job.in_flight.len() as u64, "page"))));
        let run = self.jobs.bulk.as_ref().filter(|bulk| self.awaits_run() && bulk.number.is_none());
        what.extend(run.map(|bulk| {
            let reports = counted(bulk.in_flight.len() as u64, "report");
            format!("{} {reports}", bulk.run.operation.progress_verb())
        }));
        let message = format!("Quit before the service responded to: {}", what.join(", "));
        let advice = "The outcome is unknown: look before you repeat it";
        (!what.is_empty()).then(|| Failure::new(FailureKind::TimedOut, message, advice))
    }

    fn awaits_anything(&self) -> bool {
        !self.jobs.writes.is_empty() || self.awaits_run() || self.awaits_creation() || self.unsent_decisions() > 0
    }

    /// The number of decisions that the desk will receive shortly: none while it is unreachable, or used read-only.
    pub(super) fn unsent_decisions(&self) -> usize {
        let desk = self.desk.as_ref().filter(|desk| desk.link == DeskLink::Live && !self.ctx.read_only);
        desk.map_or(0, |desk| desk.outbox.len())
    }

    /// Describes the decisions that the desk will receive later, before the user quits or switches the profile; `None`
    /// without any, and if the journal does not keep them.
    pub fn kept_decisions(&self) -> Option<String> {
        let (desk, Connection::Ready(connected)) = (self.desk.as_ref()?, &self.ctx.connection) else { return None };
        let kept = desk.outbox.len() - self.unsent_decisions();
        let are = if kept == 1 { "is" } else { "are" };
        let (decisions, name) = (counted(kept as u64, "decision"), &connected.name);
        (kept > 0 && !self.ctx.is_journal_unreadable).then(|| {
            format!(
                "{decisions} for the desk of {name} {are} kept on this machine, and sent when the desk responds to you \
                 again"
            )
        })
    }

    pub(crate) fn terminate(&mut self) {
        self.store_form_draft();
        self.ctx.effects.push(Effect::Quit);
    }
}
