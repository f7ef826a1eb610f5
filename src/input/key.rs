//! Keys and key sequences, with their spelling.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Maximum number of keys in a sequence.
const LONGEST: usize = 3;
/// The modifiers with their spelling, in the order written.
const MODIFIERS: [(&str, KeyModifiers); 3] =
    [("ctrl+", KeyModifiers::CONTROL), ("alt+", KeyModifiers::ALT), ("shift+", KeyModifiers::SHIFT)];

/// The configuration's spelling of a key, its code, and its display form.
type NamedKey = (&'static str, KeyCode, &'static str);
/// The keys that have names.
const NAMED_KEYS: [NamedKey; 15] = [
    ("up", KeyCode::Up, "↑"),
    ("down", KeyCode::Down, "↓"),
    ("left", KeyCode::Left, "←"),
    ("right", KeyCode::Right, "→"),
    ("home", KeyCode::Home, "Home"),
    ("end", KeyCode::End, "End"),
    ("pgup", KeyCode::PageUp, "PgUp"),
    ("pgdn", KeyCode::PageDown, "PgDn"),
    ("enter", KeyCode::Enter, "Enter"),
    ("esc", KeyCode::Esc, "Esc"),
    ("tab", KeyCode::Tab, "Tab"),
    ("space", KeyCode::Char(' '), "Space"),
    ("delete", KeyCode::Delete, "Del"),
    ("insert", KeyCode::Insert, "insert"),
    ("backspace", KeyCode::Backspace, "backspace"),
];

/// A key with its modifiers as terminals report it: characters carry no shift modifier, as their case expresses it, and
/// letters with ctrl are in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Why a text is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySpellingError {
    /// It is not the spelling of a key.
    Unknown,
    /// Shift with a character that is not a letter. Terminals report only the character that it types.
    ShiftedCharacter,
}

impl Key {
    /// Parses the configuration's spelling: `ctrl+d`, `shift+tab`, `f5`, `D`, `space`. Modifiers may be in any order.
    pub fn parse(text: &str) -> Result<Self, KeySpellingError> {
        let (mut modifiers, mut rest) = (KeyModifiers::NONE, text);
        while let Some((modifier, after)) = modifier_before(rest).filter(|(modifier, _)| !modifiers.contains(*modifier))
        {
            modifiers |= modifier;
            rest = after;
        }
        let named = NAMED_KEYS.iter().find(|(name, ..)| *name == rest).map(|(_, code, _)| *code);
        let code = named.or_else(|| function_key(rest)).or_else(|| single_character(rest));
        let code = match code.ok_or(KeySpellingError::Unknown)? {
            KeyCode::Char(letter) if modifiers.contains(KeyModifiers::SHIFT) => {
                KeyCode::Char(capital(letter).ok_or(KeySpellingError::ShiftedCharacter)?)
            }
            other => other,
        };
        Ok(Self::as_reported(code, modifiers))
    }

    /// Returns the key of a terminal event.
    pub fn of_event(event: &KeyEvent) -> Self {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        Self::as_reported(event.code, event.modifiers & known)
    }

    fn as_reported(code: KeyCode, mut modifiers: KeyModifiers) -> Self {
        let code = match code {
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            KeyCode::Char(character) => {
                modifiers -= KeyModifiers::SHIFT;
                let has_control = modifiers.contains(KeyModifiers::CONTROL);
                KeyCode::Char(if has_control { with_control(character) } else { character })
            }
            other => other,
        };
        Self { code, modifiers }
    }

    /// Returns the terminal event of this key, for scripted keys.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// Returns the configuration's spelling.
    pub fn written(self) -> String {
        self.text(|(name, ..)| name, 'f')
    }

    /// Returns the display form: `↓`, `Enter`, `ctrl+d`.
    pub fn shown(self) -> String {
        self.text(|(.., shown)| shown, 'F')
    }

    fn text(self, form: fn(&NamedKey) -> &'static str, function: char) -> String {
        let held = MODIFIERS.iter().filter(|(_, modifier)| self.modifiers.contains(*modifier));
        let name = match (NAMED_KEYS.iter().find(|(_, code, _)| *code == self.code), self.code) {
            (Some(named), _) => form(named).to_owned(),
            (None, KeyCode::Char(character)) => character.to_string(),
            (None, KeyCode::F(number)) => format!("{function}{number}"),
            (None, other) => other.to_string().to_lowercase(),
        };
        held.map(|(word, _)| *word).chain([&*name]).collect()
    }

    /// Whether the key types a character into a text field.
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && !self.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    }
}

/// Returns the modifier at the start of a spelling, and the rest.
fn modifier_before(text: &str) -> Option<(KeyModifiers, &str)> {
    let before = |(word, modifier): &(&str, KeyModifiers)| Some((*modifier, text.strip_prefix(word)?));
    MODIFIERS.iter().find_map(before).filter(|(_, rest)| !rest.is_empty())
}

/// Returns the capital of a letter that has one.
fn capital(letter: char) -> Option<char> {
    let mut capitals = letter.to_uppercase();
    capitals.next().filter(|capital| capitals.next().is_none() && capital.is_uppercase())
}

