//! Takes the terminal's answer about its background out of the events, so that it is never read as keys.
//!
//! The terminal library knows no such answer and hands it on as keys: `ESC ] 1 1 ; r g b : …` becomes alt+], 1, 1, … and
//! its end ctrl+g or alt+\. Only that exact shape is taken; whatever turns out to be something else is given back whole
//! and in order. Must not read a clock or the terminal.

use crossterm::event::{Event, KeyCode, KeyModifiers};

/// What every answer begins with.
const BEGINNING: &str = "11;";
/// No answer is longer.
const LONGEST: usize = 48;

/// What came of an event.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sifted {
    /// What a person did.
    pub(crate) events: Vec<Event>,
    /// The colour in an answer that is whole now, as the terminal wrote it.
    pub(crate) colour: Option<String>,
}

/// How much of an answer is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Nothing,
    /// An escape that came alone: the key, or an answer cut in two by the network.
    Escape,
    /// Behind `ESC ]`.
    Text,
    /// An escape that came alone behind the text: the first half of its end.
    End,
}

/// The sieve, with what is held back until it is known what it is.
#[derive(Debug, Default)]
pub(crate) struct Sieve {
    stage: Stage,
    held: Vec<Event>,
    text: String,
}

impl Sieve {
    /// True while something is held back.
    pub(crate) fn is_holding(&self) -> bool {
        self.stage != Stage::Nothing
    }

    /// True while all that is held back may be the key Escape.
    pub(crate) fn holds_escape(&self) -> bool {
        self.stage == Stage::Escape
    }

    /// Takes an event. A lone escape is only held back where an answer is waited for.
    pub(crate) fn take(&mut self, event: Event, waits: bool) -> Sifted {
        let Event::Key(key) = event else {
            // The mouse and a new size say nothing about what the keys are.
            return Sifted { events: vec![event], colour: None };
        };
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let plain = !alt && !control;
        let next = match (self.stage, key.code) {
            (Stage::Nothing, KeyCode::Char(']')) if alt => Some(Stage::Text),
            (Stage::Nothing, KeyCode::Esc) if waits && key.modifiers.is_empty() => Some(Stage::Escape),
            (Stage::Escape, KeyCode::Char(']')) if plain => Some(Stage::Text),
            (Stage::Text, KeyCode::Char('g')) if control => return self.whole(),
            (Stage::Text, KeyCode::Char('\\')) if alt => return self.whole(),
            (Stage::Text, KeyCode::Esc) => Some(Stage::End),
            (Stage::End, KeyCode::Char('\\')) if plain => return self.whole(),
            (Stage::Text, KeyCode::Char(character)) if plain && self.fits(character) => {
                self.text.push(character);
                Some(Stage::Text)
            }
            _ => None,
        };
        if let Some(stage) = next {
            self.stage = stage;
            self.held.push(event);
            return Sifted::default();
        }
        if self.stage == Stage::Nothing {
            return Sifted { events: vec![event], colour: None };
        }
        // It was something else; but this event may be a beginning.
        let mut events = self.give_back();
        let sifted = self.take(event, waits);
        events.extend(sifted.events);
        Sifted { events, colour: sifted.colour }
    }

    /// Gives back what is held, because nothing followed in time.
    pub(crate) fn give_back(&mut self) -> Vec<Event> {
        self.stage = Stage::Nothing;
        self.text.clear();
        std::mem::take(&mut self.held)
    }

    fn fits(&self, character: char) -> bool {
        match BEGINNING.chars().nth(self.text.len()) {
            Some(expected) => character == expected,
            None => self.text.len() < LONGEST && (character.is_ascii_alphanumeric() || ":/#".contains(character)),
        }
    }

    fn whole(&mut self) -> Sifted {
        let colour = self.text.strip_prefix(BEGINNING).map(str::to_owned);
        self.give_back();
        Sifted { events: Vec::new(), colour }
    }
}

/// Whether a colour as terminals write it (`rgb:ffff/ffff/ffff`, `rgba:…`, `#ffffff`) is nearer to white than to black.
pub(crate) fn is_light(colour: &str) -> Option<bool> {
    let parts: Vec<f64> = match colour.strip_prefix('#') {
        Some(digits) if digits.len().is_multiple_of(3) && digits.is_ascii() => {
            let each = digits.len() / 3;
            (0..3).filter_map(|at| share(&digits[at * each..(at + 1) * each])).collect()
        }
        Some(_) => return None,
        None => {
            let (kind, parts) = colour.split_once(':')?;
            let count = usize::from(kind == "rgba") + 3;
            let parts: Vec<f64> = parts.split('/').map(share).collect::<Option<_>>()?;
            if !["rgb", "rgba"].contains(&kind) || parts.len() != count {
                return None;
            }
            parts
        }
    };
    let &[red, green, blue, ..] = parts.as_slice() else { return None };
    // As bright as the eye sees it; the middle of lightness is at a fifth of the light.
    let linear = |part: f64| part.powf(2.2);
    Some(0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.184)
}

