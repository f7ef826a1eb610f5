//! `[keys]`: resolves the actions and keys named by key settings.

use super::error::Warning;
use super::model::{ConfigFile, KeySetting};
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

/// The known actions and keys.
pub struct Vocabulary<'a, A, K> {
    /// The names of all actions.
    pub names: &'a [&'a str],
    /// Finds an action by name.
    pub action: &'a dyn Fn(&str) -> Option<A>,
    /// Parses a key.
    pub key: &'a dyn Fn(&str) -> Option<K>,
}

/// A valid key override.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedKey<A, K> {
    /// The action.
    pub action: A,
    /// All its keys; none disables it.
    pub keys: Vec<K>,
}

/// Returns the valid overrides, and a warning for each invalid one, whose action keeps its default.
pub fn resolve_keys<A, K>(file: &ConfigFile, words: &Vocabulary<'_, A, K>) -> (Vec<ResolvedKey<A, K>>, Vec<Warning>) {
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
        // If none of its keys can be parsed, the action must not be disabled.
        if keys.is_empty() || !readable.is_empty() {
            choices.push(ResolvedKey { action, keys: readable });
        }
    }
    (choices, warnings)
}

fn not_a_key(action: &str, key: &str) -> String {
    let (action, key) = (clean(action), clean(key));
    format!("{key} is not a key (for {action}): keys are written like j, G, ctrl+d, shift+tab, f5, space, pgdn")
}
