//! The errors of the keyring.

/// Why the keyring could not be used.
pub(super) enum KeyringError {
    /// There is no keyring, or its use is disabled.
    None(String),
    /// The keyring refused.
    Failed(String),
}
