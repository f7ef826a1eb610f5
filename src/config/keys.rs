//! `[keys]`: key settings as written, and the actions and keys that they name.

use super::error::Warning;
use super::model::{ConfigFile, KeySetting};
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

/// The actions and keys that there are.
pub struct Vocabulary<'a, A, K> {
    /// The names of all actions.
    pub names: &'a [&'a str],
    /// An action by its name.
    pub action: &'a dyn Fn(&str) -> Option<A>,
    /// A key by its spelling.
    pub key: &'a dyn Fn(&str) -> Option<K>,
}

/// A valid key override.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedKey<A, K> {
    /// The action.
    pub action: A,
    /// All its keys; none switches it off.
    pub keys: Vec<K>,
}

/// The valid overrides, and a warning for each other one, which keeps its default.
pub fn understood<A, K>(file: &ConfigFile, words: &Vocabulary<'_, A, K>) -> (Vec<ResolvedKey<A, K>>, Vec<Warning>) {
    let (mut choices, mut warnings) = (Vec::new(), Vec::new());
    for KeySetting { action: name, keys } in &file.keys.actions {
        let mut odd = |line, message| warnings.push(Warning { place: file.place(line), message });
        let Some(action) = (words.action)(&name.value) else {
            let meant = nearest(&name.value, words.names).map(|name| format!("; did you mean {name}?"));
            let name_shown = clean(&name.value);
            odd(name.line, format!("there is no action {name_shown}{}", meant.unwrap_or_default()));
            continue;
        };
        let mut readable = Vec::new();
        for key in keys {
            match (words.key)(&key.value) {
                Some(read) => readable.push(read),
                None => odd(key.line, not_a_key(&name.value, &key.value)),
            }
        }
        // A line on which no key can be read must not switch its action off.
        if keys.is_empty() || !readable.is_empty() {
            choices.push(ResolvedKey { action, keys: readable });
        }
    }
    (choices, warnings)
}

fn not_a_key(action: &str, key: &str) -> String {
    let (action, key) = (clean(action), clean(key));
    format!("{key} is no key, for {action}: keys are written like j, G, ctrl+d, shift+tab, f5, space, pgdn")
}
