//! Why the database could not be opened, read or written.

use std::path::{Path, PathBuf};

use super::disk_full;

/// The database's name in the data directory.
const DATABASE: &str = "reports.sqlite3";

/// Why the database could not be opened. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory cannot be made or written.
    #[error("cannot use the data directory {}: {error}. Make it writable or choose another with --data", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The file is damaged, not ours, or cannot be written.
    #[error("cannot open the database {}: {error}. Restore it from a copy, or choose another directory with --data", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        error: rusqlite::Error,
    },
    /// The disk has no room for it.
    #[error(
        "there is no room on the disk for the database {} ({error}). Free some space, or choose another directory with --data",
        path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        error: rusqlite::Error,
    },
    /// The database of another program.
    #[error("{} is the database of another program. Move it away, or choose another directory with --data", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A later version of the program wrote it.
    #[error(
        "the database {} was written by a newer reportdeck (its format is {found}, this one knows {known}). Update reportdeck",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format found.
        found: i64,
        /// The newest format known.
        known: i64,
    },
}

impl OpenError {
    /// The meaning of an SQLite error for the file.
    pub fn of_database(path: PathBuf, error: rusqlite::Error) -> Self {
        let is_full = disk_full::is_full(&error, path.parent().unwrap_or(Path::new(".")));
        if is_full { Self::Full { path, error } } else { Self::Database { path, error } }
    }
}

/// Why a read or a write failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// An SQLite error.
    #[error("the database: {0}")]
    Database(#[from] rusqlite::Error),
    /// The disk is full or a quota is used up. Nothing was changed.
    #[error("the disk: {0}")]
    Full(rusqlite::Error),
    /// The write timed out behind other writes or another process. Nothing was changed.
    #[error("another write kept the database for too long")]
    Busy,
    /// The work panicked or was withdrawn, or the service is stopping.
    #[error("the work on the database was broken off")]
    BrokenOff,
}

impl StoreError {
    /// The meaning of an SQLite error for the database in this directory.
    pub fn of(error: rusqlite::Error, data: &Path) -> Self {
        if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) {
            Self::Busy
        } else if disk_full::is_full(&error, data) {
            Self::Full(error)
        } else {
            Self::Database(error)
        }
    }

    /// Whether the disk is full. Nothing was changed then.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }

    /// Whether the database's file is damaged.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match self {
            Self::Database(error) => matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase)),
            Self::Full(_) | Self::Busy | Self::BrokenOff => false,
        }
    }
}

/// The path of a data directory's database.
pub fn database_path(data: &Path) -> PathBuf {
    data.join(DATABASE)
}