/// One to four hexadecimal digits as a share of the most they can say.
fn share(digits: &str) -> Option<f64> {
    if !(1..=4).contains(&digits.len()) {
        return None;
    }
    let most = (1_u32 << (4 * digits.len())) - 1;
    Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEvent;
    use proptest::prelude::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    fn typed(text: &str) -> Vec<Event> {
        text.chars().map(|character| key(KeyCode::Char(character), KeyModifiers::NONE)).collect()
    }

    /// As the terminal library hands an answer on.
    fn answer(text: &str, end: &[Event]) -> Vec<Event> {
        let mut events = vec![key(KeyCode::Char(']'), KeyModifiers::ALT)];
        events.extend(typed(text));
        events.extend_from_slice(end);
        events
    }

    fn bell() -> Event {
        key(KeyCode::Char('g'), KeyModifiers::CONTROL)
    }

    fn sift(events: &[Event], waits: bool) -> (Vec<Event>, Vec<String>) {
        let (mut sieve, mut passed, mut colours) = (Sieve::default(), Vec::new(), Vec::new());
        for event in events {
            let sifted = sieve.take(event.clone(), waits);
            passed.extend(sifted.events);
            colours.extend(sifted.colour);
        }
        passed.extend(sieve.give_back());
        (passed, colours)
    }

    #[test]
    fn an_answer_is_taken_out_with_either_end_and_cut_in_two() {
        let alt_backslash = key(KeyCode::Char('\\'), KeyModifiers::ALT);
        let escape = key(KeyCode::Esc, KeyModifiers::NONE);
        for end in [vec![bell()], vec![alt_backslash], vec![escape.clone(), typed("\\")[0].clone()]] {
            let mut events = typed("j");
            events.extend(answer("11;rgb:ffff/ffff/ffff", &end));
            events.extend(typed("k"));
            assert_eq!(sift(&events, false), (typed("jk"), vec!["rgb:ffff/ffff/ffff".to_owned()]), "{end:?}");
        }
        let mut cut = vec![escape];
        cut.extend(typed("]11;rgb:00/00/00"));
        cut.push(bell());
        assert_eq!(sift(&cut, true), (Vec::new(), vec!["rgb:00/00/00".to_owned()]));
    }

    #[test]
    fn an_answer_behind_a_key_that_looked_like_one_is_taken_out() {
        let mut events = vec![key(KeyCode::Esc, KeyModifiers::NONE)];
        events.extend(answer("11;rgb", &answer("11;#000", &[bell()])));
        let (passed, colours) = sift(&events, true);
        assert_eq!((passed.len(), colours), (1 + 1 + "11;rgb".len(), vec!["#000".to_owned()]));
    }

    #[test]
    fn what_only_begins_like_one_is_given_back_whole() {
        let escape = key(KeyCode::Esc, KeyModifiers::NONE);
        for events in [
            answer("", &typed("jjj")),
            answer("10;rgb:ffff/ffff/ffff", &[bell()]),
            answer("11;rgb ", &[]),
            answer("11", &[key(KeyCode::Enter, KeyModifiers::NONE)]),
            answer(&format!("11;{}", "f".repeat(100)), &[bell()]),
            vec![escape.clone(), typed("q")[0].clone()],
            vec![escape.clone(), escape.clone(), escape],
        ] {
            for waits in [false, true] {
                assert_eq!(sift(&events, waits), (events.clone(), Vec::new()));
            }
        }
    }

    #[test]
    fn a_lone_escape_goes_through_at_once_where_nothing_is_waited_for() {
        let mut sieve = Sieve::default();
        let escape = key(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(sieve.take(escape.clone(), false).events, std::slice::from_ref(&escape));
        assert!(sieve.take(escape, true).events.is_empty() && sieve.holds_escape());
    }

    #[test]
    fn colours_are_light_or_dark() {
        for (colour, expected) in [
            ("rgb:ffff/ffff/ffff", Some(true)),
            ("rgb:fd/f6/e3", Some(true)),
            ("rgb:0000/0000/0000", Some(false)),
            ("rgb:1e1e/1e1e/2e2e", Some(false)),
            ("rgba:ffff/ffff/ffff/0000", Some(true)),
            ("#002b36", Some(false)),
            ("#fff", Some(true)),
            ("rgb:ffff/ffff", None),
            ("rgb:fffff/0/0", None),
            ("hsl:1/2/3", None),
            ("", None),
            ("#", None),
        ] {
            assert_eq!(is_light(colour), expected, "{colour}");
        }
    }

    proptest! {
        #[test]
        fn no_key_is_lost_or_moved(text in "[\\]1;rgbf:/ a-z]{0,40}", at in 0_usize..40, waits: bool) {
            let mut events = typed(&text);
            events.insert(at.min(events.len()), key(KeyCode::Char(']'), KeyModifiers::ALT));
            prop_assert_eq!(sift(&events, waits), (events.clone(), Vec::new()));
        }

        #[test]
        fn any_colour_is_read_without_a_panic(colour in any::<String>()) {
            is_light(&colour);
        }
    }
}
