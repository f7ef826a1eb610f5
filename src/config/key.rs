//! Reads a profile's key from the source that the profile names.
//!
//! Errors never show a key, and no other source is tried if the named one fails.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;

use super::child_process::KeyVariables;
use super::command;
use super::credentials::{self, FoundCredential, StorePreference};
use super::environment::Environment;
use super::error::ConfigError;
use super::model::{ConfigFile, KeySource, Located, ProfileConfig};
use super::regular_file;
use crate::domain::text::{clean, shell_word};

/// Which key of a profile is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyOf {
    /// The key of the service.
    Service,
    /// The key of the desk.
    Desk,
}

/// The most bytes of a key file; a key is one line.
const MOST_BYTES: u64 = 64 * 1024;

/// A key and where it came from.
pub(super) struct FetchedKey {
    pub(super) key: SecretString,
    /// The source, for people, without any of its values.
    pub(super) from: String,
    /// A note for the person if there is a problem.
    pub(super) note: Option<String>,
}

/// Returns the name under which the key of a profile's desk is stored.
pub fn desk_credential(profile: &str) -> String {
    format!("{profile}.desk")
}

/// Reads a profile's key for the service or desk at this address. Errors name the line they are about.
pub(super) fn fetch(
    (name, profile): (&str, &ProfileConfig),
    (of, base_url): (KeyOf, &Located<String>),
    file: &ConfigFile,
    environment: &Environment,
) -> Result<FetchedKey, ConfigError> {
    let stored = |stores| stored(name, (of, base_url), stores, file, environment);
    let (keys, prefix) = match of {
        KeyOf::Service => (&profile.keys, ""),
        KeyOf::Desk => (&profile.desk_keys, "desk_"),
    };
    let (fetched, line) = match keys.as_slice() {
        [] => (stored(StorePreference::Any), profile.line),
        [source] => {
            let fetched = match &source.value {
                KeySource::Variable(variable_name) => variable(variable_name, prefix, environment),
                KeySource::File(name) => read(&expand(name, file, environment)),
                KeySource::Command(words) => {
                    let field = format!("{prefix}{}", source.value.field());
                    command::ask(&field, "key", &with_home(words, environment), &KeyVariables::of(file))
                }
                KeySource::Keyring => stored(StorePreference::KeyringOnly).map(|fetched| fetched.key),
            };
            let from = format!("{prefix}{}: {}", source.value.field(), shown_source(&source.value));
            (fetched.map(|key| FetchedKey { key, from, note: None }), source.line)
        }
        [first, .., last] => {
            let (first, last) = (first.value.field(), last.value.field());
            let whose = if of == KeyOf::Service { "its API key" } else { "its desk's key" };
            let message = format!("the profile {} has two sources for {whose}", clean(name));
            let advice = format!("Keep one of {prefix}{first} and {prefix}{last}");
            return Err(ConfigError::new(message, advice).at(file.place(profile.line)));
        }
    };
    // A changed origin already names its own line.
    fetched.map_err(|error| if error.place.is_some() { error } else { error.at(file.place(line)) })
}

/// Describes a source for people. Of a command only the program is shown, since its arguments may contain secrets.
pub fn shown_source(source: &KeySource) -> Cow<'_, str> {
    clean(match source {
        KeySource::Variable(name) | KeySource::File(name) => name.as_str(),
        KeySource::Command(words) => words.first().map_or("", String::as_str),
        KeySource::Keyring => "the system's keyring",
    })
}

fn variable(name: &str, prefix: &str, environment: &Environment) -> Result<SecretString, ConfigError> {
    environment.require_unicode(&[name])?;
    environment.secret(name).ok_or_else(|| {
        let message = format!("{prefix}api_key_env names the variable {}, which is not set", clean(name));
        ConfigError::new(message, "Set it to the API key")
    })
}

/// Returns the key stored by `login`, if it belongs to the address that the profile names now.
fn stored(
    name: &str,
    (of, base_url): (KeyOf, &Located<String>),
    stores: StorePreference,
    file: &ConfigFile,
    environment: &Environment,
) -> Result<FetchedKey, ConfigError> {
    let shown = clean(name);
    let word = shell_word(&shown);
    let (stored_as, login, what, field) = match of {
        KeyOf::Service => (name.to_owned(), format!("reportdeck login {word}"), "API key", "base_url"),
        KeyOf::Desk => (desk_credential(name), format!("reportdeck login {word} --desk"), "key of the desk", "desk"),
    };
    let Some(found) = credentials::find(&stored_as, stores, environment)? else {
        let others = match of {
            KeyOf::Service => "api_key_env = \"VARIABLE\", api_key_file = \"path\" or api_key_command = [\"program\"]",
            KeyOf::Desk => "desk_api_key_env = \"VARIABLE\" or desk_api_key_command = [\"program\"]",
        };
        let advice = format!("Run `{login}`, or add {others}");
        // Perhaps the keyring has it, and cannot be reached from here, as over ssh.
        let why = credentials::keyring_status(environment).err();
        let why = why.map(|error| format!(", and no keyring here: {}", error.message)).unwrap_or_default();
        return Err(ConfigError::new(format!("there is no {what} for the profile {shown}{why}"), advice));
    };
    let FoundCredential { credential, place, note } = found;
    if credentials::origin_of(&base_url.value).as_deref() != Some(credential.origin.as_str()) {
        let message = format!(
            "the stored {} of the profile {shown} belongs to {}, not to this {field}, and is not sent there",
            if of == KeyOf::Service { "key" } else { what },
            clean(&credential.origin)
        );
        let advice = format!("Run `{login}` to store one for the new address");
        return Err(ConfigError::new(message, advice).at(file.place(base_url.line)));
    }
    Ok(FetchedKey { key: credential.key, from: format!("login: {place}"), note })
}

/// Expands `~/` at the beginning of a program.
pub(super) fn with_home(words: &[String], environment: &Environment) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(program) = words.first_mut()
        && let Some(path) = in_home(program, environment)
    {
        *program = path.to_string_lossy().into_owned();
    }
    words
}

/// Expands `~/`; other relative paths are relative to the configuration file's directory.
pub(super) fn expand(name: &str, file: &ConfigFile, environment: &Environment) -> PathBuf {
    let folder = file.path.as_deref().and_then(Path::parent).unwrap_or_else(|| Path::new(""));
    in_home(name, environment).unwrap_or_else(|| folder.join(name))
}

fn in_home(path: &str, environment: &Environment) -> Option<PathBuf> {
    Some(environment.directories()?.home.join(path.strip_prefix("~/")?))
}

fn read(path: &Path) -> Result<SecretString, ConfigError> {
    let shown = clean(&path.to_string_lossy()).into_owned();
    let unreadable = |why: &str| {
        let message = format!("the key file {shown} cannot be read: {why}");
        ConfigError::new(message, "Write the API key into it, readable only by you (chmod 600)")
    };
    if let Some(mode) = regular_file::mode_granting(0o077, path) {
        let message = format!("the key file {shown} can be read by others (mode {mode:03o})");
        return Err(ConfigError::new(message, format!("chmod 600 {shown}")));
    }
    let text =
        Zeroizing::new(regular_file::read_text(path, MOST_BYTES).map_err(|error| unreadable(&error.to_string()))?);
    match text.trim() {
        "" => Err(unreadable("it is empty")),
        key => Ok(SecretString::from(key)),
    }
}
