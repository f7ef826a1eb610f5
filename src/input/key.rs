//! Keys and key sequences, with their spelling.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Maximum number of keys in a sequence.
const LONGEST: usize = 3;

/// A key with its modifiers, normalised: characters carry no shift modifier, as their case expresses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// Parses the configuration's spelling: `ctrl+d`, `shift+tab`, `f5`, `D`, `space`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut modifiers, mut rest) = (KeyModifiers::NONE, text);
        for (word, modifier) in
            [("ctrl+", KeyModifiers::CONTROL), ("alt+", KeyModifiers::ALT), ("shift+", KeyModifiers::SHIFT)]
        {
            if let Some(after) = rest.strip_prefix(word).filter(|after| !after.is_empty()) {
                modifiers |= modifier;
                rest = after;
            }
        }
        let code = match rest {
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "pgup" => KeyCode::PageUp,
            "pgdn" => KeyCode::PageDown,
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "tab" => KeyCode::Tab,
            "space" => KeyCode::Char(' '),
            "delete" => KeyCode::Delete,
            "insert" => KeyCode::Insert,
            "backspace" => KeyCode::Backspace,
            _ => function_key(rest).or_else(|| single_character(rest))?,
        };
        Some(Self { code, modifiers })
    }

    /// Returns the key of a terminal event.
    pub fn of_event(event: &KeyEvent) -> Self {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let mut modifiers = event.modifiers & known;
        let mut code = event.code;
        match code {
            KeyCode::BackTab => {
                code = KeyCode::Tab;
                modifiers |= KeyModifiers::SHIFT;
            }
            KeyCode::Char(_) => modifiers -= KeyModifiers::SHIFT,
            _ => {}
        }
        Self { code, modifiers }
    }

    /// Returns the terminal event of this key, for scripted keys.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// Returns the configuration's spelling.
    pub fn written(self) -> String {
        let modifiers =
            [(KeyModifiers::CONTROL, "ctrl+"), (KeyModifiers::ALT, "alt+"), (KeyModifiers::SHIFT, "shift+")];
        let before: String =
            modifiers.iter().filter(|(one, _)| self.modifiers.contains(*one)).map(|(_, word)| *word).collect();
        let name = match self.code {
            KeyCode::Char(' ') => "space".to_owned(),
            KeyCode::Char(character) => character.to_string(),
            KeyCode::F(number) => format!("f{number}"),
            KeyCode::PageUp => "pgup".to_owned(),
            KeyCode::PageDown => "pgdn".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        format!("{before}{name}")
    }

    /// Whether the key types a character into a text field.
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && !self.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    }
}

fn function_key(text: &str) -> Option<KeyCode> {
    let number: u8 = text.strip_prefix('f')?.parse().ok()?;
    (1..=12).contains(&number).then_some(KeyCode::F(number))
}

fn single_character(text: &str) -> Option<KeyCode> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Some(KeyCode::Char(character)),
        _ => None,
    }
}

/// Keys pressed in sequence; usually a single one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sequence {
    keys: Vec<Key>,
    written: String,
}

impl Sequence {
    /// Parses keys separated by spaces: `g g`, `ctrl+w l`. `None` for anything else, and for more than three keys.
    pub fn parse(text: &str) -> Option<Self> {
        let keys: Vec<Key> = text.split_whitespace().map(Key::parse).collect::<Option<_>>()?;
        let written = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (1..=LONGEST).contains(&keys.len()).then_some(Self { keys, written })
    }

    /// The keys.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The configuration's spelling.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The display form: `g g`, `ctrl+d`, `↓`.
    pub fn shown(&self) -> String {
        self.written.split(' ').map(shown).collect::<Vec<_>>().join(" ")
    }

    /// Whether two sequences conflict: they are equal, or one is a prefix of the other.
    pub fn collides_with(&self, other: &Self) -> bool {
        self.keys.starts_with(&other.keys) || other.keys.starts_with(&self.keys)
    }
}

/// Returns the display form of a key: `↓`, `Enter`, `ctrl+d`.
pub fn shown(key: &str) -> String {
    let (modifiers, name) = match key.rfind('+') {
        Some(at) if at > 0 => key.split_at(at + 1),
        _ => ("", key),
    };
    let name = match name {
        "up" => "↑",
        "down" => "↓",
        "left" => "←",
        "right" => "→",
        "home" => "Home",
        "end" => "End",
        "pgup" => "PgUp",
        "pgdn" => "PgDn",
        "enter" => "Enter",
        "esc" => "Esc",
        "tab" => "Tab",
        "space" => "Space",
        "delete" => "Del",
        other if function_key(other).is_some() => return format!("{modifiers}{}", other.to_uppercase()),
        other => other,
    };
    format!("{modifiers}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_parsed_and_formatted() {
        let sequence = Sequence::parse(" g  g ").unwrap();
        assert_eq!((sequence.keys().len(), sequence.written(), sequence.shown().as_str()), (2, "g g", "g g"));
        assert_eq!(Sequence::parse("ctrl+w down").unwrap().shown(), "ctrl+w ↓");
        for text in ["", "nokey", "g nokey", "a b c d"] {
            assert_eq!(Sequence::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_sequence_that_begins_another_collides_with_it() {
        let read = |text| Sequence::parse(text).unwrap();
        assert!(read("g").collides_with(&read("g g")) && read("g g").collides_with(&read("g")));
        assert!(!read("g g").collides_with(&read("g x")));
    }
}
