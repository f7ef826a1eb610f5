//! Why the store could not be opened, read or written, in terms that name no engine's type.

use std::path::PathBuf;

/// What an engine said. Its text holds no secret.
pub type EngineError = Box<dyn std::error::Error + Send + Sync>;

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
        error: EngineError,
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
        error: EngineError,
    },
    /// The database of another program.
    #[error("{} is the database of another program. Move it away, or choose another directory with --data", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A later version of the program wrote it.
    #[error(
        "the database {place} was written by a newer reportdeck (its format is {found}, this one knows {known}). Update reportdeck"
    )]
    Newer {
        /// The file, or the server and the database's name there.
        place: String,
        /// The format found.
        found: i64,
        /// The newest format known.
        known: i64,
    },
    /// The work panicked, or the program is stopping.
    #[error("opening the database was broken off. Try again")]
    BrokenOff,
}

/// Why a read or a write failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The engine failed.
    #[error("the database: {0}")]
    Database(EngineError),
    /// The database's file is damaged.
    #[error("the database: {0}")]
    Damaged(EngineError),
    /// The disk is full or a quota is used up. Nothing was changed.
    #[error("the disk: {0}")]
    Full(EngineError),
    /// The write timed out behind other writes or another process. Nothing was changed.
    #[error("another write kept the database for too long")]
    Busy,
    /// The work panicked or was withdrawn, or the service is stopping.
    #[error("the work on the database was broken off")]
    BrokenOff,
}
