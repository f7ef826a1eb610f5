//! Where the store is.

use std::path::{Path, PathBuf};

/// Where the store is: this decides the engine.
#[derive(Debug, Clone)]
pub enum StoreAddress {
    /// SQLite in a data directory of this machine, created if missing.
    Data(PathBuf),
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
