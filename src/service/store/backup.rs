//! What a backup or a restore of an SQLite store did, or why it failed.

use std::path::PathBuf;

use super::error::{EngineError, OpenError};

/// The numbers of rows in a copy of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyCounts {
    /// The reports.
    pub reports: i64,
    /// The projects.
    pub projects: i64,
    /// The former results of reports.
    pub former: i64,
    /// The API keys, revoked ones too.
    pub keys: i64,
}

/// A restore that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredStore {
    /// What the data directory holds now.
    pub counts: CopyCounts,
    /// Where the database from before is, if there was one with anything in it.
    pub before: Option<PathBuf>,
}

/// Why nothing was backed up or restored. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store is no file.
    #[error(
        "the reports are in a PostgreSQL database, of which this makes no backup. Use pg_dump and pg_restore, or name a \
         data directory with --data"
    )]
    Postgres,
    /// There is nothing to back up.
    #[error("there is no database {}. Name the data directory with --data", .0.display())]
    Missing(PathBuf),
    /// The file is there already.
    #[error("{} is there already. Choose another name, or add --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The file would replace the database itself.
    #[error("{} is the database itself or belongs to it. Choose another place for the backup", .0.display())]
    OwnFile(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot use {}: {error}. Check that it is there, and its permissions", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file to restore is no database of ours.
    #[error("{} is no backup of a reportdeck store. Name a file that `store backup` wrote", .0.display())]
    NoBackup(PathBuf),
    /// The file is damaged.
    #[error("{} is damaged and was not used: {found}. Take another backup", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first finding of SQLite's check.
        found: String,
    },
    /// SQLite failed.
    #[error("{} could not be copied: {error}. Check the disk, and try again", path.display())]
    Copy {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        error: EngineError,
    },
    /// The data directory is in use by rows that a restore would replace.
    #[error(
        "{} holds a database with {reports} reports and {keys} keys. Add --force to replace it; it is kept beside", data.display()
    )]
    NotEmpty {
        /// The data directory.
        data: PathBuf,
        /// The reports in it.
        reports: i64,
        /// The API keys in it.
        keys: i64,
    },
    /// The database in the data directory cannot be read.
    #[error("the database in {} cannot be read. Add --force to replace it; it is kept beside", .0.display())]
    Unreadable(PathBuf),
    /// The work panicked, or the program is stopping.
    #[error("the copy was broken off. Try again")]
    BrokenOff,
}
