//! Child processes. Every program started by this one inherits the environment without the variables that hold secrets.
//!
//! `tests/it/layers.rs` ensures that commands are built only here.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::process::Command;

use super::environment::{API_KEY, DATABASE_URL};
use super::model::{ConfigFile, KeySource};

/// The names of the environment variables that hold API keys or the database URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyVariables(BTreeSet<String>);

impl KeyVariables {
    /// Collects `REPORTDECK_API_KEY`, `REPORTDECK_DATABASE_URL`, and the `api_key_env` and `desk_api_key_env` of every
    /// profile, used or not.
    pub fn of(file: &ConfigFile) -> Self {
        let sources = file.profiles.values().flat_map(|profile| profile.keys.iter().chain(&profile.desk_keys));
        let named = sources.filter_map(|source| match &source.value {
            KeySource::Variable(name) => Some(name.clone()),
            KeySource::File(_) | KeySource::Command(_) | KeySource::Keyring => None,
        });
        Self(named.chain([API_KEY, DATABASE_URL].map(str::to_owned)).collect())
    }

    /// Creates a command that does not inherit these variables.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        self.strip_secrets(Command::new(program))
    }

    /// Removes these variables from a command built by a library.
    #[must_use]
    pub fn strip_secrets(&self, mut command: Command) -> Command {
        for name in &self.0 {
            command.env_remove(name);
        }
        command
    }
}

impl Default for KeyVariables {
    /// Returns the variables of a configuration without profiles.
    fn default() -> Self {
        Self::of(&ConfigFile::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::model::{Located, ProfileConfig};

    #[test]
    fn keys_of_all_profiles_are_withheld() {
        let profile =
            |source| ProfileConfig { keys: vec![Located { value: source, line: 1 }], ..ProfileConfig::default() };
        let file = ConfigFile {
            profiles: [
                ("work".to_owned(), profile(KeySource::Variable("WORK_KEY".to_owned()))),
                ("other".to_owned(), profile(KeySource::Variable("OTHER_KEY".to_owned()))),
                ("third".to_owned(), profile(KeySource::File("key".to_owned()))),
            ]
            .into(),
            ..ConfigFile::default()
        };
        let withheld = |variables: &KeyVariables| -> Vec<String> {
            let command = variables.command("true");
            let changes = command.get_envs();
            changes.filter(|(_, value)| value.is_none()).map(|(name, _)| name.to_string_lossy().into()).collect()
        };
        assert_eq!(
            withheld(&KeyVariables::of(&file)),
            ["OTHER_KEY", "REPORTDECK_API_KEY", "REPORTDECK_DATABASE_URL", "WORK_KEY"]
        );
        assert_eq!(withheld(&KeyVariables::default()), ["REPORTDECK_API_KEY", "REPORTDECK_DATABASE_URL"]);
    }
}
