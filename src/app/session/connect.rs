//! Connecting to a service, retrying, and switching to another profile.

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::effect::Effect;
use crate::app::jobs::Jobs;
use crate::app::message::Connected;
use crate::app::overlays::MenuChoice;
use crate::app::panes::reports::Reports;
use crate::app::session::state::{ProfileChoice, RetrySchedule, is_transient};
use crate::app::triage::TriageState;
use crate::app::undo::Undo;
use crate::domain::failure::Failure;
use crate::input::Action;

impl App {
    pub(crate) fn on_connected(&mut self, result: Result<Connected, Failure>) {
        self.session.retry = RetrySchedule::default();
        match result {
            Ok(connected) => {
                self.ctx.read_only = connected.read_only;
                self.ctx.connection = Connection::Ready(connected);
                self.reports.reload(&self.projects, &mut self.ctx);
                self.projects.load(&mut self.ctx);
                self.ctx.is_journal_unreadable = false;
                self.ctx.effects.push(Effect::ReadJournal);
                // What was read before may be about no service.
                self.log.is_read = false;
                self.ctx.effects.push(Effect::JoinDesk);
                if std::mem::take(&mut self.session.switching) {
                    self.ctx.effects.push(Effect::ReadCachedRows(None));
                }
            }
            Err(failure) => {
                self.ctx.notify_failure(&failure);
                if is_transient(&failure) {
                    self.session.retry.schedule(&failure, self.ctx.now);
                }
                self.reports.failure = Some(failure.clone());
                self.ctx.connection = Connection::Failed(failure);
            }
        }
    }

    /// Reconnects after a failure, with the key that its source has now.
    pub(crate) fn connect_again(&mut self) {
        // Connecting cancels all reads in flight: none of them would be answered.
        self.ctx.cancel(self.report.whole.cancel());
        self.report.drop_failed();
        self.stop_checks();
        self.triage.changes.missing_requests.clear();
        self.ctx.connection = Connection::Starting;
        self.ctx.key_refusal = None;
        self.reports.failure = None;
        self.session.retry.at = None;
        self.ctx.effects.push(Effect::Connect(self.session.profile.clone()));
    }

    /// Schedules a retry after the first rows could not be read, unless the service's rows are on the screen already.
    pub(crate) fn schedule_retry(&mut self, failure: &Failure) {
        let has_rows = self.reports.listing.loaded() > 0 && !self.reports.listing.is_cached;
        if is_transient(failure) && !has_rows {
            self.session.retry.schedule(failure, self.ctx.now);
        }
    }

    /// Retries the connection, or the first rows and a report that could not be read, when the retry is due.
    pub(crate) fn retry_when_due(&mut self) {
        if self.session.retry.at.take_if(|at| *at <= self.ctx.now).is_none() {
            return;
        }
        match self.ctx.connection {
            Connection::Failed(_) => self.connect_again(),
            Connection::Ready(_) => {
                self.reports.reload(&self.projects, &mut self.ctx);
                self.projects.load(&mut self.ctx);
                self.report.drop_failed();
            }
            Connection::Starting => {}
        }
    }

    /// Opens the menu of the services that the session can switch to.
    pub(crate) fn offer_profiles(&mut self) {
        let row = |profile: &ProfileChoice| {
            let now = if profile.name == self.session.profile { " (now)" } else { "" };
            (format!("{}{now}", profile.text), MenuChoice::Profile(profile.name.clone()))
        };
        let rows: Vec<_> = self.session.profiles.iter().map(row).collect();
        let at = self.session.profiles.iter().position(|profile| profile.name == self.session.profile).unwrap_or(0);
        self.open_menu("Switch profile", rows, at);
    }

    /// Returns why the session cannot switch to another service now.
    pub(crate) fn switch_disabled_reason(&self) -> Option<String> {
        let jobs = &self.jobs;
        // Decisions for the desk would be sent only after returning to this profile.
        let is_writing = !jobs.writes.is_empty()
            || !jobs.pending_deletes.is_empty()
            || jobs.create.is_some()
            || self.unsent_decisions() > 0;
        if self.session.profiles.len() < 2 {
            Some("The configuration has no other profile: [profiles.NAME] in config.toml adds one".to_owned())
        } else if is_writing {
            Some("Changes are still being sent: wait until they are done".to_owned())
        } else if jobs.active_run().is_some() {
            // Perhaps paused: waiting would not help.
            let key = self.ctx.key(Action::Actions);
            Some(format!("A run over several reports has not ended: {key} shows it"))
        } else {
            None
        }
    }

    /// Switches to another service. The previous service's rows are dropped; its journal stays.
    pub(crate) fn switch_to(&mut self, profile: Option<String>) {
        if let Some(reason) = self.switch_disabled_reason() {
            return self.ctx.notify(reason);
        }
        if let Some(kept) = self.kept_decisions() {
            self.ctx.notify(kept);
        }
        self.reports.stop_loading(&mut self.ctx);
        self.stop_checks();
        self.ctx.cancel(self.projects.list.cancel());
        self.ctx.cancel(self.report.whole.cancel());
        let former = std::mem::take(self);
        *self = Self {
            ctx: former.ctx,
            screen: former.screen,
            session: former.session,
            reports: Reports { sort: former.reports.sort, ..Reports::default() },
            jobs: Jobs { delete_delay: former.jobs.delete_delay, ..Jobs::default() },
            ..Self::default()
        };
        self.triage = TriageState::new(self.ctx.now);
        self.triage.changes.untested_days = former.triage.changes.untested_days;
        self.ctx.undo = Undo::default();
        self.ctx.activity.clear();
        self.ctx.key_refusal = None;
        self.ctx.connection = Connection::Starting;
        self.session.switching = true;
        self.session.profile.clone_from(&profile);
        self.ctx.effects.push(Effect::Connect(profile));
    }
}
