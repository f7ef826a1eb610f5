//! Rows of API keys and signing secrets, as plain values that both engines read and write.

use jiff::Timestamp;

use crate::domain::desk::{DeskActor, Handle, Role};
use crate::domain::text::Text;

/// The SHA-256 digest of a key.
pub type KeyDigest = [u8; 32];

/// A secret that the service signs with: 256 random bits.
pub type SigningSecret = [u8; 32];

/// A key as listed by `keys list`, without the key or its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// The key's id, never reused; a name may be reused after the key is revoked.
    pub id: i64,
    /// The key's name.
    pub name: String,
    /// The key's role.
    pub role: Role,
    /// The key's person; `None` for a robot's key.
    pub person: Option<Handle>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// From when it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl KeyRow {
    /// Whether the key is neither revoked nor expired.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| end > now)
    }
}

/// A key to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// The key's name.
    pub name: String,
    /// The key's role.
    pub role: Role,
    /// The key's person; `None` for a robot's key.
    pub person: Option<Handle>,
    /// From when it is refused.
    pub expires_at: Option<Timestamp>,
}

impl NewKey {
    /// Returns a key with the admin role that does not expire.
    pub fn admin(name: impl Into<String>) -> Self {
        Self { name: name.into(), role: Role::Admin, person: None, expires_at: None }
    }
}

/// Why a stored key is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum KeyEnd {
    /// Its expiry has passed.
    #[strum(to_string = "has expired")]
    Expired,
    /// It was revoked.
    #[strum(to_string = "is revoked")]
    Revoked,
}

/// A stored key, as requests use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The key's id; `None` for the key of this run, which is not stored.
    pub id: Option<i64>,
    /// The key's name.
    pub name: String,
    /// The key's role.
    pub role: Role,
    /// The key's person; `None` for a robot's key.
    pub person: Option<Handle>,
}

impl RequestKey {
    /// Returns the actor recorded for writes with this key.
    pub fn actor(&self) -> DeskActor {
        let robot = || DeskActor::Key(Text::from_outside(self.name.as_str()));
        self.person.clone().map_or_else(robot, DeskActor::Person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_active_until_it_expires_or_is_revoked() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut key = KeyRow {
            id: 1,
            name: "laptop".into(),
            role: Role::Admin,
            person: None,
            created_at: at(0),
            last_used_at: None,
            expires_at: None,
            revoked_at: None,
        };
        assert!(key.is_active(at(10)));
        key.expires_at = Some(at(10));
        assert!(key.is_active(at(9)) && !key.is_active(at(10)));
        key.revoked_at = Some(at(5));
        assert!(!key.is_active(at(9)));
    }
}
