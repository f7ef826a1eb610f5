//! Which service is used, and with which key. Both come from the same source.
//!
//! The order: `--data` (the embedded service) · `--base-url` · `--profile` · `REPORTDECK_BASE_URL` with
//! `REPORTDECK_API_KEY` · `REPORTDECK_PROFILE` · `default_profile` · the embedded service.

use secrecy::SecretString;

use super::environment::{API_KEY, BASE_URL, Environment, PROFILE};
use super::error::{ConfigError, SourcePosition};
use super::key::{self, FetchedKey, KeyOf};
use super::model::EMBEDDED;
use super::model::{ConfigFile, ProfileConfig};
use crate::domain::look::Accent;
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;

/// What the options ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceSelection {
    /// `--base-url`
    pub base_url: Option<String>,
    /// `--profile`
    pub profile: Option<String>,
    /// `--data` is given.
    pub data: bool,
}

impl ServiceSelection {
    /// Two options that name two services.
    fn contradiction(&self) -> Option<ConfigError> {
        let profile = self.profile.as_deref();
        let message = match (&self.base_url, profile, self.data) {
            (Some(_), Some(_), _) => "--base-url and --profile name two services",
            (Some(_), None, true) => "--data is for the embedded service, and --base-url names another",
            (None, Some(name), true) if name != EMBEDDED => {
                "--data is for the embedded service, and --profile names another"
            }
            (_, _, false) | (None, _, true) => return None,
        };
        Some(ConfigError::new(message, "Leave one of them out"))
    }
}

/// The service that is used.
#[derive(Debug)]
pub enum ServiceChoice {
    /// Our own, inside this process.
    Embedded,
    /// A service elsewhere.
    Remote(RemoteService),
}

/// A service elsewhere.
#[derive(Debug)]
pub struct RemoteService {
    /// The profile's name; empty for a base URL from an option or the environment.
    pub name: String,
    /// The base URL as it was written.
    pub base_url: String,
    /// What said so, for complaints: an option, a variable, or a file with its line.
    pub said_by: ServiceSource,
    /// The key of the same source.
    pub key: SecretString,
    /// Where the key came from, as people name it; never the key.
    pub key_from: String,
    /// What is odd about where the key is kept, for the person.
    pub note: Option<String>,
    /// Nothing may be written.
    pub read_only: bool,
    /// Plain http is accepted beyond loopback.
    pub allow_insecure: bool,
    /// The colour of the header, where the profile has one.
    pub accent: Option<Accent>,
    /// Where a team triages its reports, if that is not the service itself.
    pub desk: Option<ConfiguredDesk>,
    /// The others on the desk do not see where this person is.
    pub hides_presence: bool,
}

/// The desk of a profile.
#[derive(Debug)]
pub struct ConfiguredDesk {
    /// Its base URL as it was written.
    pub base_url: String,
    /// Where that stands.
    pub place: SourcePosition,
    /// The person's key.
    pub key: SecretString,
    /// Where the key came from, as people name it; never the key.
    pub key_from: String,
}

/// Where the base URL stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceSource {
    /// `--base-url`
    Option,
    /// `REPORTDECK_BASE_URL`
    Variable,
    /// A profile's line.
    Profile(SourcePosition),
}

