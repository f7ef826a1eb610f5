//! Which key means which action in which scope. Must not know contexts' owners or what actions do.

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::input::action::Action;
use crate::input::bindings::{BINDINGS, Binding};
use crate::input::context::{Context, Scope};

/// A key with its modifiers, in one spelling: shift is dropped from characters, whose case says it already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// Reads the spelling of configuration: `ctrl+d`, `shift+tab`, `f5`, `D`, `space`. `None` for anything else.
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

    /// The key of a terminal event.
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

    /// The terminal event of this key, for scripts of keys.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// True for a character that would be typed into a text field.
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

/// All bindings that are in force.
#[derive(Debug, Clone)]
pub struct Keymap {
    actions: HashMap<(Scope, Key), Action>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::of(BINDINGS)
    }
}

impl Keymap {
    /// A keymap of these bindings. A key that cannot be read is left out; a test holds the defaults readable.
    pub fn of(bindings: &[Binding]) -> Self {
        let keys = bindings.iter().flat_map(|binding| binding.keys.iter().map(move |key| (binding, *key)));
        let actions =
            keys.filter_map(|(binding, key)| Some(((binding.scope, Key::parse(key)?), binding.action))).collect();
        Self { actions }
    }

    /// What a key means here. Where letters are text, a letter means none.
    pub fn action(&self, key: Key, context: Context) -> Option<Action> {
        if context.takes_text() && key.is_text() {
            return None;
        }
        context.scopes().iter().find_map(|scope| self.actions.get(&(*scope, key)).copied())
    }
}

/// A key as the screen shows it: `↓`, `Enter`, `ctrl+d`.
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

/// The keys of a binding as one text: `↓ j`.
pub fn keys_shown(binding: &Binding) -> String {
    binding.keys.iter().map(|key| shown(key)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use strum::IntoEnumIterator;

    #[test]
    fn every_default_key_is_readable_and_means_one_thing_per_scope() {
        let mut seen = HashSet::new();
        for binding in BINDINGS {
            for key in binding.keys {
                let parsed = Key::parse(key).unwrap_or_else(|| panic!("{key} cannot be read"));
                assert!(seen.insert((binding.scope, parsed)), "{key} twice in {:?}", binding.scope);
            }
        }
    }

    #[test]
    fn every_binding_is_reached_in_some_context() {
        let keymap = Keymap::default();
        for binding in BINDINGS {
            for key in binding.keys {
                let parsed = Key::parse(key).unwrap();
                let reached = Context::iter().any(|context| keymap.action(parsed, context) == Some(binding.action));
                assert!(reached, "{key} never means {}", binding.action.name());
            }
        }
    }

    #[test]
    fn letters_are_dead_where_text_is_typed() {
        let keymap = Keymap::default();
        for context in Context::iter().filter(|context| context.takes_text()) {
            for letter in "abcdefghijklmnopqrstuvwxyzDGKRSY?/:=- 123".chars() {
                let key = Key { code: KeyCode::Char(letter), modifiers: KeyModifiers::NONE };
                assert_eq!(keymap.action(key, context), None, "{letter} in {context:?}");
            }
        }
    }

    #[test]
    fn ctrl_c_quits_from_everywhere_and_escape_never_does() {
        let keymap = Keymap::default();
        for context in Context::iter() {
            assert_eq!(keymap.action(Key::parse("ctrl+c").unwrap(), context), Some(Action::Quit));
            assert_eq!(keymap.action(Key::parse("esc").unwrap(), context), Some(Action::Back));
        }
    }

    #[test]
    fn ctrl_d_only_scrolls() {
        let keymap = Keymap::default();
        for context in Context::iter() {
            let action = keymap.action(Key::parse("ctrl+d").unwrap(), context);
            assert!(matches!(action, None | Some(Action::HalfPageDown)), "{context:?}");
        }
    }
}
