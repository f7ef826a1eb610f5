//! The state of the dashboard and its transitions: `App`, `Message`, `Effect`, `update`. No I/O, no clock, no drawing.
//!
//! [`App::update`] is deterministic: time is an argument, request ids come from a counter, and work outside the state
//! is returned as [`Effect`]s.

pub mod commands;
pub mod ctx;
pub mod desk;
pub mod effect;
pub mod event_log;
pub mod frame_layout;
pub mod jobs;
pub mod list_window;
pub mod message;
pub mod output;
pub mod overlays;
pub mod overview;
pub mod panes;
pub mod remote;
mod replies;
pub mod screen;
pub mod session;
mod targets;
pub mod triage;
pub mod undo;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};

use crate::app::ctx::Ctx;
use crate::app::desk::state::{Desk, DeskAbsence};
use crate::app::effect::Effect;
use crate::app::event_log::state::EventLogState;
use crate::app::frame_layout::FrameLayout;
use crate::app::jobs::Jobs;
use crate::app::list_window::CursorMove;
use crate::app::message::Message;
use crate::app::overlays::form::FormField;
use crate::app::overlays::form::secret_input::{PasswordCopy, SecretInput};
use crate::app::overlays::{Overlay, cursors};
use crate::app::overview::state::OverviewState;
use crate::app::panes::projects::Projects;
use crate::app::panes::report::ReportPane;
use crate::app::panes::reports::Reports;
use crate::app::screen::ScreenState;
use crate::app::session::state::SessionState;
use crate::app::triage::TriageState;
use crate::domain::activity::Exchange;
use crate::domain::desk::CLAIM;
use crate::domain::draft::Draft;
use crate::domain::report::check::Explanations;
use crate::input::Input;

/// The maximum number of exchanges in the activity list.
const MOST_EXCHANGES: usize = 500;

/// The state of the dashboard.
#[derive(Debug, Default)]
pub struct App {
    /// Time, service, keys, notices, effects.
    pub ctx: Ctx,
    /// Focus, open panes, time format, the mouse.
    pub screen: ScreenState,
    /// The service in use.
    pub session: SessionState,
    /// The projects pane.
    pub projects: Projects,
    /// The reports pane.
    pub reports: Reports,
    /// The report pane.
    pub report: ReportPane,
    /// The overlays, the top one last.
    pub overlays: Vec<Overlay>,
    /// States, notes, and changes since the last look.
    pub triage: TriageState,
    /// The desk shared by a team, if the service has one.
    pub desk: Option<Desk>,
    /// Why no desk is shown.
    pub desk_absence: DeskAbsence,
    /// The overview of the list.
    pub overview: OverviewState,
    /// The event log.
    pub log: EventLogState,
    /// Requests that change reports or run in the background.
    pub jobs: Jobs,
    /// Unsent text of forms.
    pub(crate) drafts: Vec<Draft>,
    /// When text being typed is stored as a draft.
    pub(crate) draft_due: Option<Timestamp>,
}

impl App {
    /// Creates the state before the first message.
    pub fn new(explanations: Arc<Explanations>, read_only: bool, now: Timestamp) -> Self {
        Self {
            ctx: Ctx::new(explanations, read_only, now),
            session: SessionState { claim: CLAIM, ..SessionState::default() },
            triage: TriageState::new(now),
            ..Self::default()
        }
    }

    /// Returns the effects of the program start.
    pub fn start(&self) -> Vec<Effect> {
        vec![Effect::ReadCachedRows(None)]
    }

    /// Applies a message and returns the effects.
    pub fn update(&mut self, message: Message, now: Timestamp) -> Vec<Effect> {
        self.ctx.now = now;
        match message {
            Message::Input(input) => self.on_input(input),
            Message::FrameLayout(layout) => self.on_layout(layout),
            Message::Tick => self.on_tick(),
            Message::Connected(result) => self.on_connected(result),
            Message::ReportRows(request, rows) => self.on_report_rows(request, rows),
            Message::Reports(request, result) => self.on_reports(request, result),
            Message::Arranged(request, shown) => self.reports.on_arranged(request, shown, &self.triage, &mut self.ctx),
            Message::Projects(request, result) => {
                self.projects.on_page(request, result, &mut self.ctx);
                self.projects.count(&self.reports.listing);
            }
            Message::Report(request, result) => self.on_report(request, result),
            Message::Created(request, result) => self.on_created(request, result),
            Message::Updated(request, result) => self.on_updated(request, result),
            Message::Deleted(request, result) => self.on_deleted(request, result),
            Message::RunStored(request, result) => self.on_run_stored(request, result),
            Message::BulkItem(request, answer) => self.on_item(request, answer),
            Message::States(triages, notes) => self.on_triage_states(triages, notes),
            Message::Desk(messages) => self.on_desk(messages),
            Message::Views(views) => self.on_views(views),
            Message::Causes(request, found) => self.on_causes(request, found),
            Message::FilterValues(request, known) => self.reports.on_filter_values(request, known),
            Message::Overview(request, counts) => self.on_overview(request, counts),
            Message::Log(request, lines) => self.on_log(request, lines),
            Message::Timeline(request, entries) => self.on_timeline(request, entries),
            Message::ComparisonResult(request, result) => self.on_comparison(request, result),
            Message::Checks(request, result) => self.on_checks(request, result),
            Message::Columns(columns) => self.reports.columns = columns,
            Message::CachedRows(last) => self.on_cached_rows(last),
            Message::InterruptedRuns(runs) => self.on_interrupted_runs(runs),
            Message::Exchange(exchange) => self.on_exchange(exchange),
            Message::Drafts(drafts) => self.on_drafts(drafts),
            // A stored draft needs no notice.
            Message::JournalWritten(Ok(())) => {}
            Message::JournalWritten(Err(failure)) => {
                self.call_off_quitting(&failure);
                self.ctx.notify_failure(&failure);
            }
            Message::JournalUnreadable(failure) => {
                self.ctx.is_journal_unreadable = true;
                self.ctx.notify_failure(&failure);
            }
            Message::Password(password) => self.on_password(&password),
            Message::FileToEdit(path) => self.ctx.effects.push(Effect::EditFile(path)),
            Message::Notice(Ok(text)) => self.ctx.notify(text),
            Message::Notice(Err(failure)) => self.ctx.notify_failure(&failure),
            Message::Resumed => self.restart_deletion_delays(),
            // The runtime prints the message after restoring the terminal. Drafts are stored as on a signal.
            Message::TaskFailed(_) | Message::Terminate => self.terminate(),
        }
        self.ask_waiting_question();
        self.follow_cursor();
        self.reports.collect_filter_values(&self.projects, &mut self.ctx);
        if self.reports.window.top == 0 {
            self.reports.new_above = 0;
        }
        self.reports.has_states = self.triage.states.is_any();
        self.reports.has_holders = self.desk.is_some();
        self.follow_presence();
        self.count_overview();
        self.find_causes();
        self.read_log();
        self.quit_when_done();
        self.ctx.context = self.context();
        std::mem::take(&mut self.ctx.effects)
    }

