//! Stored keys in the system's keyring: Secret Service, Keychain, Credential Manager.
//!
//! No keyring is no failure: [`KeyringError::None`] says why, and the caller goes on without.

#[cfg(any(target_os = "macos", windows))]
use crate::config::credentials::native_keyring as system;
#[cfg(not(any(target_os = "macos", windows)))]
use crate::config::credentials::secret_service as system;

use crate::config::credentials::keyring_error::KeyringError;
use crate::config::environment::{Environment, KEYRING};

/// The text that is stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    allowed(environment)?;
    system::read(profile, environment)
}

/// Stores a text in place of an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    allowed(environment)?;
    system::write(profile, text, environment)
}

/// Whether there was one.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    allowed(environment)?;
    system::remove(profile, environment)
}

/// Whether there is one.
pub(super) fn status(environment: &Environment) -> Result<(), KeyringError> {
    allowed(environment)?;
    system::status(environment)
}

fn allowed(environment: &Environment) -> Result<(), KeyringError> {
    match environment.text(KEYRING) {
        Some("off") => Err(KeyringError::None(format!("{KEYRING} is off"))),
        Some(_) | None => Ok(()),
    }
}
