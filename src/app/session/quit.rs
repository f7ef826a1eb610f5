//! Quitting: asks about pending deletions, waits for writes, stores drafts.

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::jobs::state::RunningWrite;
use crate::input::Action;

impl App {
    /// Quits if no write is in flight; otherwise tells which writes it waits for. A second call quits immediately.
    pub(crate) fn quit(&mut self) {
        self.store_form_draft();
        if self.ask_about_pending() {
            return;
        }
        let runs = self.awaits_run();
        let pages = self.awaits_creation();
        if (self.jobs.writes.is_empty() && !runs && !pages) || self.session.quitting {
            self.ctx.effects.push(Effect::Quit);
            return;
        }
        self.session.quitting = true;
        let mut what: Vec<String> = self.jobs.writes.iter().map(RunningWrite::description).collect();
        if pages {
            let key = self.ctx.key(Action::NewReport);
            what.push(format!("the pages being audited; the rest is kept as the draft of {key}"));
        }
        if runs {
            let is_stored = self.jobs.bulk.as_ref().is_some_and(|bulk| bulk.number.is_some());
            let rest = if is_stored { "is kept for the next start" } else { "is lost: it was not stored" };
            what.push(format!("the requests in flight; the rest {rest}"));
        }
        self.ctx.notify(format!("Quitting after {} (again quits at once)", what.join(", ")));
    }

    /// Quits if requested and no reply is pending.
    pub(crate) fn quit_when_done(&mut self) {
        if self.session.quitting && self.jobs.writes.is_empty() && !self.awaits_run() && !self.awaits_creation() {
            self.ctx.effects.push(Effect::Quit);
        }
    }

    pub(crate) fn terminate(&mut self) {
        self.store_form_draft();
        self.ctx.effects.push(Effect::Quit);
    }
}
