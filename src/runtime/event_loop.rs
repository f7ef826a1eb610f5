//! The loop: wait for a message, update, perform the effects, take every message already waiting, draw once.
//!
//! Nothing runs while nothing happens: no ticks, no bytes written at rest. Must not know what a service is made of:
//! whoever starts the program hands in a future that connects.

use std::time::Duration;

use anyhow::Context as _;
use crossterm::event::Event;
use futures_util::FutureExt as _;

use crate::api::limits::Limits;
use crate::app::frame_layout::FrameLayout;
use crate::app::message::Message;
use crate::runtime::launch::Launch;
use crate::runtime::panic;
use crate::runtime::session::Session;
use crate::runtime::terminal::events::Events;
use crate::runtime::terminal::screen::Terminal;
use crate::runtime::terminal::signals::{self, Signals, Wish};
use crate::runtime::terminal::theme_probe::Background;
use crate::runtime::terminal::tty_writer::Outgoing;
use crate::view::{self, Look, Painted};

/// What is told of a panic besides its own text.
const BROKE: &str = "reportdeck broke; what was saved is safe";
/// What is told when the terminal takes no screen.
const UNSHOWN: &str = "The screen cannot be drawn";
/// So many events are taken before the screen is drawn.
const MOST_AT_ONCE: usize = 1024;

/// How the state is drawn: [`view::paint`], or in tests of broken drawing something worse.
pub type Paint = fn(&mut ratatui::buffer::Buffer, &crate::app::App, &Look) -> Painted;

/// Runs the dashboard until the person or the system ends it. The terminal is restored on every way out. What connecting
/// has started is ended by `farewell`, when nothing more is asked of it, while the journal closes.
pub async fn run(launch: Launch, farewell: impl Future<Output = ()>) -> anyhow::Result<()> {
    run_with(launch, view::paint, farewell).await
}

/// The same with another way to draw.
pub async fn run_with(launch: Launch, paint: Paint, farewell: impl Future<Output = ()>) -> anyhow::Result<()> {
    let broken = panic::remember();
    let outgoing = Outgoing::open();
    let mut background = Background::of(&launch.look, &launch.whereabouts, outgoing.clone());
    let look = launch.look.clone();
    let mut terminal = Terminal::enter(&outgoing).context("The terminal cannot be used for a dashboard")?;
    // A panic while starting, drawing or updating unwinds to here, so that the terminal is restored before it is told.
    let started = std::panic::AssertUnwindSafe(|| Session::start_on(launch, Limits::default(), outgoing));
    let Ok(mut session) = std::panic::catch_unwind(started) else {
        terminal.leave().await;
        farewell.await;
        return Err(anyhow::anyhow!(BROKE).context(broken.take().unwrap_or_default()));
    };
    let painter = Painter { terminal: &mut terminal, look, paint, last: FrameLayout::default() };
    let ended = std::panic::AssertUnwindSafe(turn(&mut session, &mut background, painter)).catch_unwind().await;
    if matches!(ended, Ok(Err(_))) {
        // What is in the fields is kept, as on a signal.
        session.handle(Message::Terminate);
    }
    // Side by side: the terminal is given back, the journal closes on its own thread, and the service on some others.
    let closing = async {
        session.finish().await;
        session.close_journal();
        farewell.await;
    };
    tokio::join!(terminal.leave(), closing);
    let result = ended.unwrap_or_else(|_| Err(anyhow::anyhow!(BROKE)));
    let broken_task = session.broken().map(str::to_owned);
    session.end();
    let by_task = broken_task.is_some();
    match (result, broken.take().or(broken_task)) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(text)) if by_task => {
            Err(anyhow::anyhow!("A part of reportdeck broke; what was saved is safe ({text})"))
        }
        (Ok(()), Some(_)) => Ok(()),
        (Err(error), Some(text)) => Err(error.context(text)),
        (Err(error), None) => Err(error),
    }
}

