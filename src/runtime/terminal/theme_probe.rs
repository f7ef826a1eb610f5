//! Queries the terminal's background colour (OSC 11), and filters the reply out of the key events.
//!
//! The query is sent after the first frame, and again when the window gains the focus, as colours may change with day
//! and night. crossterm does not recognise the reply and reports it as keys: `alt+]`, `1`, `1`, `;` and so on up to
//! `ctrl+g` or `alt+\`. Keys that turn out to be something else are passed on in order.

use std::io;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use tokio::time::Instant;

use crate::domain::look::ThemeName;
use crate::domain::look::terminal_env::{Colours, TerminalEnv};
use crate::runtime::terminal::modes;
use crate::runtime::terminal::tty_writer::TtyWriter;
use crate::view::Look;

const QUESTION: &[u8] = b"\x1b]11;?\x07";
/// The text between `ESC ]` and the colour.
const PREFIX: &str = "11;";
/// The longest reply, without its terminator.
const LONGEST: usize = 48;
/// How long a lone escape may be the first byte of a reply.
const ESCAPE: Duration = Duration::from_millis(40);
/// How long the rest of a reply may take.
const REST: Duration = Duration::from_secs(1);
/// How long a reply is expected, and a lone escape held back.
const ANSWER: Duration = Duration::from_secs(10);
/// How long quitting waits for a reply, which would otherwise be typed into the shell.
const AT_QUIT: Duration = Duration::from_millis(300);

/// How much of a reply has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Nothing,
    /// A lone escape: the key, or a reply split by the network.
    Escape,
    /// After `ESC ]`.
    Text,
    /// An escape after the text: the first half of the terminator.
    TextEscape,
    Whole,
}

/// The query, and the part of a reply received so far.
#[derive(Default)]
pub(crate) struct ThemeProbe {
    writer: TtyWriter,
    is_enabled: bool,
    asked_at: Option<Instant>,
    is_answered: bool,
    stage: Stage,
    /// The keys that may belong to a reply, when the first of them arrived, and their text after `ESC ]`.
    held: Vec<Event>,
    held_since: Option<Instant>,
    text: String,
}

impl ThemeProbe {
    /// Creates a probe, which is enabled only if the reply affects the theme and the terminal is known to reply.
    pub(crate) fn new(look: &Look, env: &TerminalEnv, writer: TtyWriter) -> Self {
        let is_enabled = look.theme_name == ThemeName::Auto && look.colours != Colours::None && env.answers_questions();
        Self { writer, is_enabled, ..Self::default() }
    }

    /// Sends the first query. Called after the first frame.
    pub(crate) fn begin(&mut self) {
        if self.is_enabled {
            modes::report_focus(&self.writer);
            self.ask();
        }
    }

    fn ask(&mut self) {
        // A terminal that is gone does not reply.
        let _ = self.writer.send(QUESTION);
        (self.asked_at, self.is_answered) = (Some(Instant::now()), false);
    }

    /// Handles an event. Returns the events for the dashboard, and whether the background is light, if a reply is
    /// complete.
    pub(crate) fn take(&mut self, event: Event) -> (Vec<Event>, Option<bool>) {
        let Some(asked_at) = self.asked_at else { return (vec![event], None) };
        if event == Event::FocusGained && self.is_answered {
            self.ask();
        }
        let Event::Key(key) = event else { return (vec![event], None) };
        let is_expected = !self.is_answered && asked_at.elapsed() < ANSWER;
        match self.next_stage(key, is_expected) {
            Some(Stage::Whole) => {
                let is_light = self.text.strip_prefix(PREFIX).and_then(is_light);
                self.is_answered = true;
                self.release_events();
                (Vec::new(), is_light)
            }
            Some(stage) => {
                if let (Stage::Text, Some(character)) = (self.stage, key.code.as_char()) {
                    self.text.push(character);
                }
                self.stage = stage;
                self.held.push(event);
                self.held_since.get_or_insert_with(Instant::now);
                (Vec::new(), None)
            }
            None if self.held.is_empty() => (vec![event], None),
            None => {
                // The held keys were typed; this one may start a reply.
                let mut events = self.release_events();
                let (more, is_light) = self.take(event);
                events.extend(more);
                (events, is_light)
            }
        }
    }

