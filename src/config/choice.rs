//! Chooses the service and its key, always from the same source.
//!
//! In order of precedence: `--data` (the embedded service) · `--base-url` · `--profile` · `REPORTDECK_BASE_URL` with
//! `REPORTDECK_API_KEY` · `REPORTDECK_PROFILE` · `default_profile` · the embedded service.

use secrecy::SecretString;

use super::environment::{API_KEY, BASE_URL, Environment, PROFILE};
use super::error::{ConfigError, SourcePosition};
use super::key::{self, FetchedKey, KeyOf};
use super::model::{ConfigFile, EMBEDDED, ProfileConfig};
use crate::domain::look::Accent;
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

/// The options that select a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceSelection {
    /// `--base-url`
    pub base_url: Option<String>,
    /// `--profile`
    pub profile: Option<String>,
    /// Whether `--data` is given.
    pub data: bool,
}

impl ServiceSelection {
    /// Returns the error of options that name two services.
    fn contradiction(&self) -> Option<ConfigError> {
        let profile = self.profile.as_deref();
        let message = match (&self.base_url, profile, self.data) {
            (Some(_), Some(_), _) => "--base-url and --profile name two services",
            (Some(_), None, true) => "--data is for the embedded service, and --base-url names another service",
            (None, Some(name), true) if name != EMBEDDED => {
                "--data is for the embedded service, and --profile names another service"
            }
            (_, _, false) | (None, _, true) => return None,
        };
        Some(ConfigError::new(message, "Leave one of them out"))
    }
}

/// A remote service.
#[derive(Debug, Clone)]
pub struct RemoteService {
    /// The profile's name; empty for a base URL from an option or the environment.
    pub name: String,
    /// The base URL as written.
    pub base_url: String,
    /// The origin of the base URL, for messages: an option, a variable, or a file with its line.
    pub source: ServiceSource,
    /// The key, from the same source.
    pub key: SecretString,
    /// The origin of the key, for people; never the key.
    pub key_from: String,
    /// A note about how the keys of service and desk are stored, if there is a problem.
    pub note: Option<String>,
    /// Whether writes are refused.
    pub read_only: bool,
    /// Whether plain http is accepted beyond loopback.
    pub allow_insecure: bool,
    /// The colour of the header, if the profile has one.
    pub accent: Option<Accent>,
    /// The desk on which a team triages its reports, if not the service itself.
    pub desk: Option<ConfiguredDesk>,
    /// Whether this person's presence is hidden from others on the desk.
    pub hides_presence: bool,
}

/// The desk of a profile.
#[derive(Debug, Clone)]
pub struct ConfiguredDesk {
    /// The base URL as written.
    pub base_url: String,
    /// The position of that setting.
    pub place: SourcePosition,
    /// The person's key.
    pub key: SecretString,
    /// The origin of the key, for people; never the key.
    pub key_from: String,
}

/// The origin of the base URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceSource {
    /// `--base-url`
    Option,
    /// `REPORTDECK_BASE_URL`
    Variable,
    /// A line of a profile.
    Profile(SourcePosition),
}

/// Chooses the service; `None` for the embedded one. A URL without a key or a key without a URL is an error, never a
/// silent fallback.
pub fn choose(
    selection: &ServiceSelection,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<Option<RemoteService>, ConfigError> {
    if let Some(contradiction) = selection.contradiction() {
        return Err(contradiction);
    }
    if selection.data {
        return Ok(None);
    }
    if let Some(base_url) = &selection.base_url {
        return with_key_of_environment(base_url, ServiceSource::Option, "--base-url", environment);
    }
    if let Some(name) = &selection.profile {
        return profile(name, None, environment, file);
    }
    environment.require_unicode(&[BASE_URL, API_KEY, PROFILE])?;
    if let Some(base_url) = environment.text(BASE_URL) {
        return with_key_of_environment(base_url, ServiceSource::Variable, BASE_URL, environment);
    }
    if environment.text(API_KEY).is_some() {
        return Err(ConfigError::new(
            format!("{API_KEY} is set, but there is no base URL for the key"),
            format!("Set {BASE_URL} too or give --base-url; or unset {API_KEY}"),
        ));
    }
    if let Some(name) = environment.text(PROFILE) {
        return profile(name, None, environment, file);
    }
    match &file.default_profile {
        Some(name) => profile(&name.value, Some(file.place(name.line)), environment, file),
        None => Ok(None),
    }
}

/// Returns the name of the profile in use, unless a base URL is given: that of the option, the variable or the file.
pub fn profile_name<'a>(
    option: Option<&'a str>,
    environment: &'a Environment,
    file: &'a ConfigFile,
) -> Option<&'a str> {
    let by_file = || file.default_profile.as_ref().map(|name| name.value.as_str());
    option.or_else(|| environment.text(PROFILE)).or_else(by_file)
}

