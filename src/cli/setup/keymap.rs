//! Key bindings and the configuration: bindings in force, and the default file.

use std::fmt::Write as _;

use strum::IntoEnumIterator as _;

use crate::config::error::ConfigError;
use crate::config::model::{ConfigFile, KeySetting};
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;
use crate::input::action::Action;
use crate::input::bindings::BINDINGS;
use crate::input::keymap::{KeySpellingError, Keymap, Sequence};
use crate::input::remap::{KeyConflict, KeyOverride, is_configurable, remapped};

/// All options of the configuration except the bindings, which come from [`BINDINGS`].
const OPTIONS: &str = include_str!("../../../assets/config/config.toml");

/// Returns the key bindings in force with this file, and warnings: unknown actions, bad keys, conflicts.
pub fn in_force(file: &ConfigFile) -> (Keymap, Vec<ConfigError>) {
    let (overrides, mut warnings) = overrides(file);
    let (keymap, conflicts) = remapped(file.keys.preset.unwrap_or_default(), &overrides);
    warnings.extend(conflicts.into_iter().map(|KeyConflict { action, message }| {
        let setting = file.keys.actions.iter().find(|setting| setting.action.value == action.name());
        ConfigError::new(message, "").at(file.place(setting.map_or(1, |setting| setting.action.line)))
    }));
    (keymap, warnings)
}

/// Returns the valid overrides, and a warning for each invalid one, whose action keeps its default.
fn overrides(file: &ConfigFile) -> (Vec<KeyOverride>, Vec<ConfigError>) {
    let (mut overrides, mut warnings) = (Vec::new(), Vec::new());
    for KeySetting { action: name, keys } in &file.keys.actions {
        let mut warn = |line, message| warnings.push(ConfigError::new(message, "").at(file.place(line)));
        let Some(action) = Action::iter().find(|action| action.name() == name.value) else {
            warn(name.line, no_action(&name.value));
            continue;
        };
        let mut sequences = Vec::new();
        for key in keys {
            match Sequence::parse(&key.value) {
                Ok(sequence) => sequences.push(sequence),
                Err(error) => warn(key.line, not_a_key(&name.value, &key.value, error)),
            }
        }
        // If none of its keys can be parsed, the action must not be disabled.
        if keys.is_empty() || !sequences.is_empty() {
            overrides.push((action, sequences));
        }
    }
    (overrides, warnings)
}

fn no_action(name: &str) -> String {
    let names: Vec<&str> = Action::iter().map(Action::name).collect();
    let meant = nearest(name, &names).map(|meant| format!("; did you mean {meant}?"));
    format!("there is no action {}{}", clean(name), meant.unwrap_or_default())
}

fn not_a_key(action: &str, key: &str, error: KeySpellingError) -> String {
    let (action, key) = (clean(action), clean(key));
    let advice = match error {
        KeySpellingError::Unknown => "keys are written like j, G, ctrl+d, shift+tab, f5, space, pgdn",
        KeySpellingError::ShiftedCharacter => "name the character that shift types, such as G or !",
    };
    format!("{key} is not a key (for {action}): {advice}")
}

/// Returns a configuration file with every option, commented out.
pub fn default_config() -> String {
    let mut text = OPTIONS.to_owned();
    for action in Action::iter() {
        let mut bindings = BINDINGS.iter().filter(|binding| binding.action == action).peekable();
        let Some(first) = bindings.peek().copied() else { continue };
        let mut keys: Vec<&str> = Vec::new();
        for key in bindings.filter(|binding| is_configurable(binding)).flat_map(|binding| binding.keys) {
            if !keys.contains(key) {
                keys.push(key);
            }
        }
        let keys = keys.iter().map(|key| toml::Value::from(*key).to_string()).collect::<Vec<_>>().join(", ");
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "# {}\n#{} = [{keys}]", first.help, action.name());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::environment::{CONFIG, Environment};

    #[test]
    fn keys_are_configured_by_action_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let text = "[keys.actions]\nquit = \"ctrl+q\"\ndelete = \"off\"\nmove_down = [\"j\", \"nokey\"]\nquti = \"x\"\nopen = 3\nback = \"shift+1\"";
        std::fs::write(&path, text).unwrap();
        let file = ConfigFile::load(&Environment::of([(CONFIG, path.to_str().unwrap())], None)).unwrap();
        let (overrides, warnings) = overrides(&file);
        let key = |text| Sequence::parse(text).unwrap();
        let expected =
            [(Action::Quit, vec![key("ctrl+q")]), (Action::Delete, Vec::new()), (Action::MoveDown, vec![key("j")])];
        assert_eq!(overrides, expected);
        let lines: Vec<_> =
            file.warnings.iter().chain(&warnings).filter_map(|warning| warning.place.as_ref()?.line).collect();
        assert_eq!(lines, [6, 4, 5, 7]);
        assert!(warnings[1].message.ends_with("did you mean quit?"), "{warnings:?}");
        assert!(warnings[2].message.ends_with("the character that shift types, such as G or !"), "{warnings:?}");
    }

    #[test]
    fn every_action_is_in_the_default_file() {
        let text = default_config();
        for action in Action::iter() {
            assert_eq!(text.matches(&format!("\n#{} = [", action.name())).count(), 1, "{}", action.name());
        }
    }
}