    /// Returns the next stage after a key; `None` if the key does not belong to a reply. A lone escape is held back
    /// only while a reply is expected.
    fn next_stage(&self, key: KeyEvent, is_expected: bool) -> Option<Stage> {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let plain = !alt && !control;
        match (self.stage, key.code) {
            (Stage::Nothing, KeyCode::Char(']')) if alt => Some(Stage::Text),
            (Stage::Nothing, KeyCode::Esc) if is_expected && key.modifiers.is_empty() => Some(Stage::Escape),
            (Stage::Escape, KeyCode::Char(']')) if plain => Some(Stage::Text),
            (Stage::Text, KeyCode::Char('g')) if control => Some(Stage::Whole),
            (Stage::Text, KeyCode::Char('\\')) if alt => Some(Stage::Whole),
            (Stage::TextEscape, KeyCode::Char('\\')) if plain => Some(Stage::Whole),
            (Stage::Text, KeyCode::Esc) => Some(Stage::TextEscape),
            (Stage::Text, KeyCode::Char(character)) if plain => {
                let fits = match PREFIX.chars().nth(self.text.len()) {
                    Some(expected) => character == expected,
                    None => {
                        self.text.len() < LONGEST && (character.is_ascii_alphanumeric() || ":/".contains(character))
                    }
                };
                fits.then_some(Stage::Text)
            }
            _ => None,
        }
    }

    /// Returns when the held keys are passed on if the rest of a reply has not arrived.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let patience = if self.stage == Stage::Escape { ESCAPE } else { REST };
        self.held_since.map(|since| since + patience)
    }

    /// Returns the held keys.
    pub(crate) fn release_events(&mut self) -> Vec<Event> {
        (self.stage, self.held_since) = (Stage::Nothing, None);
        self.text.clear();
        std::mem::take(&mut self.held)
    }

    /// Waits briefly for an outstanding reply.
    pub(crate) async fn await_answer(&mut self, mut next: impl AsyncFnMut() -> Option<io::Result<Event>>) {
        let Some(until) = self.asked_at.map(|asked_at| asked_at + AT_QUIT) else { return };
        while !self.is_answered && Instant::now() < until {
            match tokio::time::timeout_at(until, next()).await {
                Ok(Some(Ok(event))) => drop(self.take(event)),
                Ok(Some(Err(_)) | None) | Err(_) => return,
            }
        }
    }
}