    fn on_input(&mut self, input: Input) {
        self.screen.pending_keys.clear();
        match input {
            Input::Begun(keys) => self.screen.pending_keys = keys,
            Input::ForeignLetter(letter) => {
                self.ctx
                    .notify(format!("{letter} is not a key: keys are Latin letters, so switch the keyboard layout"));
            }
            Input::Action(action) => self.act(action),
            Input::Edit(request) => {
                self.edit_text(request);
                self.schedule_draft();
            }
            Input::Paste(text) => {
                self.paste(&text);
                self.schedule_draft();
            }
            Input::Mouse(mouse) => self.on_mouse(mouse),
        }
    }

    fn on_layout(&mut self, layout: FrameLayout) {
        self.ctx.layout = layout;
        self.projects.window.follow(self.projects.at, self.projects.rows().len() + 1, self.ctx.layout.projects);
        self.reports.window = self.reports.window_of(self.ctx.layout.reports);
        self.report.window.scroll(CursorMove::By(0), self.ctx.layout.report_lines, self.ctx.layout.report);
    }

    /// Adds a request to the list of requests. The cursor there stays at its line; at the first one it shows the latest.
    fn on_exchange(&mut self, exchange: Exchange) {
        self.ctx.activity.push_front(exchange);
        self.ctx.activity.truncate(MOST_EXCHANGES);
        for cursor in cursors(&mut self.overlays, |overlay| matches!(overlay, Overlay::Activity(_))) {
            if cursor.at > 0 {
                cursor.follow_row(cursor.at + 1, self.ctx.activity.len(), self.ctx.layout.overlay);
            }
        }
    }

    fn on_password(&mut self, password: &SecretString) {
        self.with_form(|form| {
            form.password = SecretInput::with(password.expose_secret());
            form.password_copy = PasswordCopy::Generated;
            form.revealed = form.focus == FormField::Password;
            form.errors.retain(|error| error.field != "password");
        });
    }

    fn on_tick(&mut self) {
        self.ctx.expire_notice();
        if self.reports.send_at.is_some_and(|at| at <= self.ctx.now) {
            self.load_if_needed();
        }
        if self.projects.again_at.is_some_and(|at| at <= self.ctx.now) {
            self.projects.load(&mut self.ctx);
        }
        if self.report.fetch_at.is_some_and(|at| at <= self.ctx.now) {
            self.report.fetch(&mut self.ctx);
        }
        if self.draft_due.take_if(|at| *at <= self.ctx.now).is_some() {
            self.store_form_draft();
        }
        self.send_due_deletions();
        self.wake_snoozed();
        if self.jobs.wakes_at().is_some_and(|at| at <= self.ctx.now) {
            self.advance_creation();
            self.advance_run();
            self.advance_checks();
        }
        self.reports.resume_after_waiting(&mut self.ctx);
        self.retry_when_due();
        self.refresh_when_due();
    }

    /// Returns when the next tick is due; `None` if nothing is scheduled.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let times = [
            self.ctx.notice_expires_at(),
            self.reports.send_at,
            self.draft_due,
            self.projects.again_at,
            self.report.fetch_at,
            self.reports.waiting_wakes_at(self.ctx.now),
            self.pending_wakes_at(),
            // A quitting program sends nothing more, so there is nothing to wait for.
            self.jobs.wakes_at().filter(|_| !self.session.quitting),
            self.triage.states.next_snooze,
            self.desk.as_ref().and_then(|desk| desk.send_at),
            self.session.retry.at,
            self.session.refresh_at,
            self.ages_change_at(),
        ];
        times.into_iter().flatten().min()
    }

    /// Returns when relative times on the screen may change; `None` without rows.
    fn ages_change_at(&self) -> Option<Timestamp> {
        let has_rows = self.reports.listing.loaded() > 0;
        has_rows.then(|| self.ctx.now.saturating_add(SignedDuration::from_mins(1)).ok()).flatten()
    }
}
