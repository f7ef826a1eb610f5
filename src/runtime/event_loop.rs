//! The event loop: waits for an event, updates, performs effects, handles all further pending events, draws once.
//!
//! There is no periodic tick: an idle process is woken once a minute for the ages on the screen, and writes only what
//! has changed. While the terminal is still receiving a frame no other one is drawn; afterwards the latest state is.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, anyhow};
use crossterm::event::Event;
use futures_util::FutureExt as _;
use ratatui::Frame;
use tokio::time::{Instant, sleep, sleep_until};

use crate::api::limits::Limits;
use crate::app::App;
use crate::app::frame_layout::FrameLayout;
use crate::app::message::Message;
use crate::domain::text::clean;
use crate::runtime::launch::Launch;
use crate::runtime::panic;
use crate::runtime::session::Session;
use crate::runtime::terminal::editor::{self, EditorExit};
use crate::runtime::terminal::events::Events;
use crate::runtime::terminal::screen::Screen;
use crate::runtime::terminal::signals::{self, SignalEvent, Signals};
use crate::runtime::terminal::theme_probe::ThemeProbe;
use crate::runtime::terminal::tty_writer::TtyWriter;
use crate::view::{self, Look};

/// The error after a panic, in addition to its text.
const BROKE: &str = "reportdeck crashed; saved data is safe";
/// The context of terminal errors.
const NOT_DRAWN: &str = "The screen cannot be drawn";
/// The most events handled before the next frame.
const MAX_EVENTS_PER_FRAME: usize = 1024;

/// Draws the state: [`view::draw`], except in tests of failing drawing.
pub type Paint = fn(&mut Frame, &App, &Look) -> FrameLayout;

/// Runs the dashboard until the user or the system ends it. The terminal is restored on every way out. `shutdown` ends
/// whatever connecting has started; it runs concurrently with closing the journal. Returns a note for the user to read
/// on the restored terminal.
pub async fn run(launch: Launch, shutdown: impl Future<Output = ()>) -> anyhow::Result<Option<String>> {
    run_with(launch, view::draw, shutdown).await
}

