//! Keys of the interface: made, listed and revoked by whoever may read the data directory.
//!
//! A key is shown once, when it is made; only its digest is kept. Must not know how a key is sent.

use std::fmt::Write as _;
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};

use super::server::auth;
use super::store::database::connection;
use super::store::tables::keys as stored;
use super::store::{OpenError, database_path};

pub use super::store::tables::keys::KeyRow;

/// What every key begins with, so that people and secret scanners know one when they see it.
const PREFIX: &str = "rdk_";
const LONGEST_NAME: usize = 100;

/// Why a key could not be made, listed or revoked.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database refused.
    #[error("the database: {0}")]
    Database(#[from] rusqlite::Error),
    /// The system gives no random bits.
    #[error("the system gives no random numbers: {0}. Without them no key can be made")]
    Random(getrandom::Error),
    /// The name cannot be used.
    #[error("a key's name has 1 to {LONGEST_NAME} characters and no control characters. Choose another name")]
    Name,
    /// A key in use has that name.
    #[error("there is a key named {0} already. Revoke it first, or choose another name")]
    Taken(String),
    /// There is no such key.
    #[error("there is no key named {0} in use. `keys list` shows them all")]
    Missing(String),
}

/// A new key of 256 random bits, kept nowhere: for the service inside the dashboard's own process.
pub fn for_this_run() -> Result<SecretString, KeyError> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits).map_err(KeyError::Random)?;
    let mut key = PREFIX.to_owned();
    for byte in bits {
        // Writing to a text cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    Ok(key.into())
}

/// Makes a key and keeps its digest. The answer is the only time it is shown.
pub fn create(data: &Path, name: &str) -> Result<SecretString, KeyError> {
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(KeyError::Name);
    }
    let key = for_this_run()?;
    let connection = connection::open(data)?;
    let kept = stored::insert(&connection, name, &auth::digest(key.expose_secret()));
    let kept = kept.map_err(|error| refused(data, error))?;
    if kept { Ok(key) } else { Err(KeyError::Taken(name.to_owned())) }
}

/// All keys, the oldest first, revoked ones too.
pub fn list(data: &Path) -> Result<Vec<KeyRow>, KeyError> {
    Ok(stored::list(&connection::open(data)?)?)
}

/// Revokes a key by its name. Services that run take note of it with the next request.
pub fn revoke(data: &Path, name: &str) -> Result<(), KeyError> {
    let revoked = stored::revoke(&connection::open(data)?, name).map_err(|error| refused(data, error))?;
    if revoked { Ok(()) } else { Err(KeyError::Missing(name.to_owned())) }
}

/// Why a key was not written: a disk without room is told as what it is.
fn refused(data: &Path, error: rusqlite::Error) -> KeyError {
    match OpenError::of_database(database_path(data), error) {
        OpenError::Database { error, .. } => KeyError::Database(error),
        full => KeyError::Open(full),
    }
}
