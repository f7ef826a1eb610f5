//! Asks the terminal whether its background is light or dark, and keeps its answer from being read as keys.
//!
//! The first screen never waits for it: the question goes out behind that, and the answer comes with the keys. It is
//! asked again when the window gets the focus and, once a minute, with a key: day and night change while we run. Reports
//! that terminals offer by themselves (mode 2031) stay off: the terminal library takes the keys behind one for its end.

use std::time::Duration;

use crossterm::event::Event;
use tokio::time::Instant;

use crate::domain::look::ThemeName;
use crate::domain::surroundings::{Colours, Surroundings};
use crate::runtime::sieve::{Sieve, is_light};
use crate::runtime::terminal;
use crate::view::Look;

/// How long a lone escape may be the beginning of an answer.
const ESCAPE: Duration = Duration::from_millis(40);
/// How long the rest of an answer may take once it began.
const REST: Duration = Duration::from_secs(1);
/// How long an answer is likely to come; later ones are still taken out.
const ANSWER: Duration = Duration::from_secs(10);
/// How long an answer holds while keys are pressed.
const FRESH: Duration = Duration::from_mins(1);

/// The questions and answers of a run.
#[derive(Debug, Default)]
pub(super) struct Background {
    sieve: Sieve,
    /// The theme follows the terminal, and that one may be asked.
    follows: bool,
    asked_at: Option<Instant>,
    /// The last question was answered.
    answered: bool,
    held_since: Option<Instant>,
}

impl Background {
    /// Asks only where the answer decides something and where a question does no harm.
    pub(super) fn of(look: &Look, surroundings: &Surroundings) -> Self {
        let follows =
            look.theme_name == ThemeName::Auto && look.colours != Colours::None && surroundings.answers_questions();
        Self { follows, ..Self::default() }
    }

    /// Asks for the first time, behind the first screen.
    pub(super) fn begin(&mut self) {
        if self.follows {
            terminal::watch_focus();
            self.ask();
        }
    }

    fn ask(&mut self) {
        terminal::ask_background();
        self.asked_at = Some(Instant::now());
        self.answered = false;
    }

    /// Takes a terminal event: what a person did, and whether the background is light if that was answered.
    pub(super) fn take(&mut self, event: Event) -> (Vec<Event>, Option<bool>) {
        let Some(asked_at) = self.asked_at else { return (vec![event], None) };
        let age = asked_at.elapsed();
        // A terminal that never answered is not asked again.
        if self.answered && (event == Event::FocusGained || (event.is_key_press() && age > FRESH)) {
            self.ask();
        }
        let waits = !self.answered && age < ANSWER;
        let sifted = self.sieve.take(event, waits);
        self.answered |= sifted.colour.is_some();
        self.held_since = if self.sieve.is_holding() { self.held_since.or_else(|| Some(Instant::now())) } else { None };
        (sifted.events, sifted.colour.as_deref().and_then(is_light))
    }

    /// When what is held back is given back.
    pub(super) fn patience(&self) -> Option<Instant> {
        let patience = if self.sieve.holds_escape() { ESCAPE } else { REST };
        self.held_since.map(|since| since + patience)
    }

    /// Gives back what is held: it was a person after all.
    pub(super) fn give_back(&mut self) -> Vec<Event> {
        self.held_since = None;
        self.sieve.give_back()
    }
}
