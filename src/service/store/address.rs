//! The address of the store.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::error::OpenError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresAddress;

/// The address of the store, which determines the engine.
#[derive(Debug, Clone)]
pub enum StoreAddress {
    /// SQLite in a data directory of this machine, created if missing.
    Data(PathBuf),
    /// PostgreSQL at a URL such as `postgres://user:password@host:5432/database?sslmode=require`.
    Postgres(SecretString),
}

impl StoreAddress {
    /// Returns the directory, or the database and its server without user and password. Fails if the URL is invalid.
    pub fn place(&self) -> Result<String, OpenError> {
        match self {
            Self::Data(data) => Ok(data.display().to_string()),
            #[cfg(feature = "postgres")]
            Self::Postgres(url) => PostgresAddress::parse(url).map(|address| address.place),
            #[cfg(not(feature = "postgres"))]
            Self::Postgres(_) => Err(OpenError::WithoutPostgres),
        }
    }
}

impl From<PathBuf> for StoreAddress {
    fn from(data: PathBuf) -> Self {
        Self::Data(data)
    }
}

impl From<&Path> for StoreAddress {
    fn from(data: &Path) -> Self {
        Self::Data(data.to_owned())
    }
}
