//! The state machine: App, Message, Effect, update. No I/O, no clock, no drawing.
//!
//! [`App::update`] is deterministic: time is handed in, request ids come from a counter, and everything that should
//! happen outside is returned as [`Effect`]s. One file per pane and per kind of change.

mod actions;
pub mod availability;
mod commands;
pub mod effect;
pub mod frame_layout;
pub mod jobs;
pub mod list_window;
pub mod message;
mod mouse;
pub mod output;
pub mod overlays;
pub mod panes;
pub mod remote;
pub mod session;
pub mod triage;
mod undo;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use crate::app::availability::Connection;
use crate::app::effect::{Effect, RequestId};
use crate::app::frame_layout::{FrameLayout, Pane};
use crate::app::message::Message;
use crate::app::overlays::Overlay;
use crate::domain::activity::Exchange;
use crate::domain::draft::Draft;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::look::Times;
use crate::domain::report::ReportId;
use crate::domain::report::check::Explanations;
use crate::input::Input;
use crate::input::keymap::Keymap;

/// How many exchanges the activity list remembers.
const ACTIVITY: usize = 500;
/// How long a notice stays.
const NOTICE: SignedDuration = SignedDuration::from_secs(12);

/// Everything the program knows.
#[derive(Debug)]
pub struct App {
    /// The time of the last message.
    pub now: Timestamp,
    /// How far the connection is.
    pub connection: Connection,
    /// Which keys mean what.
    pub keymap: Arc<Keymap>,
    /// The beginning of a sequence of keys, as it is shown.
    pub begun: String,
    /// The services that can be gone over to.
    pub profiles: Vec<crate::app::session::connect::ProfileChoice>,
    /// Which of them is worked with.
    pub profile: Option<String>,
    /// Nothing may be written.
    pub read_only: bool,
    /// The projects pane.
    pub projects: crate::app::panes::projects::Projects,
    /// The reports pane.
    pub reports: crate::app::panes::reports::Reports,
    /// The report pane.
    pub report: crate::app::panes::report::ReportPane,
    /// The marked reports.
    pub marks: crate::app::panes::reports::selection::Selection,
    /// The pane that has the keyboard.
    pub focus: Pane,
    /// That pane has the whole screen.
    pub whole_screen: bool,
    /// The report pane is shown where there is room.
    pub report_pane: bool,
    /// How times are told.
    pub times: Times,
    /// The mouse belongs to the terminal, so that text can be selected.
    pub mouse_released: bool,
    /// What lies over the panes, the last one on top.
    pub overlays: Vec<Overlay>,
    /// Requests and answers, the newest first.
    pub activity: VecDeque<Exchange>,
    /// What is told, and since when.
    pub notice: Option<(String, Timestamp)>,
    /// The service does not accept the key.
    pub key_refused: bool,
    /// Writes under way.
    pub writes: Vec<crate::app::jobs::writes::RunningWrite>,
    /// The saved views, by name.
    pub views: Vec<crate::domain::list::cached_rows::SavedView>,
    /// The view that the program was started with, until views are known.
    pub first_view: Option<String>,
    /// States and notes of reports.
    pub inbox: crate::app::triage::states::TriageStates,
    /// What changed since the last look.
    pub since: crate::app::triage::changes::Changes,
    /// KnownCheckSets that lists do not tell.
    pub checks: crate::app::jobs::fetch_checks::KnownCheckSets,
    /// Pages of one form that become reports.
    pub batch: Option<crate::app::jobs::create_many::CreateJob>,
    /// Deletions that were confirmed and wait to be sent.
    pub pending: Vec<crate::app::jobs::pending_deletes::PendingDelete>,
    /// How long they wait.
    pub grace: SignedDuration,
    /// The action on many reports that runs, or ran last.
    pub bulk: Option<crate::app::jobs::bulk::BulkJob>,
    /// The person wants to leave; a running write is waited for.
    pub leaving: bool,
    /// What the checks mean, for those that are known.
    pub explanations: Arc<Explanations>,
    /// What drawing taught.
    pub drawn: FrameLayout,
    drafts: Vec<Draft>,
    deleted: HashSet<ReportId>,
    written: Vec<crate::app::panes::reports::recent_writes::RecentWrite>,
    undo: undo::Undo,
    again: crate::app::session::connect::RetrySchedule,
    goes_over: bool,
    /// How often the rows of a last run were asked for and not answered yet; once when the program starts.
    last_rows_asked: usize,
    looking_for_causes: Option<RequestId>,
    last_click: mouse::LastClick,
    dragging: bool,
    heading: Option<crate::domain::list::columns::Column>,
    scrolling: Option<(crate::app::frame_layout::Area, Option<Pane>)>,
    last_request: u64,
    effects: Vec<Effect>,
}

