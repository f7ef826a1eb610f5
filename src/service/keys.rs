//! API keys: created, listed and revoked through the data directory.
//!
//! A key is shown once, when it is created; only its digest is stored.

use std::fmt::Write as _;
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};

use super::server::auth;
use super::store::database::connection;
use super::store::tables::keys as stored;
use super::store::{OpenError, database_path};

pub use super::store::tables::keys::{KeyRole, KeyRow, NewKey};

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
    #[error("the database: {0}")]
    Database(#[from] rusqlite::Error),
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
pub fn create(data: &Path, new: NewKey<'_>) -> Result<SecretString, KeyError> {
    let name = new.name;
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(KeyError::Name);
    }
    let key = for_this_run()?;
    let connection = connection::open(data)?;
    let kept = stored::insert(&connection, new, &auth::digest(key.expose_secret()));
    let kept = kept.map_err(|error| refused(data, error))?;
    if kept { Ok(key) } else { Err(KeyError::Taken(name.to_owned())) }
}

/// All keys, the oldest first, revoked ones too.
pub fn list(data: &Path) -> Result<Vec<KeyRow>, KeyError> {
    Ok(stored::list(&connection::open(data)?)?)
}

/// Revokes a key by its name. Running services refuse it from the next request on.
pub fn revoke(data: &Path, name: &str) -> Result<(), KeyError> {
    let revoked = stored::revoke(&connection::open(data)?, name).map_err(|error| refused(data, error))?;
    if revoked { Ok(()) } else { Err(KeyError::Missing(name.to_owned())) }
}

/// The error of a failed write; a full disk is reported as such.
fn refused(data: &Path, error: rusqlite::Error) -> KeyError {
    match OpenError::of_database(database_path(data), error) {
        OpenError::Database { error, .. } => KeyError::Database(error),
        full => KeyError::Open(full),
    }
}
