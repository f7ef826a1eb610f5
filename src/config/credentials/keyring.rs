//! Stored keys in the system's keyring: Secret Service, Keychain, Credential Manager.
//!
//! A missing keyring is not a failure: [`KeyringError::None`] says why, and the caller continues without.

#[cfg(any(target_os = "macos", windows))]
use crate::config::credentials::native_keyring as system;
#[cfg(not(any(target_os = "macos", windows)))]
use crate::config::credentials::secret_service as system;

use crate::config::credentials::keyring_error::KeyringError;
use crate::config::environment::{Environment, KEYRING};

/// Returns the text stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    allowed(environment)?;
    system::read(profile, environment)
}

/// Stores a text, replacing an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    allowed(environment)?;
    system::write(profile, text, environment)
}

/// Removes a profile's entry; false if there was none.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    allowed(environment)?;
    system::remove(profile, environment)
}

/// Fails if there is no usable keyring.
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