/// Chooses. A URL without a key or a key without a URL is an error, never a silent other choice.
pub fn choose(
    asked: &ServiceSelection,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<ServiceChoice, ConfigError> {
    if let Some(contradiction) = asked.contradiction() {
        return Err(contradiction);
    }
    if asked.data {
        return Ok(ServiceChoice::Embedded);
    }
    if let Some(base_url) = &asked.base_url {
        return with_key_of_environment(base_url, ServiceSource::Option, "--base-url", environment);
    }
    if let Some(name) = &asked.profile {
        return profile(name, None, environment, file);
    }
    if let Some(base_url) = environment.text(BASE_URL) {
        return with_key_of_environment(base_url, ServiceSource::Variable, BASE_URL, environment);
    }
    if environment.text(API_KEY).is_some() {
        return Err(ConfigError::new(
            format!("{API_KEY} is set, but no base URL says where the key belongs"),
            format!("Set {BASE_URL} too or give --base-url; or unset {API_KEY}"),
        ));
    }
    if let Some(name) = environment.text(PROFILE) {
        return profile(name, None, environment, file);
    }
    match &file.default_profile {
        Some(name) => profile(&name.value, Some(file.place(name.line)), environment, file),
        None => Ok(ServiceChoice::Embedded),
    }
}

fn with_key_of_environment(
    base_url: &str,
    said_by: ServiceSource,
    how: &str,
    environment: &Environment,
) -> Result<ServiceChoice, ConfigError> {
    let Some(key) = environment.secret(API_KEY) else {
        return Err(ConfigError::new(
            format!("{how} names a service, but there is no API key for it"),
            format!("Set {API_KEY}, or use a profile that names its key's source"),
        ));
    };
    let base_url = base_url.to_owned();
    Ok(ServiceChoice::Remote(RemoteService {
        name: String::new(),
        base_url,
        said_by,
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
    asked_at: Option<SourcePosition>,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<ServiceChoice, ConfigError> {
    if name == EMBEDDED {
        return Ok(ServiceChoice::Embedded);
    }
    let Some(found) = file.profiles.get(name) else {
        let mut error = unknown_profile(name, file);
        error.place = asked_at;
        return Err(error);
    };
    of_profile(name, found, environment, file).map(ServiceChoice::Remote)
}

/// What a profile comes to, its key fetched.
pub fn of_profile(
    name: &str,
    profile: &ProfileConfig,
    environment: &Environment,
    file: &ConfigFile,
) -> Result<RemoteService, ConfigError> {
    let shown = clean(name);
    let wrong = |message: String, advice: &str| ConfigError::new(message, advice).at(file.place(profile.line));
    let base_url = profile.base_url.as_ref().ok_or_else(|| {
        wrong(format!("the profile {shown} has no base_url"), "Add base_url = \"https://reports.example.com\"")
    })?;
    let FetchedKey { key, from, note } = key::fetch((name, profile), (KeyOf::Service, base_url), file, environment)?;
    if let (None, Some(source)) = (&profile.desk, profile.desk_keys.first()) {
        let message = format!("the profile {shown} has desk_{}, but no desk", source.value.field());
        return Err(ConfigError::new(message, "Add desk = \"https://desk.example.com\"").at(file.place(source.line)));
    }
    let desk = profile.desk.as_ref().map(|desk| {
        let FetchedKey { key, from, .. } = key::fetch((name, profile), (KeyOf::Desk, desk), file, environment)?;
        Ok(ConfiguredDesk { base_url: desk.value.clone(), place: file.place(desk.line), key, key_from: from })
    });
    Ok(RemoteService {
        name: name.to_owned(),
        base_url: base_url.value.clone(),
        said_by: ServiceSource::Profile(file.place(base_url.line)),
        key,
        key_from: from,
        note,
        read_only: profile.read_only,
        allow_insecure: profile.allow_insecure,
        accent: profile.accent,
        desk: desk.transpose()?,
        hides_presence: profile.hides_presence,
    })
}

/// The complaint about a profile that is not there, with the nearest that is.
pub fn unknown_profile(name: &str, file: &ConfigFile) -> ConfigError {
    let names: Vec<&str> = file.profiles.keys().map(String::as_str).chain([EMBEDDED]).collect();
    if let Some(meant) = nearest(name, &names) {
        let message = format!("there is no profile {}", clean(name));
        return ConfigError::new(message, format!("Did you mean {}?", clean(meant)));
    }
    let known: Vec<_> = file.profiles.keys().map(|name| clean(name)).collect();
    let path = file.path.as_ref().map_or_else(|| "the configuration".into(), |path| path.display().to_string());
    let advice = if known.is_empty() {
        format!("Add [profiles.NAME] to {path}")
    } else {
        format!("There are: {}", known.join(", "))
    };
    ConfigError::new(format!("there is no profile {}", clean(name)), advice)
}