impl App {
    /// A program that knows nothing yet.
    pub fn new(explanations: Arc<Explanations>, read_only: bool, now: Timestamp) -> Self {
        Self {
            now,
            connection: Connection::Starting,
            keymap: Arc::default(),
            begun: String::new(),
            profiles: Vec::new(),
            profile: None,
            read_only,
            projects: crate::app::panes::projects::Projects::default(),
            reports: crate::app::panes::reports::Reports::default(),
            report: crate::app::panes::report::ReportPane::default(),
            marks: crate::app::panes::reports::selection::Selection::default(),
            focus: Pane::Reports,
            whole_screen: false,
            report_pane: true,
            times: Times::default(),
            mouse_released: false,
            overlays: Vec::new(),
            activity: VecDeque::new(),
            notice: None,
            key_refused: false,
            writes: Vec::new(),
            views: Vec::new(),
            first_view: None,
            inbox: crate::app::triage::states::TriageStates::default(),
            since: crate::app::triage::changes::Changes::new(now),
            checks: crate::app::jobs::fetch_checks::KnownCheckSets::default(),
            batch: None,
            pending: Vec::new(),
            grace: crate::app::jobs::pending_deletes::GRACE,
            bulk: None,
            leaving: false,
            explanations,
            drawn: FrameLayout::default(),
            drafts: Vec::new(),
            deleted: HashSet::new(),
            written: Vec::new(),
            undo: undo::Undo::default(),
            again: crate::app::session::connect::RetrySchedule::default(),
            goes_over: false,
            last_rows_asked: 1,
            looking_for_causes: None,
            last_click: None,
            dragging: false,
            heading: None,
            scrolling: None,
            last_request: 0,
            effects: Vec::new(),
        }
    }

    /// What should be done outside before anything happens.
    pub fn start(&self) -> Vec<Effect> {
        vec![Effect::ReadLastRows(None)]
    }

    /// Takes one message and says what should be done outside.
    pub fn update(&mut self, message: Message, now: Timestamp) -> Vec<Effect> {
        self.now = now;
        match message {
            Message::Input(input) => self.on_input(input),
            Message::FrameLayout(drawn) => self.on_drawn(drawn),
            Message::Tick => self.on_tick(),
            Message::Connected(result) => self.on_connected(result),
            Message::ReportRows(request, rows) => self.on_report_rows(request, rows),
            Message::Reports(request, result) => self.on_reports(request, result),
            Message::Arranged(request, shown) => self.on_arranged(request, shown),
            Message::Projects(request, result) => self.on_projects(request, result),
            Message::Report(request, result) => self.on_report(request, result),
            Message::Created(request, result) => self.on_created(request, result),
            Message::Updated(request, result) => self.on_updated(request, result),
            Message::Edited(request, result) => self.on_edited(request, result),
            Message::Deleted(request, result) => self.on_deleted(request, result),
            Message::RunBegun(request, result) => self.on_run_begun(request, result),
            Message::BulkItem(request, answer) => self.on_item(request, answer),
            Message::Triages(triages, notes) => self.on_triages(triages, notes),
            Message::Views(views) => self.on_views(views),
            Message::Causes(request, found) => self.on_causes(request, found),
            Message::ComparisonResult(request, result) => self.on_compared(request, result),
            Message::Checks(request, result) => self.on_checks(request, result),
            Message::Columns(columns) => self.reports.columns = columns,
            Message::CachedRows(last) => self.on_last_rows(last),
            Message::InterruptedRuns(runs) => self.on_broken_off(runs),
            Message::Exchange(exchange) => self.on_exchange(exchange),
            Message::Drafts(drafts) => self.on_drafts(drafts),
            // A kept draft is nothing to interrupt for.
            Message::DraftKept(Ok(())) => {}
            Message::DraftKept(Err(failure)) => self.tell_failure(&failure),
            Message::Password(password) => self.on_password(&password),
            Message::Told(Ok(text)) => self.tell(text),
            Message::Told(Err(failure)) => self.tell_failure(&failure),
            // The runtime leaves with the message after the terminal is restored; drafts are kept like on a signal.
            Message::Broken(_) | Message::Terminate => self.terminate(),
        }
        self.follow_cursor();
        std::mem::take(&mut self.effects)
    }