/// One turn after the other.
async fn turn(session: &mut Session, background: &mut Background, mut painter: Painter<'_>) -> anyhow::Result<()> {
    let mut signals = Signals::new(painter.terminal.outgoing().clone())?;
    let mut events = Events::begin()?;
    painter.paint(session)?;
    background.begin();
    let mut gone = false;
    while !session.is_over() {
        let pause = session.pause();
        tokio::select! {
            // A signal before anything else: the terminal may be gone. Then the person: a flood of answers must not
            // delay a key.
            biased;
            wish = signals.next() => match wish {
                Wish::Stop if painter.stop(session, background, &mut signals).await? => {}
                Wish::Stop | Wish::End => {
                    gone = true;
                    session.handle(Message::Terminate);
                }
            },
            event = events.next() => {
                if let Some(Ok(event)) = event {
                    painter.follow(take(session, background, event));
                } else {
                    // The terminal is gone.
                    gone = true;
                    session.handle(Message::Terminate);
                }
            }
            message = session.next_message() => session.handle(message),
            () = patience_of(background) => {
                for event in background.give_back() {
                    session.take_event(&event);
                }
            }
            () = sleep(pause) => session.handle(Message::Tick),
            taken = painter.terminal.taken(), if painter.terminal.is_busy() => taken.context(UNSHOWN)?,
        }
        if session.is_over() {
            // Not one more look at the terminal: it may be gone.
            break;
        }
        let side = take_what_waits(session, background, &mut events);
        painter.follow(side);
        if !session.is_over() {
            painter.paint(session)?;
            background.ask_again();
        }
    }
    if !gone {
        background.hear_out(&mut events).await;
    }
    Ok(())
}

/// What is there already is taken before the screen is drawn: keys held down are drawn once, not each. Not without end:
/// who types faster than we read still sees something.
fn take_what_waits(session: &mut Session, background: &mut Background, events: &mut Events) -> Option<bool> {
    let mut side = None;
    for _ in 0..MOST_AT_ONCE {
        let Some(Ok(event)) = events.waiting() else { break };
        let resized = matches!(event, Event::Resize(..));
        side = take(session, background, event).or(side);
        if session.is_over() || resized {
            break;
        }
    }
    session.take_waiting_messages();
    side
}

/// Takes a terminal event; whether the terminal's background is light, if the event was its answer.
fn take(session: &mut Session, background: &mut Background, event: Event) -> Option<bool> {
    let (events, side) = background.take(event);
    for event in events {
        session.take_event(&event);
    }
    side
}

async fn patience_of(background: &Background) {
    match background.patience() {
        None => std::future::pending().await,
        Some(at) => tokio::time::sleep_until(at).await,
    }
}

/// Draws the state on the terminal.
struct Painter<'a> {
    terminal: &'a mut Terminal,
    look: Look,
    paint: Paint,
    last: FrameLayout,
}

impl Painter<'_> {
    /// Takes the side of the terminal's background, if it was told.
    fn follow(&mut self, is_light: Option<bool>) {
        if let Some(is_light) = is_light {
            self.look.follow(is_light);
        }
    }

    /// Draws the state, unless the terminal still takes what was drawn before: then what is newest is drawn behind that.
    fn paint(&mut self, session: &mut Session) -> anyhow::Result<()> {
        if self.terminal.is_busy() {
            return Ok(());
        }
        let mut painted = self.painted(session)?;
        if painted.drawn != self.last {
            session.handle(Message::FrameLayout(painted.drawn));
            // What was learnt may move the window on the rows: drawn once more, so that what is seen is what is meant.
            painted = self.painted(session)?;
            self.last = painted.drawn;
        }
        self.terminal.show(painted.cursor).context(UNSHOWN)
    }

    fn painted(&mut self, session: &Session) -> anyhow::Result<Painted> {
        Ok((self.paint)(self.terminal.page().context(UNSHOWN)?, session.app(), &self.look))
    }

    /// Gives the terminal to the shell until that goes on with the program; whether it does.
    async fn stop(
        &mut self,
        session: &Session,
        background: &mut Background,
        signals: &mut Signals,
    ) -> anyhow::Result<bool> {
        if !signals::can_stop() {
            return Ok(true);
        }
        self.terminal.leave().await;
        if !signals.stop().await? {
            return Ok(false);
        }
        self.terminal.return_to(!session.app().screen.mouse_released).context(UNSHOWN)?;
        background.begin();
        Ok(true)
    }
}

/// Sleeps so long; for ever where nothing is waited for.
async fn sleep(pause: Option<Duration>) {
    match pause {
        None => std::future::pending().await,
        Some(pause) => tokio::time::sleep(pause).await,
    }
}
