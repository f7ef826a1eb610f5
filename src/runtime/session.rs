//! A session: the state, its effects, and the messages between them. Driven by the event loop, or by tests.
//!
//! Tests use [`Session::handle`] and [`Session::settle`] instead of sleeping.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crossterm::event::Event;
use jiff::Timestamp;

use crate::api::limits::Limits;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::frame_layout::FrameLayout;
use crate::app::message::{DeskMessage, Message};
use crate::domain::failure::Failure;
use crate::domain::look::StartScreen;
use crate::input::translate::InputReader;
use crate::runtime::clock::Clock;
use crate::runtime::effects::Effects;
use crate::runtime::launch::Launch;
use crate::runtime::replies::{self, ReplyReceiver};
use crate::runtime::terminal::tty_writer::TtyWriter;

/// How long quitting waits for writes in flight.
const FINISH_TIMEOUT: Duration = Duration::from_secs(2);
/// The limit of [`Session::settle`], which guards against endless loops.
const MAX_TURNS: usize = 200_000;

/// The running dashboard without its screen.
pub struct Session {
    app: App,
    clock: Clock,
    keys: InputReader,
    effects: Effects,
    messages: ReplyReceiver,
    editor: Vec<String>,
    to_edit: Option<PathBuf>,
    over: bool,
    broken: Option<String>,
}

impl Session {
    /// Starts reading the cached rows and connecting, without waiting for either.
    pub fn start(launch: Launch) -> Self {
        Self::start_within(launch, Limits::default())
    }

    /// Like [`Self::start`], with other limits of the client, for tests of failing services.
    pub fn start_within(launch: Launch, limits: Limits) -> Self {
        Self::start_on(launch, limits, TtyWriter::default())
    }

    /// Like [`Self::start_within`], with a terminal.
    pub(super) fn start_on(launch: Launch, limits: Limits, writer: TtyWriter) -> Self {
        let (sender, messages) = replies::channel();
        let mut effects = Effects::new(&launch, limits, sender, writer);
        let mut clock = Clock::default();
        let mut app = App::new(launch.explanations, launch.read_only, clock.now());
        app.jobs.delete_delay = launch.delete_delay;
        app.ctx.keymap = launch.keymap;
        app.triage.changes.untested_days = launch.untested_days;
        app.session.claim = launch.claim;
        app.session.refresh_minutes = launch.refresh_minutes;
        (app.session.profiles, app.session.profile) = launch.profiles;
        app.session.first_view = launch.view;
        app.screen.times = launch.times;
        app.screen.zone = launch.zone;
        if launch.start == StartScreen::Overview {
            app.open_overview();
        }
        for effect in app.start() {
            effects.perform(effect);
        }
        effects.perform(Effect::Connect(app.session.profile.clone()));
        let editor = launch.editor;
        let keys = InputReader::default();
        Self { app, clock, keys, effects, messages, editor, to_edit: None, over: false, broken: None }
    }

    /// The state.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Whether the program should end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The text of a task's panic, if any.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Handles a terminal event.
    pub fn take_event(&mut self, event: &Event) {
        if let Some(input) = self.keys.read(event, self.app.context(), &self.app.ctx.keymap) {
            self.handle(Message::Input(input));
        }
    }

    /// Handles a message and performs its effects.
    pub fn handle(&mut self, message: Message) {
        let now = self.clock.now();
        self.handle_at(message, now);
    }

    /// Like [`Self::handle`], at another time, for tests.
    pub fn handle_at(&mut self, message: Message, now: Timestamp) {
        if let Message::TaskFailed(text) = &message {
            self.broken = Some(text.clone());
        }
        let effects = self.app.update(message, now);
        self.perform(effects);
    }