    fn on_input(&mut self, input: Input) {
        self.begun.clear();
        match input {
            Input::Begun(keys) => self.begun = keys,
            Input::Action(action) => self.act(action),
            Input::Edit(request) => self.edit_text(request),
            Input::Paste(text) => self.paste(&text),
            Input::Mouse(mouse) => self.on_mouse(mouse),
            // The next drawing has the new size and tells what fits.
            Input::Resize(..) => {}
        }
    }

    fn on_drawn(&mut self, drawn: FrameLayout) {
        self.drawn = drawn;
        self.projects.window.follow(self.projects.at, self.projects.rows().len() + 1, self.drawn.projects);
        self.reports.window.follow(self.reports.at, self.reports.shown.len(), self.drawn.reports);
        self.report.window.scroll(
            crate::app::list_window::CursorMove::By(0),
            self.drawn.report_lines,
            self.drawn.report,
        );
    }

    fn on_exchange(&mut self, exchange: Exchange) {
        self.activity.push_front(exchange);
        self.activity.truncate(ACTIVITY);
    }

    fn on_password(&mut self, password: &secrecy::SecretString) {
        use secrecy::ExposeSecret;
        self.with_form(|form| {
            form.password = crate::app::overlays::form::secret_input::SecretInput::with(password.expose_secret());
            form.revealed = form.focus == crate::app::overlays::form::FormField::Password;
            form.errors.retain(|error| error.field != "password");
        });
    }

    fn on_tick(&mut self) {
        if self.notice.as_ref().is_some_and(|(_, since)| self.now.duration_since(*since) >= NOTICE) {
            self.notice = None;
        }
        if self.reports.send_at.is_some_and(|at| at <= self.now) {
            self.load_if_needed();
        }
        if self.projects.again_at.is_some_and(|at| at <= self.now) {
            self.load_projects();
        }
        let wanted = [self.report.fetch_at, self.report.again_at];
        if wanted.into_iter().flatten().any(|at| at <= self.now) {
            self.fetch_report();
        }
        self.send_due_deletions();
        self.wake_snoozed();
        if self.batch_wakes_at().is_some_and(|at| at <= self.now) {
            self.advance_batch();
        }
        if self.run_wakes_at().is_some_and(|at| at <= self.now) {
            self.advance_run();
        }
        if self.checks_wake_at().is_some_and(|at| at <= self.now) {
            self.advance_checks();
        }
        self.resume_after_waiting();
        self.try_again_when_due();
    }

    /// When the next tick is wanted; `None` when nothing waits for time to pass.
    pub fn wake_at(&self) -> Option<Timestamp> {
        let notice = self.notice.as_ref().and_then(|(_, since)| since.saturating_add(NOTICE).ok());
        let wishes = [
            notice,
            self.reports.send_at,
            self.projects.again_at,
            self.report.fetch_at,
            self.report.again_at,
            self.waiting_wakes_at(),
            self.run_wakes_at(),
            self.pending_wakes_at(),
            self.batch_wakes_at(),
            self.snooze_wakes_at(),
            self.checks_wake_at(),
            self.again_at(),
            self.next_age_change(),
        ];
        wishes.into_iter().flatten().min()
    }

    /// When a relative time on the screen says something else: not before a minute, and not at all without rows.
    fn next_age_change(&self) -> Option<Timestamp> {
        let top = self.reports.window.top;
        let shown = (top..top + self.drawn.reports).filter_map(|at| self.reports.shown_row(at)?.generated_at);
        let newest = shown.map(|then| self.now.as_second() - then.as_second()).min()?;
        let seconds = match newest {
            ..3_600 => 60,
            3_600..86_400 => 3_600 - newest % 3_600,
            _ => 86_400 - newest % 86_400,
        };
        self.now.saturating_add(SignedDuration::from_secs(seconds.max(60))).ok()
    }

    fn tell(&mut self, text: String) {
        self.notice = Some((text, self.now));
    }

    fn tell_failure(&mut self, failure: &Failure) {
        if failure.kind == FailureKind::Unauthorised {
            self.key_refused = true;
        }
        // Texts of refused fields belong under their fields; where there is no form they are told with the rest.
        let fields = failure.fields.iter().map(|error| format!("{}: {}", error.field, error.texts.join(", ")));
        self.tell(std::iter::once(failure.to_string()).chain(fields).collect::<Vec<_>>().join(" · "));
    }

    fn next_request(&mut self) -> RequestId {
        self.last_request += 1;
        RequestId(self.last_request)
    }
}
