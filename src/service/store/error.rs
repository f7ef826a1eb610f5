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
    /// The database URL cannot be read. The message does not repeat it, for it holds a password.
    #[error(
        "the database URL cannot be read. Write it as postgres://user:password@host:5432/database?sslmode=require, with \
         special characters of the password percent-encoded"
    )]
    Url,
    /// The server is on another machine and might be reached without TLS.
    #[error(
        "the database {place} is on another machine and may be reached in plain text. Add sslmode=require to its URL"
    )]
    Plaintext {
        /// The database and the server.
        place: String,
    },
    /// The server cannot be reached or refuses.
    #[error(
        "cannot use the database {place}: {error}. Check its URL (user, password, name), and that its server is running"
    )]
    Server {
        /// The database and the server.
        place: String,
        /// What the server or the connection said.
        error: EngineError,
    },
    /// The server or its database is not of a kind that can be used.
    #[error("the database {place} cannot be used: {reason}")]
    Unsuitable {
        /// The database and the server.
        place: String,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// This program cannot use PostgreSQL.
    #[error("this reportdeck was built without PostgreSQL. Install one that was built with the feature postgres")]
    WithoutPostgres,
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
    /// The database's server cannot be reached or does not answer. Nothing was changed.
    #[error("the database is not available: {0}")]
    Unavailable(EngineError),
    /// The connection broke while a write was committed: it may have been made.
    #[error("the database did not confirm a write: {0}")]
    Unconfirmed(EngineError),
    /// The work panicked or was withdrawn, or the service is stopping.
    #[error("the work on the database was broken off")]
    BrokenOff,
}

/// Why rows could not be inserted or shifted.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