    /// Handles the layout of a frame. Returns true if it triggered requests, which the frame does not show.
    pub(super) fn take_layout(&mut self, layout: FrameLayout) -> bool {
        let now = self.clock.now();
        let effects = self.app.update(Message::FrameLayout(layout), now);
        let has_effects = !effects.is_empty();
        self.perform(effects);
        has_effects
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Quit => self.over = true,
                Effect::EditFile(path) => self.to_edit = Some(path),
                other => self.effects.perform(other),
            }
        }
    }

    /// Takes the file to be edited now, with the editor's command.
    pub fn take_edit(&mut self) -> Option<(PathBuf, Command)> {
        let path = self.to_edit.take()?;
        let (program, arguments) = self.editor.split_first()?;
        let mut command = self.effects.desktop.key_variables.command(program);
        command.args(arguments).arg(&path);
        Some((path, command))
    }

    /// Handles the end of an edit, or why it failed.
    pub fn on_edited(&mut self, path: PathBuf, edited: Result<(), String>) {
        self.effects.copy_edited(path, edited);
    }

    /// Waits for the next message from outside.
    pub async fn next_message(&mut self) -> Message {
        match self.messages.recv(self.effects.service()).await {
            Some(message) => message,
            // The effects hold a sender as long as the session lives.
            None => std::future::pending().await,
        }
    }

    /// Handles pending messages, up to one with many rows: the rest is handled after a frame.
    pub fn take_waiting_messages(&mut self) {
        // Messages of the desk are handled together, because showing what they changed takes time for each row.
        let mut from_desk = Vec::new();
        while let Some(message) = self.messages.try_recv(self.effects.service()) {
            if let Message::Desk(more) = message {
                from_desk.extend(more);
                continue;
            }
            // Each answer of the desk is also an exchange.
            if !matches!(message, Message::Exchange(_)) {
                self.handle_desk(&mut from_desk);
            }
            let has_many_rows = matches!(message, Message::ReportRows(..));
            self.handle(message);
            if has_many_rows {
                return;
            }
        }
        self.handle_desk(&mut from_desk);
    }

    fn handle_desk(&mut self, messages: &mut Vec<DeskMessage>) {
        if !messages.is_empty() {
            self.handle(Message::Desk(std::mem::take(messages)));
        }
    }

    /// Returns the duration until the next tick; `None` if nothing is scheduled.
    pub fn pause(&mut self) -> Option<Duration> {
        let at = self.app.wake_at()?;
        Some(self.clock.until(at))
    }

    /// Runs until no task is running and no request waits for a pause in typing or cursor movement.
    ///
    /// Such pauses end immediately. Timers of notices and ages, and waits requested by a service, do not fire.
    pub async fn settle(&mut self) {
        for _ in 0..MAX_TURNS {
            self.take_waiting_messages();
            // A wait after a rate limit is not skipped.
            let fetch_at = self.app.report.fetch_at.filter(|_| self.app.report.whole.failure.is_none());
            let pause = [self.app.reports.send_at, fetch_at].into_iter().flatten().min();
            if self.effects.is_idle() && self.messages.is_empty() {
                let Some(at) = pause else { return };
                let now = self.clock.now();
                self.handle_at(Message::Tick, at.max(now));
                continue;
            }
            tokio::select! {
                message = self.messages.recv(self.effects.service()) => message.into_iter().for_each(|message| self.handle(message)),
                // A cancelled read ends without a message.
                () = self.effects.rest() => {}
            }
        }
    }

    /// Cancels reads, waits briefly for writes and handles their replies. Returns a failure, which no frame will show,
    /// or the writes that are still without a response.
    pub async fn finish(&mut self) -> Option<Failure> {
        let _ = tokio::time::timeout(FINISH_TIMEOUT, self.effects.finish()).await;
        self.app.session.unread_failure = None;
        while let Some(message) = self.messages.try_recv(self.effects.service()) {
            // Also after a failure, which would call quitting off: a run must not send more.
            self.app.session.quitting = true;
            self.handle(message);
        }
        self.app.session.unread_failure.take().or_else(|| self.app.unanswered_writes())
    }

    /// Starts closing the journal; [`Self::end`] waits for it.
    pub(super) fn close_journal(&mut self) {
        self.effects.close_journal();
    }

    /// Ends the session along with the process. Returns what could not be stored meanwhile.
    pub(super) fn end(mut self) -> Option<Failure> {
        let failure = self.effects.await_journal();
        // Freeing 100,000 rows one by one would take a third of the time to quit; the system reclaims their memory
        // immediately. Only the rows are leaked: everything else is dropped, and typed secrets are wiped.
        std::mem::forget(self.app.reports);
        failure
    }
}