fn with_key_of_environment(
    base_url: &str,
    source: ServiceSource,
    how: &str,
    environment: &Environment,
) -> Result<Option<RemoteService>, ConfigError> {
    environment.require_unicode(&[API_KEY])?;
    let Some(key) = environment.secret(API_KEY) else {
        return Err(ConfigError::new(
            format!("{how} names a service, but there is no API key for it"),
            format!("Set {API_KEY}, or use a profile that names its key's source"),
        ));
    };
    let base_url = base_url.to_owned();
    Ok(Some(RemoteService {
        name: String::new(),
        base_url,
        source,
        key,
        key_from: API_KEY.to_owned(),
        note: None,
        read_only: false,
        allow_insecure: false,
        accent: None,
        desk: None,
        hides_presence: false,
    }))
}

fn profile(
    name: &str,
    named_at: Option<SourcePosition>,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<Option<RemoteService>, ConfigError> {
    if name == EMBEDDED {
        return Ok(None);
    }
    let Some(found) = file.profiles.get(name) else {
        let mut error = unknown_profile(name, file);
        error.place = named_at;
        return Err(error);
    };
    of_profile((name, found), None, environment, file).map(Some)
}

/// Resolves a profile to its service, with a typed key or that of its source, which is then read.
pub fn of_profile(
    (name, profile): (&str, &ProfileConfig),
    typed_key: Option<SecretString>,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<RemoteService, ConfigError> {
    let shown = clean(name);
    let wrong = |message: String, advice: &str| ConfigError::new(message, advice).at(file.place(profile.line));
    let base_url = profile.base_url.as_ref().ok_or_else(|| {
        wrong(format!("the profile {shown} has no base_url"), "Add base_url = \"https://reports.example.com\"")
    })?;
    let FetchedKey { key, from, note } = match typed_key {
        Some(key) => FetchedKey { key, from: "typed".to_owned(), note: None },
        None => key::fetch((name, profile), (KeyOf::Service, base_url), file, environment)?,
    };
    if let (None, Some(source)) = (&profile.desk, profile.desk_keys.first()) {
        let message = format!("the profile {shown} has desk_{}, but no desk", source.value.field());
        return Err(ConfigError::new(message, "Add desk = \"https://desk.example.com\"").at(file.place(source.line)));
    }
    let mut notes: Vec<String> = note.into_iter().collect();
    let desk = profile.desk.as_ref().map(|desk| {
        let FetchedKey { key, from, note } = key::fetch((name, profile), (KeyOf::Desk, desk), file, environment)?;
        notes.extend(note);
        Ok(ConfiguredDesk { base_url: desk.value.clone(), place: file.place(desk.line), key, key_from: from })
    });
    let desk = desk.transpose()?;
    Ok(RemoteService {
        name: name.to_owned(),
        base_url: base_url.value.clone(),
        source: ServiceSource::Profile(file.place(base_url.line)),
        key,
        key_from: from,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        read_only: profile.read_only,
        allow_insecure: profile.allow_insecure,
        accent: profile.accent,
        desk,
        hides_presence: profile.hides_presence,
    })
}

/// Returns the error for an unknown profile, suggesting the nearest name.
pub fn unknown_profile(name: &str, file: &ConfigFile) -> ConfigError {
    let names: Vec<&str> = file.profiles.keys().map(String::as_str).chain([EMBEDDED]).collect();
    let known: Vec<_> = file.profiles.keys().map(|name| clean(name)).collect();
    let path = file.path.as_ref().map_or_else(|| "the configuration".into(), |path| path.display().to_string());
    let advice = if let Some(meant) = nearest(name, &names) {
        format!("Did you mean {}?", clean(meant))
    } else if known.is_empty() {
        format!("Add [profiles.NAME] to {path}")
    } else {
        format!("Available profiles: {}", known.join(", "))
    };
    ConfigError::new(format!("there is no profile {}", clean(name)), advice)
}
