//! Key bindings and the configuration: bindings in force, and the default file.

use std::fmt::Write as _;

use strum::IntoEnumIterator as _;

use crate::config::error::Warning;
use crate::config::keys::{ResolvedKey, Vocabulary, resolve_keys};
use crate::config::model::ConfigFile;
use crate::input::action::Action;
use crate::input::bindings::BINDINGS;
use crate::input::keymap::{Keymap, Sequence};
use crate::input::remap::{KeyOverride, remapped};

/// All options of the configuration except the bindings, which come from [`BINDINGS`].
const OPTIONS: &str = include_str!("../../../assets/config/config.toml");

/// Returns the key bindings in force with this file, and warnings: unknown actions, bad keys, conflicts.
pub fn in_force(file: &ConfigFile) -> (Keymap, Vec<Warning>) {
    let (choices, mut warnings) = chosen(file);
    let overrides: Vec<KeyOverride> = choices.into_iter().map(|choice| (choice.action, choice.keys)).collect();
    let (keymap, messages) = remapped(file.keys.preset.unwrap_or_default(), &overrides);
    let line = file.keys.actions.first().map_or(1, |choice| choice.action.line);
    warnings.extend(messages.into_iter().map(|message| Warning { place: file.place(line), message }));
    (keymap, warnings)
}

/// Returns the bindings of single actions in the file, with warnings.
fn chosen(file: &ConfigFile) -> (Vec<ResolvedKey<Action, Sequence>>, Vec<Warning>) {
    let names: Vec<&str> = Action::iter().map(Action::name).collect();
    let action = |name: &str| Action::iter().find(|action| action.name() == name);
    resolve_keys(file, &Vocabulary { names: &names, action: &action, key: &Sequence::parse })
}

/// Returns a configuration file with every option, commented out.
pub fn default_config() -> String {
    let mut text = OPTIONS.to_owned();
    for action in Action::iter() {
        let bindings: Vec<_> = BINDINGS.iter().filter(|binding| binding.action == action).collect();
        let Some(first) = bindings.first() else { continue };
        let mut keys: Vec<&str> = Vec::new();
        for key in bindings.iter().flat_map(|binding| binding.keys) {
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

    #[test]
    fn every_action_is_in_the_default_file() {
        let text = default_config();
        for action in Action::iter() {
            assert_eq!(text.matches(&format!("\n#{} = [", action.name())).count(), 1, "{}", action.name());
        }
    }
}
