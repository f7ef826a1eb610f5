//! Fetching a profile's key from the source that the profile names.
//!
//! No failure shows a key, and no other source is tried when the named one fails.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;

use super::child_process::KeyVariables;
use super::command::{self, SecretCommand};
use super::credentials::{self, FoundCredential, StorePreference};
use super::environment::Environment;
use super::error::ConfigError;
use super::model::{ConfigFile, KeySource, Located, ProfileConfig};
use super::regular_file;
use crate::domain::text::clean;

const API_KEY_COMMAND: SecretCommand = SecretCommand { field: "api_key_command", secret: "key" };
/// A key is a line.
const MOST_BYTES: u64 = 64 * 1024;

/// A key and where it came from.
pub(super) struct FetchedKey {
    pub(super) key: SecretString,
    /// The source as people name it, without any of its values.
    pub(super) from: String,
    /// What is odd about it, for the person.
    pub(super) note: Option<String>,
}

/// Fetches the key of a profile, of which the base URL is known; every failure names the line that it is about.
pub(super) fn fetch(
    name: &str,
    profile: &ProfileConfig,
    base_url: &Located<String>,
    file: &ConfigFile,
    environment: &Environment,
) -> Result<FetchedKey, ConfigError> {
    let stored = |stores| stored(name, base_url, stores, file, environment);
    let (fetched, line) = match profile.keys.as_slice() {
        [] => (stored(StorePreference::Any), profile.line),
        [source] => {
            let fetched = match &source.value {
                KeySource::Variable(name) => variable(name, environment),
                KeySource::File(name) => read(&expand(name, file, environment)),
                KeySource::Command(words) => {
                    command::ask(API_KEY_COMMAND, &with_home(words, environment), &KeyVariables::of(file))
                }
                KeySource::Keyring => stored(StorePreference::KeyringOnly).map(|fetched| fetched.key),
            };
            let from = told(&source.value);
            (fetched.map(|key| FetchedKey { key, from, note: None }), source.line)
        }
        [first, .., last] => {
            let message = format!("the profile {} names two sources of its API key", clean(name));
            let advice = format!("Keep one of {} and {}", first.value.field(), last.value.field());
            return Err(ConfigError::new(message, advice).at(file.place(profile.line)));
        }
    };
    // An origin that changed is about its own line already.
    fetched.map_err(|error| if error.place.is_some() { error } else { error.at(file.place(line)) })
}

/// A source as `config show` names it.
fn told(source: &KeySource) -> String {
    format!("{}: {}", source.field(), shown_source(source))
}

/// What a source is, as it may be shown. Of a command only the program: its arguments may say more than they should.
pub fn shown_source(source: &KeySource) -> Cow<'_, str> {
    clean(match source {
        KeySource::Variable(name) | KeySource::File(name) => name.as_str(),
        KeySource::Command(words) => words.first().map_or("", String::as_str),
        KeySource::Keyring => "the system's keyring",
    })
}

fn variable(name: &str, environment: &Environment) -> Result<SecretString, ConfigError> {
    environment.secret(name).ok_or_else(|| {
        let message = format!("api_key_env names the variable {}, which is not set", clean(name));
        ConfigError::new(message, "Set it to the API key")
    })
}

/// What `login` stored, if it belongs to the service that the profile names now.
fn stored(
    name: &str,
    base_url: &Located<String>,
    stores: StorePreference,
    file: &ConfigFile,
    environment: &Environment,
) -> Result<FetchedKey, ConfigError> {
    let shown = clean(name);
    let Some(found) = credentials::find(name, stores, environment)? else {
        let advice = format!(
            "Run `reportdeck login {shown}`, or add api_key_env = \"VARIABLE\", api_key_file = \"path\" or api_key_command = [\"program\"]"
        );
        return Err(ConfigError::new(format!("there is no API key for the profile {shown}"), advice));
    };
    let FoundCredential { credential, place, note } = found;
    if credentials::origin_of(&base_url.value).as_deref() != Some(credential.origin.as_str()) {
        let message = format!(
            "the stored key of the profile {shown} belongs to {}, not to this base_url, and is not sent there",
            clean(&credential.origin)
        );
        let advice = format!("Run `reportdeck login {shown}` to store one for the new address");
        return Err(ConfigError::new(message, advice).at(file.place(base_url.line)));
    }
    Ok(FetchedKey { key: credential.key, from: format!("login: {place}"), note })
}

/// A program in the person's home may be written with `~/`.
pub(super) fn with_home(words: &[String], environment: &Environment) -> Vec<String> {
    let mut words = words.to_vec();
    let home = environment.directories().map(|directories| &directories.home);
    if let (Some(program), Some(home)) = (words.first_mut(), home)
        && let Some(rest) = program.strip_prefix("~/")
    {
        *program = home.join(rest).to_string_lossy().into_owned();
    }
    words
}

/// `~/` is the person's home; other relative paths begin where the configuration file is.
pub(super) fn expand(name: &str, file: &ConfigFile, environment: &Environment) -> PathBuf {
    let home = environment.directories().map(|directories| &directories.home);
    if let (Some(rest), Some(home)) = (name.strip_prefix("~/"), home) {
        return home.join(rest);
    }
    let folder = file.path.as_deref().and_then(Path::parent).unwrap_or_else(|| Path::new(""));
    folder.join(name)
}

fn read(path: &Path) -> Result<SecretString, ConfigError> {
    let shown = clean(&path.to_string_lossy()).into_owned();
    let unreadable = |why: &str| {
        let message = format!("the key file {shown} cannot be read: {why}");
        ConfigError::new(message, "Write the API key into it, readable for you only (chmod 600)")
    };
    refuse_if_others_may_read(path, &shown, &unreadable)?;
    let text =
        Zeroizing::new(regular_file::read_text(path, MOST_BYTES).map_err(|error| unreadable(&error.to_string()))?);
    match text.trim() {
        "" => Err(unreadable("it is empty")),
        key => Ok(SecretString::from(key)),
    }
}

#[cfg(unix)]
fn refuse_if_others_may_read(
    path: &Path,
    shown: &str,
    unreadable: &dyn Fn(&str) -> ConfigError,
) -> Result<(), ConfigError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(path).map_err(|error| unreadable(&error.to_string()))?.permissions().mode();
    let of_others = mode & 0o077;
    if of_others == 0 {
        return Ok(());
    }
    let message = format!("the key file {shown} can be read by others (mode {:03o})", mode & 0o777);
    Err(ConfigError::new(message, format!("chmod 600 {shown}")))
}

#[cfg(not(unix))]
fn refuse_if_others_may_read(_: &Path, _: &str, _: &dyn Fn(&str) -> ConfigError) -> Result<(), ConfigError> {
    Ok(())
}
