//! Results and errors of backing up and restoring an SQLite store.

use std::path::PathBuf;

use super::error::{EngineError, OpenError};
use crate::domain::text::numbers::counted;

/// The numbers of rows in a copy of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyCounts {
    /// The reports.
    pub reports: i64,
    /// The projects.
    pub projects: i64,
    /// The earlier results of reports.
    pub former: i64,
    /// The API keys, including revoked ones.
    pub keys: i64,
}

/// A completed restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredStore {
    /// The contents of the data directory after the restore.
    pub counts: CopyCounts,
    /// Where the previous database was moved, if it contained anything.
    pub before: Option<PathBuf>,
}

/// Why a backup or restore failed. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store is not a file.
    #[error(
        "the reports are in a PostgreSQL database, which is not backed up here. Use pg_dump and pg_restore, or name a \
         data directory with --data"
    )]
    Postgres,
    /// There is nothing to back up.
    #[error("there is no database {}. Name the data directory with --data", .0.display())]
    Missing(PathBuf),
    /// The file exists already.
    #[error("{} already exists. Choose another name, or add --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The place of the file is a folder.
    #[error("{} is a folder. Name a file in it", .0.display())]
    Folder(PathBuf),
    /// The file would replace the database itself.
    #[error("{} is the database itself or belongs to it. Choose another place for the backup", .0.display())]
    OwnFile(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot use {}: {error}. Check that it exists, and its permissions", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file to restore is not a database of this program.
    #[error("{} is not a reportdeck database. Restore or name a file that `store backup` wrote", .0.display())]
    NoBackup(PathBuf),
    /// The file is damaged.
    #[error("{} is damaged: {found}. Use an earlier backup", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first finding of SQLite's check.
        found: String,
    },
    /// SQLite failed.
    #[error("{} could not be copied: {error}. Check the disk and the permissions of its directory, and try again", path.display())]
    Copy {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        error: EngineError,
    },
    /// The data directory has data that a restore would replace.
    #[error(
        "{} contains a database with {} and {}. Add --force to replace it; the old one is kept next to it",
        data.display(), counted(reports.unsigned_abs(), "report"), counted(keys.unsigned_abs(), "key")
    )]
    NotEmpty {
        /// The data directory.
        data: PathBuf,
        /// The number of reports.
        reports: i64,
        /// The number of API keys.
        keys: i64,
    },
    /// The database in the data directory cannot be read.
    #[error(
        "the database in {} cannot be read. Add --force to replace it; the old one is kept next to it",
        .0.display()
    )]
    Unreadable(PathBuf),
    /// The database in the data directory was written by a newer version.
    #[error(
        "the database in {} is of a newer version. Add --force to replace it; the newer one is kept next to it",
        .0.display()
    )]
    Newer(PathBuf),
    /// The task panicked, or the program is stopping.
    #[error("the copy was aborted. Try again")]
    BrokenOff,
}
