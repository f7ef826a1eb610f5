//! Why the keyring gave nothing.

/// Why the keyring gave nothing.
pub(super) enum KeyringError {
    /// There is none, or it must not be used.
    None(String),
    /// There is one, and it refused.
    Failed(String),
}
