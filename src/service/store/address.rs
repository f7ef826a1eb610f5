//! Where the store is.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::error::OpenError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresAddress;

/// Where the store is: this decides the engine.
#[derive(Debug, Clone)]
pub enum StoreAddress {
    /// SQLite in a data directory of this machine, created if missing.
    Data(PathBuf),
    /// PostgreSQL at a URL like `postgres://user:password@host:5432/database?sslmode=require`.
    Postgres(SecretString),
}

impl StoreAddress {
    /// The directory, or the database and its server: without user and password. Fails where the URL cannot be used.
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
