//! Errors of opening, reading, writing or copying the store, without types of an engine.

use std::path::PathBuf;

use crate::domain::desk::DeskRow;

/// An engine's error. Its text contains no secrets; that of an error of the store begins with the file, on SQLite.
pub type EngineError = Box<dyn std::error::Error + Send + Sync>;

/// Why the database could not be opened. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or a file in it cannot be created or written.
    #[error(
        "cannot use the data directory {}: {error}. Make it and its files writable or choose another with --data",
        path.display()
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The system's error, or SQLite's.
        error: EngineError,
    },
    /// SQLite cannot read the file: it is damaged, or the disk reports an error.
    #[error(
        "cannot open the database {}: {error}. Restore it from a backup, or choose another directory with --data",
        path.display()
    )]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        error: EngineError,
    },
    /// Another process has been writing for too long: the file, or the database and its server.
    #[error("the database {0} is locked by another process that writes to it. Try again when that has finished")]
    Locked(String),
    /// The disk is full.
    #[error(
        "the disk is too full for the database {} ({error}). Free some space",
        path.display()
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        error: EngineError,
    },
    /// The database belongs to another program.
    #[error(
        "{} is the database of another program. Move it elsewhere, or choose another directory with --data",
        .0.display()
    )]
    Foreign(PathBuf),
    /// A later version of the program wrote it.
    #[error(
        "the database {place} was written by a newer reportdeck (its format is {found}, this one knows {known}). Update reportdeck"
    )]
    Newer {
        /// The file, or the database and its server.
        place: String,
        /// The format found.
        found: i64,
        /// The newest format known.
        known: i64,
    },
    /// The database URL is malformed. The message does not repeat it, because it contains a password.
    #[error(
        "the database URL cannot be read. Write it as postgres://user:password@host:5432/database?sslmode=require, with \
         special characters of the password percent-encoded, such as @ as %40"
    )]
    Url,
    /// The server is on another machine and might be reached without TLS: the database and the server.
    #[error("the database {0} is on another machine and may be reached unencrypted. Add sslmode=require to its URL")]
    Plaintext(String),
    /// The server cannot be reached or refuses the connection.
    #[error(
        "cannot use the database {place}: {error}. Check its URL (user, password, name), and that its server is running"
    )]
    Server {
        /// The database and the server.
        place: String,
        /// The error of the server or the connection.
        error: EngineError,
    },
    /// The server or its database is unsuitable.
    #[error("the database {place} cannot be used: {reason}")]
    Unsuitable {
        /// The database and the server.
        place: String,
        /// The reason, and what to do.
        reason: &'static str,
    },
    /// This build has no PostgreSQL support.
    #[error("this reportdeck was built without PostgreSQL. Install one that was built with the feature postgres")]
    WithoutPostgres,
    /// The task panicked, or the program is stopping.
    #[error("opening the database was aborted. Try again")]
    BrokenOff,
}

/// Why a read or a write failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The engine failed.
    #[error("the database: {0}")]
    Database(EngineError),
    /// The database's file is damaged.
    #[error("the database is damaged ({0}). Restore it from a backup")]
    Damaged(EngineError),
    /// The disk is full or a quota is used up. Nothing was changed.
    #[error("the disk is too full for the database ({0}). Free some space")]
    Full(EngineError),
    /// A newer version of the program has migrated the database while this one uses it. Nothing was changed.
    #[error(
        "a newer reportdeck has migrated the database to format {found}; this one knows {known}. Restart with the newer one"
    )]
    Migrated {
        /// The format of the database.
        found: i64,
        /// The newest format that this program knows.
        known: i64,
    },
    /// The write timed out behind other writes or another process. Nothing was changed.
    #[error("another write blocked the database for too long. Try again in a moment")]
    Busy,
    /// No connection to the database became free in time. Nothing was changed.
    #[error("all connections to the database were in use for too long")]
    Overloaded,
    /// The database server cannot be reached or does not respond. Nothing was changed.
    #[error("the database is not available: {0}")]
    Unavailable(EngineError),
    /// The connection broke during a commit: the write may have been made.
    #[error("the database did not confirm a write ({0}). It may have been saved: check before repeating it")]
    Unconfirmed(EngineError),
    /// A copy or an import cannot be made. Nothing was changed.
    #[error(transparent)]
    Refused(#[from] CopyRefusal),
    /// A write to the desk cannot be made. Nothing was changed.
    #[error(transparent)]
    Desk(#[from] DeskRefusal),
    /// The task panicked or was cancelled, or the service is stopping.
    #[error("the database operation was aborted")]
    BrokenOff,
}

/// Why a copy or an import was rolled back. The target is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum CopyRefusal {
    /// The target is not empty.
    #[error("it already contains reports, keys or secrets. Copy into an empty store")]
    NotEmpty,
    /// The source ended early.
    #[error("the rows of the source ended early")]
    CutOff,
    /// The copy differs from the source, first in this table.
    #[error("its copy of {0} differs from the source")]
    Differs(&'static str),
}

/// Why a write to the desk was rolled back. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the desk refused a write")]
pub enum DeskRefusal {
    /// The service does not exist, or was merged into another.
    UnknownService,
    /// The note does not exist.
    UnknownNote,
    /// The person does not exist or has left.
    UnknownPerson,
    /// The note belongs to another person.
    NotYours,
    /// The precondition does not hold; the current row.
    Conflict(Option<Box<DeskRow>>),
    /// Another write had the same id.
    ChangeReused,
    /// A service cannot be merged into itself, nor the desk's own service into another.
    Unmergeable,
    /// The desk has the most services allowed.
    TooManyServices,
    /// An active key already has this name.
    KeyTaken,
    /// No active key has this name.
    UnknownKey,
}
