//! API keys: created, listed and revoked in the store.
//!
//! A key is shown once, when it is created; only its digest is stored.

use std::fmt::Write as _;

use secrecy::{ExposeSecret, SecretString};

use super::server::auth;
use super::store::Store;
use super::store::address::StoreAddress;
use super::store::error::{EngineError, OpenError, StoreError};

pub use super::store::key_rows::{KeyRole, KeyRow, NewKey};

/// The prefix of every key, for people and secret scanners.
const PREFIX: &str = "rdk_";
const LONGEST_NAME: usize = 100;

/// Why a key could not be created, listed or revoked.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database failed.
    #[error(transparent)]
    Store(StoreError),
    /// The disk has no room.
    #[error("there is no room on the disk for the database ({0}). Free some space")]
    Full(EngineError),
    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}. Without them no key can be made")]
    Random(getrandom::Error),
    /// The name is invalid.
    #[error("a key's name has 1 to {LONGEST_NAME} characters and no control characters. Choose another name")]
    Name,
    /// An active key has that name.
    #[error("there is a key named {0} already. Revoke it first, or choose another name")]
    Taken(String),
    /// There is no such key.
    #[error("there is no key named {0} in use. `keys list` shows them all")]
    Missing(String),
}

/// A new key of 256 random bits that is not stored: for the service inside the dashboard's own process.
pub fn for_this_run() -> Result<SecretString, KeyError> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits).map_err(KeyError::Random)?;
    let mut key = PREFIX.to_owned();
    for byte in bits {
        // Writing to a `String` cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    Ok(key.into())
}

/// Creates a key and stores its digest. The key itself is returned once.
pub async fn create(store: impl Into<StoreAddress>, new: NewKey) -> Result<SecretString, KeyError> {
    let name = new.name.clone();
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(KeyError::Name);
    }
    let key = for_this_run()?;
    let store = Store::open(store.into()).await?;
    let kept = store.insert_key(new, auth::digest(key.expose_secret())).await?;
    if kept { Ok(key) } else { Err(KeyError::Taken(name)) }
}

/// All keys, the oldest first, revoked ones too.
pub async fn list(store: impl Into<StoreAddress>) -> Result<Vec<KeyRow>, KeyError> {
    Ok(Store::open(store.into()).await?.keys().await?)
}

/// Revokes a key by its name. Running services refuse it from the next request on.
pub async fn revoke(store: impl Into<StoreAddress>, name: &str) -> Result<(), KeyError> {
    let revoked = Store::open(store.into()).await?.revoke_key(name.to_owned()).await?;
    if revoked { Ok(()) } else { Err(KeyError::Missing(name.to_owned())) }
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full(error) => Self::Full(error),
            other @ (StoreError::Database(_)
            | StoreError::Damaged(_)
            | StoreError::Busy
            | StoreError::Unavailable(_)
            | StoreError::Unconfirmed(_)
            | StoreError::BrokenOff) => Self::Store(other),
        }
    }
}
