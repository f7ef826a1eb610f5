//! The system's keyring: Secret Service, Keychain or Credential Manager. It can be disabled.

use crate::config::environment::{Environment, KEYRING};

/// Why the keyring could not be used.
pub(super) enum KeyringError {
    /// There is no keyring, or its use is disabled. This is no failure: the caller continues without.
    None(String),
    /// The keyring refused.
    Failed(String),
}

/// Fails if the environment disables the keyring, or has another value than `on` or `off`.
pub(super) fn allowed(environment: &Environment) -> Result<(), KeyringError> {
    match environment.text(KEYRING) {
        Some("off") => Err(KeyringError::None(format!("{KEYRING} is off"))),
        Some("on") | None => Ok(()),
        Some(other) => Err(KeyringError::Failed(format!("{KEYRING} is {other}, which is neither on nor off"))),
    }
}
