//! Rows of API keys and of signing secrets, as plain values that both engines read and write.

use jiff::Timestamp;

use crate::domain::desk::{Handle, Role};

/// A digest of a key: SHA-256.
pub type KeyDigest = [u8; 32];

/// A secret that the service signs with: 256 random bits.
pub type SigningSecret = [u8; 32];

/// A key in `keys list`, without the key and its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number. A name may be used again, a number is not.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Whose it is; `None` for a robot's.
    pub person: Option<Handle>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A key to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Whose it is; `None` for a robot's.
    pub person: Option<Handle>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

impl NewKey {
    /// A key that may do everything and does not expire.
    pub fn admin(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Admin, person: None, expires_at: None }
    }
}

/// A key that is neither revoked nor expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveKey {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Whose it is; `None` for a robot's.
    pub person: Option<Handle>,
}
