//! Keys stored by `login`: one per profile, bound to the origin it was verified with.
//!
//! A key is in the system's keyring or, without one, in a file readable only by its owner. The file is read first: it
//! is written only when the keyring cannot be used, so its key is never the older one.

mod file;
mod keyring;
#[cfg(any(target_os = "macos", windows))]
mod native_keyring;
#[cfg(not(any(target_os = "macos", windows)))]
mod secret_service;

use std::fmt;
use std::path::PathBuf;

use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use url::Url;

use super::environment::Environment;
use super::error::ConfigError;
use crate::config::credentials::keyring::KeyringError;
#[cfg(any(target_os = "macos", windows))]
use crate::config::credentials::native_keyring as system_keyring;
#[cfg(not(any(target_os = "macos", windows)))]
use crate::config::credentials::secret_service as system_keyring;
use crate::domain::failure::Failure;
use crate::domain::text::clean;

/// What to do about a keyring that does not work.
const UNLOCK: &str = "Unlock it, or set REPORTDECK_KEYRING=off to do without it";

/// A stored key and the origin it may be sent to.
#[derive(Deserialize)]
pub struct Credential {
    /// The profile it was stored for: on case-insensitive file systems, two names may share a file.
    pub profile: String,
    /// Scheme, host and port of the service.
    pub origin: String,
    /// The key.
    pub key: SecretString,
}

impl Credential {
    fn to_text(&self) -> Zeroizing<String> {
        let key = self.key.expose_secret();
        let json = serde_json::json!({ "profile": self.profile, "origin": self.origin, "key": key });
        Zeroizing::new(json.to_string())
    }

    fn of_text(text: &str, profile: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().filter(|credential| credential.profile == profile)
    }
}

/// Where a key is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialStore {
    /// The system's keyring.
    Keyring,
    /// A file of this program.
    File(PathBuf),
}

impl fmt::Display for CredentialStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyring => formatter.write_str("the system's keyring"),
            Self::File(path) => write!(formatter, "the file {}", clean(&path.to_string_lossy())),
        }
    }
}

/// A stored key that was found.
pub struct FoundCredential {
    /// The key and its origin.
    pub credential: Credential,
    /// Where it was found.
    pub place: CredentialStore,
    /// A note for the person if there is a problem.
    pub note: Option<String>,
}

/// The result of storing a key.
pub struct StoredCredential {
    /// Where it is stored.
    pub place: CredentialStore,
    /// Why it is not in the keyring, if it is not.
    pub no_keyring: Option<String>,
}

/// Why a key was not stored or deleted.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// The keyring or the environment does not allow it.
    #[error(transparent)]
    Refused(#[from] ConfigError),
    /// A file cannot be written or removed.
    #[error(transparent)]
    File(#[from] Failure),
}

/// Which stores may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorePreference {
    /// The keyring, or a file if there is none.
    Any,
    /// Only the keyring (`api_key_keyring`).
    KeyringOnly,
}

/// Returns scheme, host and port of a base URL; `None` if it is not one.
pub fn origin_of(base_url: &str) -> Option<String> {
    let url = Url::parse(base_url.trim()).ok()?;
    url.has_host().then(|| url.origin().ascii_serialization())
}

/// Fails with the reason and what follows for `login` if there is no usable keyring.
pub fn keyring_status(environment: &Environment) -> Result<(), ConfigError> {
    system_keyring::status(environment).map_err(|trouble| match trouble {
        KeyringError::None(why) => ConfigError::new(clean(&why), "login stores keys in a file that only you can read"),
        KeyringError::Failed(why) => ConfigError::new(clean(&why), UNLOCK),
    })
}

/// Finds the key stored for a profile.
pub fn find(
    profile: &str,
    stores: StorePreference,
    environment: &Environment,
) -> Result<Option<FoundCredential>, ConfigError> {
    let path = file::path(profile, environment).filter(|_| stores == StorePreference::Any);
    if let Some(path) = path
        && let Some(text) = file::read(&path)?
    {
        let credential = Credential::of_text(&text, profile).ok_or_else(|| foreign(&path.display().to_string()))?;
        let note = file::others_may_read(&path);
        return Ok(Some(FoundCredential { credential, place: CredentialStore::File(path), note }));
    }
    match system_keyring::read(profile, environment) {
        Ok(Some(text)) => {
            let credential = Credential::of_text(&text, profile).ok_or_else(|| foreign("the keyring's entry"))?;
            Ok(Some(FoundCredential { credential, place: CredentialStore::Keyring, note: None }))
        }
        Ok(None) => Ok(None),
        Err(KeyringError::None(why)) if stores == StorePreference::KeyringOnly => Err(no_keyring(&why)),
        Err(KeyringError::None(_)) => Ok(None),
        Err(KeyringError::Failed(why)) => Err(unusable("read", &why)),
    }
}

/// Stores a key, replacing an older one.
pub fn store(
    credential: &Credential,
    stores: StorePreference,
    environment: &Environment,
) -> Result<StoredCredential, CredentialError> {
    let (profile, text) = (&credential.profile, credential.to_text());
    let path = file::path(profile, environment);
    let why = match system_keyring::write(profile, &text, environment) {
        Ok(()) => {
            // An older key in a file would be found first.
            path.map_or(Ok(false), |path| file::remove(&path))?;
            return Ok(StoredCredential { place: CredentialStore::Keyring, no_keyring: None });
        }
        Err(KeyringError::None(why)) => why,
        Err(KeyringError::Failed(why)) => return Err(unusable("written", &why).into()),
    };
    if stores == StorePreference::KeyringOnly {
        return Err(no_keyring(&why).into());
    }
    let path = path.ok_or_else(|| {
        ConfigError::new("there is neither a keyring nor a home directory to store the key in", "Set HOME")
    })?;
    file::write(&path, &text)?;
    Ok(StoredCredential { place: CredentialStore::File(path), no_keyring: Some(why) })
}

/// Removes all keys stored for a profile, and returns where they were.
pub fn forget(profile: &str, environment: &Environment) -> Result<Vec<CredentialStore>, CredentialError> {
    let mut places = Vec::new();
    if let Some(path) = file::path(profile, environment)
        && file::remove(&path)?
    {
        places.push(CredentialStore::File(path));
    }
    match system_keyring::remove(profile, environment) {
        Ok(true) => places.push(CredentialStore::Keyring),
        Ok(false) | Err(KeyringError::None(_)) => {}
        Err(KeyringError::Failed(why)) => return Err(unusable("changed", &why).into()),
    }
    Ok(places)
}

fn foreign(what: &str) -> ConfigError {
    ConfigError::new(
        format!("{} contains no key stored by `reportdeck login`", clean(what)),
        "Run `reportdeck login` again",
    )
}

fn no_keyring(why: &str) -> ConfigError {
    let advice = "Start one, or name another source: api_key_env, api_key_file, api_key_command";
    ConfigError::new(format!("there is no keyring here: {}", clean(why)), advice)
}

fn unusable(what: &str, why: &str) -> ConfigError {
    ConfigError::new(format!("the system's keyring cannot be {what}: {}", clean(why)), UNLOCK)
}

#[cfg(all(test, unix))]
mod tests;
