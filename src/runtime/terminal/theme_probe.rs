//! Asks the terminal whether its background is light or dark, and keeps its answer from being read as keys.
//!
//! The first screen never waits for it: the question goes out behind that, and the answer comes with the keys. It is
//! asked again when the window gets the focus and, once a minute, with a key: day and night change while we run. Reports
//! that terminals offer by themselves (mode 2031) stay off: the terminal library takes the keys behind one for its end.

use std::io;
use std::time::Duration;

use crossterm::event::Event;
use futures_util::{Stream, StreamExt};
use tokio::time::Instant;

use crate::domain::look::ThemeName;
use crate::domain::look::terminal_env::{Colours, TerminalEnv};
use crate::runtime::terminal::osc_filter::{Sieve, is_light};
use crate::runtime::terminal::screen;
use crate::runtime::terminal::tty_writer::Outgoing;
use crate::view::Look;

/// How long a lone escape may be the beginning of an answer.
const ESCAPE: Duration = Duration::from_millis(40);
/// How long the rest of an answer may take once it began.
const REST: Duration = Duration::from_secs(1);
/// How long an answer is likely to come; later ones are still taken out.
const ANSWER: Duration = Duration::from_secs(10);
/// How long the end of the program waits for an answer that is under way: it would be typed into the shell.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long an answer holds while keys are pressed.
const FRESH: Duration = Duration::from_mins(1);

/// The questions and answers of a run.
#[derive(Default)]
pub(crate) struct Background {
    sieve: Sieve,
    /// The theme follows the terminal, and that one may be asked.
    follows: bool,
    asked_at: Option<Instant>,
    /// The last question was answered.
    answered: bool,
    /// It is time to ask again.
    due: bool,
    held_since: Option<Instant>,
    /// The way to the terminal.
    outgoing: Outgoing,
}

impl Background {
    /// Asks only where the answer decides something and where a question does no harm.
    pub(crate) fn of(look: &Look, whereabouts: &TerminalEnv, outgoing: Outgoing) -> Self {
        let follows =
            look.theme_name == ThemeName::Auto && look.colours != Colours::None && whereabouts.answers_questions();
        Self { follows, outgoing, ..Self::default() }
    }

    /// Asks for the first time, behind the first screen.
    pub(crate) fn begin(&mut self) {
        if self.follows {
            screen::watch_focus(&self.outgoing);
            self.ask();
        }
    }

    /// Asks again where it is time to. Called behind a screen, so never by somebody who leaves.
    pub(crate) fn ask_again(&mut self) {
        if std::mem::take(&mut self.due) {
            self.ask();
        }
    }

    fn ask(&mut self) {
        screen::ask_background(&self.outgoing);
        self.asked_at = Some(Instant::now());
        self.answered = false;
    }

    /// Waits a moment for an answer that is under way, so that the shell does not get it.
    pub(crate) async fn hear_out(&mut self, events: &mut (impl Stream<Item = io::Result<Event>> + Unpin)) {
        let Some(until) = self.asked_at.map(|asked_at| asked_at + FAREWELL) else { return };
        while !self.answered && Instant::now() < until {
            match tokio::time::timeout_at(until, events.next()).await {
                Ok(Some(Ok(event))) => drop(self.take(event)),
                Ok(Some(Err(_)) | None) | Err(_) => return,
            }
        }
    }

    /// Takes a terminal event: what a person did, and whether the background is light if that was answered.
    pub(crate) fn take(&mut self, event: Event) -> (Vec<Event>, Option<bool>) {
        let Some(asked_at) = self.asked_at else { return (vec![event], None) };
        let age = asked_at.elapsed();
        // A terminal that never answered is not asked again.
        self.due |= self.answered && (event == Event::FocusGained || (event.is_key_press() && age > FRESH));
        let waits = !self.answered && age < ANSWER;
        let sifted = self.sieve.take(event, waits);
        self.answered |= sifted.colour.is_some();
        self.held_since = if self.sieve.is_holding() { self.held_since.or_else(|| Some(Instant::now())) } else { None };
        (sifted.events, sifted.colour.as_deref().and_then(is_light))
    }

    /// When what is held back is given back.
    pub(crate) fn patience(&self) -> Option<Instant> {
        let patience = if self.sieve.holds_escape() { ESCAPE } else { REST };
        self.held_since.map(|since| since + patience)
    }

    /// Gives back what is held: it was a person after all.
    pub(crate) fn give_back(&mut self) -> Vec<Event> {
        self.held_since = None;
        self.sieve.give_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use futures_util::stream;

    /// Somebody who has just asked; nothing is written to the terminal of the tests.
    fn asked() -> Background {
        Background { follows: true, asked_at: Some(Instant::now()), ..Background::default() }
    }

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn answer() -> Vec<Event> {
        let mut events = vec![key(KeyCode::Char(']'), KeyModifiers::ALT)];
        let text = "11;rgb:ffff/ffff/ffff".chars();
        events.extend(text.map(|character| key(KeyCode::Char(character), KeyModifiers::NONE)));
        events.push(key(KeyCode::Char('g'), KeyModifiers::CONTROL));
        events
    }

    fn take_all(background: &mut Background, events: Vec<Event>) -> Option<bool> {
        events.into_iter().find_map(|event| background.take(event).1)
    }

    #[tokio::test(start_paused = true)]
    async fn leaving_hears_an_answer_out_but_not_for_long() {
        let mut background = asked();
        let mut events = stream::iter(answer().into_iter().map(Ok)).chain(stream::pending());
        background.hear_out(&mut events).await;
        assert!(background.answered && background.asked_at.unwrap().elapsed().is_zero());

        let mut background = asked();
        background.hear_out(&mut stream::pending()).await;
        assert_eq!(background.asked_at.unwrap().elapsed(), FAREWELL);

        tokio::time::advance(FAREWELL).await;
        let before = Instant::now();
        background.hear_out(&mut stream::pending()).await;
        assert_eq!(before, Instant::now(), "that terminal does not answer at all");
        Background::default().hear_out(&mut stream::pending()).await;
    }

    #[tokio::test(start_paused = true)]
    async fn who_answered_is_asked_again_with_the_focus_and_with_a_key_after_a_minute() {
        let mut background = asked();
        background.take(Event::FocusGained);
        assert!(!background.due, "who never answered is not asked again");
        assert_eq!(take_all(&mut background, answer()), Some(true));
        let press = || key(KeyCode::Char('j'), KeyModifiers::NONE);
        background.take(press());
        assert!(!background.due);
        tokio::time::advance(FRESH + Duration::from_secs(1)).await;
        assert_eq!(background.take(press()), (vec![press()], None));
        assert!(std::mem::take(&mut background.due));
        background.take(Event::FocusGained);
        assert!(background.due);
    }

    #[tokio::test(start_paused = true)]
    async fn a_held_escape_is_given_back_soon_and_not_held_when_no_answer_comes_any_more() {
        let escape = || key(KeyCode::Esc, KeyModifiers::NONE);
        let mut background = asked();
        assert_eq!(background.take(escape()), (Vec::new(), None));
        assert_eq!(background.patience(), Some(Instant::now() + ESCAPE));
        assert_eq!(background.give_back(), [escape()]);
        assert_eq!(background.patience(), None);
        tokio::time::advance(ANSWER).await;
        assert_eq!(background.take(escape()), (vec![escape()], None));
        // An answer that late is still none of the person's keys.
        assert_eq!(take_all(&mut background, answer()), Some(true));
    }
}