/// Like [`run`], with another drawing function.
pub async fn run_with(
    launch: Launch,
    paint: Paint,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<Option<String>> {
    let take_panic = panic::remember();
    let writer = TtyWriter::stdout()?;
    let probe = ThemeProbe::new(&launch.look, &launch.terminal_env, writer.clone());
    let look = launch.look.clone();
    let mut screen = Screen::enter(&writer).context("The terminal cannot be used for a dashboard")?;
    // A panic while starting, drawing or updating unwinds to here, to be reported on the restored terminal.
    let start = AssertUnwindSafe(|| Session::start_on(launch, Limits::default(), writer.clone()));
    let Ok(session) = std::panic::catch_unwind(start) else {
        screen.leave().await;
        shutdown.await;
        return Err(anyhow!(BROKE).context(take_panic().unwrap_or_default()));
    };
    let mut event_loop =
        EventLoop { session, screen, writer, probe, look, paint, layout: FrameLayout::default(), is_outdated: true };
    let ended = AssertUnwindSafe(event_loop.run()).catch_unwind().await;
    let EventLoop { mut session, mut screen, .. } = event_loop;
    if matches!(ended, Ok(Err(_))) {
        // Stores drafts, as on a signal.
        session.handle(Message::Terminate);
    }
    let closing = async {
        let failure = session.finish().await;
        session.close_journal();
        let broken_task = session.broken().map(str::to_owned);
        let kept = session.app().kept_decisions();
        let ((), not_stored) = tokio::join!(shutdown, async { session.end() });
        (broken_task, failure.or(not_stored), kept)
    };
    let ((), (broken_task, failure, kept)) = tokio::join!(screen.leave(), closing);
    let result = ended.unwrap_or_else(|_| Err(anyhow!(BROKE)));
    match (result, broken_task, take_panic()) {
        (Ok(()), None, _) => failure.map_or(Ok(kept), |failure| Err(anyhow!(failure))),
        (Ok(()), Some(text), panic) => {
            let text = panic.unwrap_or(text);
            Err(anyhow!("A part of reportdeck crashed; saved data is safe ({text})"))
        }
        (Err(error), task, panic) => Err(match panic.or(task) {
            Some(text) => error.context(text),
            None => error,
        }),
    }
}

struct EventLoop {
    session: Session,
    screen: Screen,
    writer: TtyWriter,
    probe: ThemeProbe,
    look: Look,
    paint: Paint,
    /// The layout of the last frame.
    layout: FrameLayout,
    /// Whether the state may differ from the last frame.
    is_outdated: bool,
}

impl EventLoop {
    async fn run(&mut self) -> anyhow::Result<()> {
        let mut signals = Signals::new(self.writer.clone())?;
        let mut events = Events::begin()?;
        self.draw()?;
        self.probe.begin();
        let mut has_terminal = true;
        while !self.session.is_over() {
            let (pause, deadline) = (self.session.pause(), self.probe.deadline());
            tokio::select! {
                // Signals first: the terminal may be gone. Then keys: a flood of responses must not delay them.
                biased;
                signal = signals.next() => {
                    has_terminal = signal == SignalEvent::Stop && self.stop(&mut signals).await?;
                }
                event = events.next() => match event {
                    Some(Ok(event)) => self.take(event)?,
                    Some(Err(_)) | None => has_terminal = false,
                },
                message = self.session.next_message() => self.session.handle(message),
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                    for event in self.probe.release_events() {
                        self.session.take_event(&event);
                    }
                }
                () = sleep(pause.unwrap_or_default()), if pause.is_some() => self.session.handle(Message::Tick),
                drained = self.screen.drained(), if self.is_outdated => drained.context(NOT_DRAWN)?,
            }
            if !has_terminal {
                self.session.handle(Message::Terminate);
                return Ok(());
            }
            self.take_waiting(&mut events)?;
            if let Some((path, editor)) = self.session.take_edit() {
                // Keys typed into the editor must not reach the dashboard.
                events.end().await;
                if !self.edit(path, editor, &mut signals).await? {
                    self.session.handle(Message::Terminate);
                    return Ok(());
                }
                events = Events::begin()?;
            }
            self.is_outdated = true;
            if !self.session.is_over() {
                self.draw()?;
            }
        }
        self.probe.await_answer(async || events.next().await).await;
        Ok(())
    }

    /// Handles pending events, so that a held key is drawn only once. Their number is limited, so that a fast typist
    /// still sees frames.
    fn take_waiting(&mut self, events: &mut Events) -> anyhow::Result<()> {
        for _ in 0..MAX_EVENTS_PER_FRAME {
            if self.session.is_over() {
                return Ok(());
            }
            let Some(Ok(event)) = events.waiting() else { break };
            let is_resize = matches!(event, Event::Resize(..));
            self.take(event)?;
            if is_resize {
                break;
            }
        }
        self.session.take_waiting_messages();
        Ok(())
    }

    fn take(&mut self, event: Event) -> anyhow::Result<()> {
        if matches!(event, Event::Resize(..)) {
            // The size may be that of the last frame again, but the terminal has cut what did not fit in between.
            self.screen.forget().context(NOT_DRAWN)?;
        }
        let (events, is_light) = self.probe.take(event);
        if let Some(is_light) = is_light {
            self.look.follow(is_light);
        }
        for event in events {
            self.session.take_event(&event);
        }
        Ok(())
    }

    /// Draws the state, unless the terminal is still receiving the last frame.
    fn draw(&mut self) -> anyhow::Result<()> {
        if self.screen.is_busy() {
            return Ok(());
        }
        let Self { session, screen, look, paint, layout, .. } = self;
        let mut drawn = FrameLayout::default();
        screen.draw(|frame| drawn = paint(frame, session.app(), look)).context(NOT_DRAWN)?;
        // A frame already applies its own layout; only the requests triggered by it are missing.
        self.is_outdated = drawn != *layout && {
            layout.clone_from(&drawn);
            session.take_layout(drawn)
        };
        Ok(())
    }

    /// Gives the terminal to an editor until it ends. Returns false if the program should end then.
    async fn edit(&mut self, path: PathBuf, editor: Command, signals: &mut Signals) -> anyhow::Result<bool> {
        self.screen.leave().await;
        let name = clean(&editor.get_program().to_string_lossy()).into_owned();
        let edited = match editor::run(editor, signals).await? {
            EditorExit::Terminated => return Ok(false),
            EditorExit::Ended(Ok(status)) if status.success() => Ok(()),
            EditorExit::Ended(Ok(status)) => Err(format!("{name} ended with {status}")),
            EditorExit::Ended(Err(error)) => Err(format!("{name} cannot be started: {error}")),
        };
        self.session.on_edited(path, edited);
        self.take_terminal_back()
    }

    /// Gives the terminal to the shell until it continues the program. Returns false if the program should end then.
    async fn stop(&mut self, signals: &mut Signals) -> anyhow::Result<bool> {
        if !signals::can_stop() {
            return Ok(true);
        }
        self.screen.leave().await;
        if signals.stop().await? { self.take_terminal_back() } else { Ok(false) }
    }

    /// Draws the dashboard again after the shell or an editor had the terminal. Returns true: the program goes on.
    fn take_terminal_back(&mut self) -> anyhow::Result<bool> {
        self.session.handle(Message::Resumed);
        self.screen.return_to(!self.session.app().screen.mouse_released).context(NOT_DRAWN)?;
        self.probe.begin();
        Ok(true)
    }
}