/// Whether a colour such as `rgb:ffff/ffff/ffff` or `rgba:…` is closer to white than to black.
fn is_light(color: &str) -> Option<bool> {
    let (model, channels) = color.split_once(':')?;
    let mut channels = channels.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok().filter(|count| (1..=4).contains(count))?)? - 1;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
    });
    let (red, green, blue) = (channels.next()??, channels.next()??, channels.next()??);
    let is_whole = channels.count() == usize::from(model == "rgba");
    // The luma of ITU-R BT.601.
    (is_whole && ["rgb", "rgba"].contains(&model)).then_some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{StreamExt as _, stream};
    use proptest::prelude::*;

    /// A probe that has just sent its query.
    fn asked() -> ThemeProbe {
        ThemeProbe { is_enabled: true, asked_at: Some(Instant::now()), ..ThemeProbe::default() }
    }

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn escape() -> Event {
        key(KeyCode::Esc, KeyModifiers::NONE)
    }

    fn bell() -> Event {
        key(KeyCode::Char('g'), KeyModifiers::CONTROL)
    }

    fn typed(text: &str) -> Vec<Event> {
        text.chars().map(|character| key(KeyCode::Char(character), KeyModifiers::NONE)).collect()
    }

    /// A reply as crossterm reports it.
    fn answer(text: &str, end: &[Event]) -> Vec<Event> {
        [&[key(KeyCode::Char(']'), KeyModifiers::ALT)][..], &typed(text), end].concat()
    }

    /// The events that are passed on in the end, and the replies.
    fn sift(mut probe: ThemeProbe, events: &[Event]) -> (Vec<Event>, Vec<bool>) {
        let (mut passed, mut answers) = (Vec::new(), Vec::new());
        for event in events {
            let (events, is_light) = probe.take(event.clone());
            passed.extend(events);
            answers.extend(is_light);
        }
        passed.extend(probe.release_events());
        (passed, answers)
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_taken_out_with_either_terminator_and_cut_in_two() {
        let alt_backslash = key(KeyCode::Char('\\'), KeyModifiers::ALT);
        for end in [vec![bell()], vec![alt_backslash], vec![escape(), typed("\\")[0].clone()]] {
            let events = [typed("j"), answer("11;rgb:ffff/ffff/ffff", &end), typed("k")].concat();
            assert_eq!(sift(asked(), &events), (typed("jk"), vec![true]), "{end:?}");
        }
        let cut = [vec![escape()], typed("]11;rgb:00/00/00"), vec![bell()]].concat();
        assert_eq!(sift(asked(), &cut), (Vec::new(), vec![false]));
        let behind_another = [vec![escape()], answer("11;rgb", &answer("11;rgb:0/0/0", &[bell()]))].concat();
        let (passed, answers) = sift(asked(), &behind_another);
        assert_eq!((passed.len(), answers), (1 + 1 + "11;rgb".len(), vec![false]));
    }

    #[tokio::test(start_paused = true)]
    async fn keys_that_only_begin_like_an_answer_are_passed_on() {
        for events in [
            answer("", &typed("jjj")),
            answer("10;rgb:ffff/ffff/ffff", &[bell()]),
            answer("11;rgb ", &[]),
            answer("11", &[key(KeyCode::Enter, KeyModifiers::NONE)]),
            answer(&format!("11;{}", "f".repeat(100)), &[bell()]),
            vec![escape(), typed("q")[0].clone()],
            vec![escape(), escape(), escape()],
        ] {
            assert_eq!(sift(asked(), &events), (events, Vec::new()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lone_escape_is_held_for_a_moment_while_an_answer_is_expected() {
        let mut probe = asked();
        assert_eq!(probe.take(escape()), (Vec::new(), None));
        assert_eq!(probe.deadline(), Some(Instant::now() + ESCAPE));
        assert_eq!(probe.release_events(), [escape()]);
        assert_eq!(probe.deadline(), None);
        tokio::time::advance(ANSWER).await;
        assert_eq!(probe.take(escape()), (vec![escape()], None));
        // A late reply is filtered too.
        assert_eq!(sift(probe, &answer("11;rgb:ffff/ffff/ffff", &[bell()])), (Vec::new(), vec![true]));
    }

    #[tokio::test(start_paused = true)]
    async fn quitting_waits_for_an_answer_but_not_for_long() {
        let mut probe = asked();
        let answer = answer("11;rgb:ffff/ffff/ffff", &[bell()]);
        let mut events = stream::iter(answer.into_iter().map(Ok)).chain(stream::pending());
        probe.await_answer(async || events.next().await).await;
        assert!(probe.is_answered && probe.asked_at.unwrap().elapsed().is_zero());

        let mut probe = asked();
        probe.await_answer(std::future::pending).await;
        assert_eq!(probe.asked_at.unwrap().elapsed(), AT_QUIT);
        ThemeProbe::default().await_answer(std::future::pending).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_terminal_that_answered_is_asked_again_with_the_focus() {
        let mut probe = asked();
        tokio::time::advance(AT_QUIT).await;
        probe.take(Event::FocusGained);
        assert!(!probe.asked_at.unwrap().elapsed().is_zero(), "it has not answered yet");
        for event in answer("11;rgb:ffff/ffff/ffff", &[bell()]) {
            probe.take(event);
        }
        probe.take(Event::FocusGained);
        assert!(probe.asked_at.unwrap().elapsed().is_zero());
    }

    #[test]
    fn colours_are_light_or_dark() {
        for (color, expected) in [
            ("rgb:ffff/ffff/ffff", Some(true)),
            ("rgb:fd/f6/e3", Some(true)),
            ("rgb:0000/0000/0000", Some(false)),
            ("rgb:1e1e/1e1e/2e2e", Some(false)),
            ("rgba:ffff/ffff/ffff/0000", Some(true)),
            ("rgb:ffff/ffff", None),
            ("rgb:f/f/f/f", None),
            ("rgb:fffff/0/0", None),
            ("rgb:g/0/0", None),
            ("hsl:1/2/3", None),
            ("", None),
        ] {
            assert_eq!(is_light(color), expected, "{color}");
        }
    }

    proptest! {
        #[test]
        fn no_key_is_lost_or_moved(text in "[\\]1;rgbf:/ a-z]{0,40}", at in 0_usize..40) {
            let mut events = typed(&text);
            events.insert(at.min(events.len()), key(KeyCode::Char(']'), KeyModifiers::ALT));
            prop_assert_eq!(sift(asked(), &events), (events.clone(), Vec::new()));
        }

        #[test]
        fn any_colour_is_read_without_a_panic(color in any::<String>()) {
            is_light(&color);
        }
    }
}