/// Returns the character that stands for a key pressed with ctrl.
fn with_control(character: char) -> char {
    match character {
        // Unix terminals send the same byte for ctrl+4 and ctrl+\, and so on; crossterm reports it as the digit.
        '4' if cfg!(unix) => '\\',
        '5' if cfg!(unix) => ']',
        '6' if cfg!(unix) => '^',
        '7' if cfg!(unix) => '_',
        other => other.to_ascii_lowercase(),
    }
}

fn function_key(text: &str) -> Option<KeyCode> {
    let number: u8 = text.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::F(number))
}

fn single_character(text: &str) -> Option<KeyCode> {
    let mut characters = text.chars();
    let character = characters.next()?;
    characters.next().is_none().then_some(KeyCode::Char(character))
}

/// Keys pressed in sequence; usually a single one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sequence(Vec<Key>);

impl Sequence {
    /// Parses one to three keys separated by spaces: `g g`, `ctrl+w l`.
    pub fn parse(text: &str) -> Result<Self, KeySpellingError> {
        let keys: Vec<Key> = text.split_whitespace().map(Key::parse).collect::<Result<_, _>>()?;
        if !(1..=LONGEST).contains(&keys.len()) {
            return Err(KeySpellingError::Unknown);
        }
        Ok(Self(keys))
    }

    /// The keys.
    pub fn keys(&self) -> &[Key] {
        &self.0
    }

    /// The configuration's spelling.
    pub fn written(&self) -> String {
        self.0.iter().map(|key| key.written()).collect::<Vec<_>>().join(" ")
    }

    /// The display form: `g g`, `ctrl+d`, `↓`.
    pub fn shown(&self) -> String {
        self.0.iter().map(|key| key.shown()).collect::<Vec<_>>().join(" ")
    }

    /// Whether two sequences conflict: they are equal, or one is a prefix of the other.
    pub fn collides_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0) || other.0.starts_with(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_parsed_and_formatted() {
        let sequence = Sequence::parse(" g  g ").unwrap();
        assert_eq!((sequence.keys().len(), &*sequence.written(), &*sequence.shown()), (2, "g g", "g g"));
        assert_eq!(Sequence::parse("ctrl+w down").unwrap().shown(), "ctrl+w ↓");
        for text in ["", "nokey", "g nokey", "a b c d"] {
            assert_eq!(Sequence::parse(text), Err(KeySpellingError::Unknown), "{text}");
        }
    }

    /// The key that a terminal reports when the keys of this spelling are pressed.
    fn spelled(text: &str) -> Option<String> {
        Key::parse(text).ok().map(Key::written)
    }

    #[test]
    fn every_readable_key_is_one_that_events_have() {
        for (text, expected) in [
            ("shift+d", "D"),
            ("shift+D", "D"),
            ("shift+\u{fc}", "\u{dc}"),
            ("alt+shift+d", "alt+D"),
            ("ctrl+D", "ctrl+d"),
            ("ctrl+shift+x", "ctrl+x"),
            ("shift+ctrl+x", "ctrl+x"),
            ("alt+ctrl+x", "ctrl+alt+x"),
            ("shift+tab", "shift+tab"),
            ("shift+alt+up", "alt+shift+up"),
            ("ctrl++", "ctrl++"),
            ("+", "+"),
        ] {
            assert_eq!(spelled(text).as_deref(), Some(expected), "{text}");
            let key = Key::parse(text).unwrap();
            assert_eq!(Key::of_event(&key.event()), key, "{text}");
        }
        for text in ["shift+space", "shift+1", "shift+\u{df}", "ctrl+shift++"] {
            assert_eq!(Key::parse(text), Err(KeySpellingError::ShiftedCharacter), "{text}");
        }
        for text in ["ctrl+ctrl+x", "ctrl+", "shift+", "hyper+x", "", "xy"] {
            assert_eq!(Key::parse(text), Err(KeySpellingError::Unknown), "{text}");
        }
    }

    #[test]
    fn a_letter_with_ctrl_is_the_same_key_in_both_cases() {
        let key = Key::of_event(&KeyEvent::new(KeyCode::Char('X'), KeyModifiers::CONTROL | KeyModifiers::SHIFT));
        assert_eq!(key.written(), "ctrl+x");
    }

    /// Terminals send one byte for both keys, and crossterm names the digit.
    #[cfg(unix)]
    #[test]
    fn ctrl_with_a_digit_is_ctrl_with_the_sign_of_the_same_byte() {
        for (digit, sign) in [('4', "ctrl+\\"), ('5', "ctrl+]"), ('6', "ctrl+^"), ('7', "ctrl+_")] {
            let event = KeyEvent::new(KeyCode::Char(digit), KeyModifiers::CONTROL);
            assert_eq!(Key::of_event(&event).written(), sign);
            assert_eq!(spelled(&format!("ctrl+{digit}")).as_deref(), Some(sign));
            assert_eq!(spelled(sign).as_deref(), Some(sign));
        }
        assert_eq!(spelled("ctrl+3").as_deref(), Some("ctrl+3"));
        assert_eq!(spelled("alt+4").as_deref(), Some("alt+4"));
    }

    #[test]
    fn a_sequence_that_begins_another_collides_with_it() {
        let read = |text| Sequence::parse(text).unwrap();
        assert!(read("g").collides_with(&read("g g")) && read("g g").collides_with(&read("g")));
        assert!(!read("g g").collides_with(&read("g x")));
    }
}
