//! Where the store is.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

/// Where the store is: this decides the engine.
#[derive(Debug, Clone)]
pub enum StoreAddress {
    /// SQLite in a data directory of this machine, created if missing.
    Data(PathBuf),
    /// PostgreSQL at a URL like `postgres://user:password@host:5432/database?sslmode=require`.
    Postgres(SecretString),
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
