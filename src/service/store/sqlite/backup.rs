//! Backups of an SQLite store while a service is running, and restores into a data directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use tempfile::{NamedTempFile, PersistError};

use super::database::connection;
use super::database::error::database_path;
use super::database::migrations::{self, SchemaMismatch};
use crate::service::scratch::ScratchFolder;
use crate::service::store::backup::{BackupError, CopyCounts, RestoredStore};
use crate::service::store::error::OpenError;

/// How long a copy waits for another process that locks the database.
const WAIT: Duration = Duration::from_secs(20);
/// The suffixes of a database's files in WAL mode.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// Checks that a backup can be written to `file`, and returns a folder for the unfinished copy. Dropping the folder
/// deletes it, so its owner must be dropped when the program is interrupted.
pub fn prepare_backup(data: &Path, file: &Path, replace: bool) -> Result<ScratchFolder, BackupError> {
    refuse_own_files(&require_database(data)?, file)?;
    if file.is_dir() {
        return Err(BackupError::Folder(file.to_owned()));
    }
    if !replace && fs::symlink_metadata(file).is_ok() {
        return Err(BackupError::Exists(file.to_owned()));
    }
    if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        // A device, such as /dev/null, would be gone for all programs.
        let error = std::io::Error::other("it is not a regular file");
        return Err(BackupError::File { path: file.to_owned(), error });
    }
    scratch_beside(file)
}

/// Creates a folder for unfinished copies, on the disk of `file`.
pub fn scratch_beside(file: &Path) -> Result<ScratchFolder, BackupError> {
    ScratchFolder::inside(folder_of(file)).map_err(|error| BackupError::File { path: file.to_owned(), error })
}

/// Writes a snapshot of a data directory's database to a file readable only by its owner. Concurrent writes are
/// allowed. The file is moved from `scratch` to its place when complete. Blocks.
pub fn backup(data: &Path, file: &Path, scratch: &Path, replace: bool) -> Result<CopyCounts, BackupError> {
    let database = database_path(data);
    write_copy(&open_source(&database)?, &database, (file, scratch), replace)
}

/// Reads the whole database of a data directory, and fails if it is damaged. Changes nothing. Blocks.
pub fn check_database(data: &Path) -> Result<(), BackupError> {
    let database = database_path(data);
    check(&open_source(&database)?, &database, "PRAGMA quick_check(1)")
}

/// Returns the first file of a data directory's database that exists and cannot be written, and why. Changes nothing.
pub fn find_read_only(data: &Path) -> Option<(PathBuf, std::io::Error)> {
    let files = SUFFIXES.map(|suffix| with_suffix(&database_path(data), suffix));
    files.into_iter().find_map(|file| {
        let opened = fs::OpenOptions::new().write(true).open(&file);
        opened.err().filter(|error| error.kind() != std::io::ErrorKind::NotFound).map(|error| (file, error))
    })
}

/// Whether the database of a data directory is of an earlier version, so that opening it migrates it. Changes nothing.
/// Blocks.
pub fn is_outdated(data: &Path) -> bool {
    let version = |source: Connection| migrations::version(&source).ok();
    open_source(&database_path(data)).ok().and_then(version).is_some_and(|found| found < migrations::newest())
}

/// Returns the path of a data directory's database. Fails if it does not exist.
pub fn require_database(data: &Path) -> Result<PathBuf, BackupError> {
    let database = database_path(data);
    match database.try_exists() {
        Ok(true) => Ok(database),
        Ok(false) => Err(BackupError::Missing(database)),
        Err(error) => Err(BackupError::File { path: database, error }),
    }
}

/// Copies a snapshot of a database, whose format this program must know, to a new file. Blocks.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), BackupError> {
    write_copy(&open_source(from)?, from, (to, folder_of(to)), false).map(drop)
}

/// Opens a backup, and fails if it is damaged. Changes nothing. Blocks.
pub fn open_backup(file: &Path) -> Result<Connection, BackupError> {
    let source = open_source(file)?;
    check(&source, file, "PRAGMA integrity_check(1)")?;
    Ok(source)
}

/// Replaces the database of a data directory with a backup, in one transaction: after a crash the previous one is
/// intact. Blocks.
///
/// A database with reports or keys is replaced only with `replace`, and is first copied, through `scratch`, to a file
/// beside it. If there was none, nothing of it is left after a failure. The caller must hold the lock of `serve`.
pub fn restore(data: &Path, source: &Connection, scratch: &Path, replace: bool) -> Result<RestoredStore, BackupError> {
    let database = database_path(data);
    let is_new = !database.exists();
    let restored = overwrite(data, source, scratch, replace);
    if is_new && restored.is_err() {
        for suffix in SUFFIXES {
            let _ = fs::remove_file(with_suffix(&database, suffix));
        }
    }
    restored
}

fn overwrite(data: &Path, source: &Connection, scratch: &Path, replace: bool) -> Result<RestoredStore, BackupError> {
    let database = database_path(data);
    let before = if database.exists() { set_aside(data, (&database, scratch), replace)? } else { None };
    let failed = |error| unreadable(&database, error);
    // A damaged database was moved, not copied.
    let was_copied = database.exists();
    let mut target = connection::open(data)?;
    if let Err(error) = copy(source, &mut target) {
        if was_copied && let Some(unneeded) = &before {
            let _ = fs::remove_file(unneeded);
        }
        return Err(failed(error));
    }
    drop(target);
    // Reopened, so that a backup of an older format is migrated.
    let restored = connection::open(data)?;
    Ok(RestoredStore { counts: counts(&restored).map_err(failed)?, before })
}

/// Copies the current database to a file beside it if it has any rows, and returns the copy's path.
fn set_aside(data: &Path, (database, scratch): (&Path, &Path), replace: bool) -> Result<Option<PathBuf>, BackupError> {
    let kept = kept_name(database);
    let present = match connection::open(data) {
        Ok(present) => present,
        Err(error @ OpenError::Database { .. }) => match open_source(database) {
            Err(BackupError::Damaged { .. } | BackupError::NoBackup(_)) if replace => {
                return move_aside(database, kept).map(Some);
            }
            Err(BackupError::Damaged { .. } | BackupError::NoBackup(_)) => {
                return Err(BackupError::Unreadable(data.to_owned()));
            }
            Ok(_) | Err(_) => return Err(error.into()),
        },
        // Its backup from before an update is the way back to this version.
        Err(OpenError::Newer { .. }) if replace => return move_aside(database, kept).map(Some),
        Err(OpenError::Newer { .. }) => return Err(BackupError::Newer(data.to_owned())),
        Err(error) => return Err(error.into()),
    };
    let counts = counts(&present);
    let counts = counts.map_err(|error| BackupError::Copy { path: database.to_owned(), error: error.into() })?;
    if counts.reports == 0 && counts.keys == 0 {
        return Ok(None);
    }
    if !replace {
        return Err(BackupError::NotEmpty { data: data.to_owned(), reports: counts.reports, keys: counts.keys });
    }
    match write_copy(&present, database, (&kept, scratch), false) {
        Ok(_) => Ok(Some(kept)),
        // A database that cannot be copied page by page is damaged.
        Err(BackupError::Damaged { .. }) => {
            drop(present);
            move_aside(database, kept).map(Some)
        }
        Err(other) => Err(other),
    }
}

/// Renames an unreadable database together with its write-ahead log.
fn move_aside(database: &Path, kept: PathBuf) -> Result<PathBuf, BackupError> {
    for suffix in SUFFIXES {
        let (from, to) = (with_suffix(database, suffix), with_suffix(&kept, suffix));
        if from.exists() {
            fs::rename(&from, to).map_err(|error| BackupError::File { path: from, error })?;
        }
    }
    Ok(kept)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Returns a timestamped file name beside the database.
fn kept_name(database: &Path) -> PathBuf {
    let time = Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ");
    database.with_file_name(format!("before-restore-{time}.sqlite3"))
}

/// Refuses a backup to one of the database's own files.
fn refuse_own_files(database: &Path, file: &Path) -> Result<(), BackupError> {
    let folder = folder_of(file);
    let folder = folder.canonicalize().map_err(|error| BackupError::File { path: folder.to_owned(), error })?;
    let own = database.canonicalize().map_err(|error| BackupError::File { path: database.to_owned(), error })?;
    let whole = file.file_name().map(|name| folder.join(name));
    if whole.is_none_or(|whole| SUFFIXES.iter().any(|suffix| with_suffix(&own, suffix) == whole)) {
        return Err(BackupError::OwnFile(file.to_owned()));
    }
    Ok(())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens a read-only connection to a database of a format this program knows. Creates nothing.
fn open_source(file: &Path) -> Result<Connection, BackupError> {
    let failed = |error| BackupError::File { path: file.to_owned(), error };
    // Checked before opening: opening a pipe blocks until it has a writer.
    if !fs::metadata(file).map_err(failed)?.is_file() {
        return Err(failed(std::io::Error::other("it is not a regular file")));
    }
    fs::File::open(file).map_err(failed)?;
    let opened = || {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(WAIT)?;
        let known = migrations::known(&connection)?;
        Ok::<_, rusqlite::Error>((migrations::version(&connection)?, known, connection))
    };
    match opened() {
        Ok((1.., Ok(()), connection)) => Ok(connection),
        Ok((_, Err(SchemaMismatch::Newer(found)), _)) => {
            let place = file.display().to_string();
            Err(OpenError::Newer { place, found, known: migrations::newest() }.into())
        }
        Ok((_, Ok(()) | Err(SchemaMismatch::Foreign), _)) => Err(BackupError::NoBackup(file.to_owned())),
        Err(error) => Err(unreadable(file, error)),
    }
}

fn unreadable(file: &Path, error: rusqlite::Error) -> BackupError {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseBusy) => OpenError::Locked(file.display().to_string()).into(),
        Some(NotADatabase) => BackupError::NoBackup(file.to_owned()),
        Some(DatabaseCorrupt) => BackupError::Damaged { path: file.to_owned(), found: error.to_string() },
        Some(_) | None => BackupError::Copy { path: file.to_owned(), error: error.into() },
    }
}

/// Runs one of SQLite's integrity checks, which returns `ok` or the first finding.
fn check(connection: &Connection, file: &Path, pragma: &str) -> Result<(), BackupError> {
    let found: String = connection.query_row(pragma, [], |row| row.get(0)).map_err(|error| unreadable(file, error))?;
    if found == "ok" { Ok(()) } else { Err(BackupError::Damaged { path: file.to_owned(), found }) }
}

/// Writes a verified copy of the database at `from` to the folder `scratch`, then moves it to `file`.
fn write_copy(
    source: &Connection,
    from: &Path,
    (file, scratch): (&Path, &Path),
    replace: bool,
) -> Result<CopyCounts, BackupError> {
    let failed = |error| BackupError::File { path: file.to_owned(), error };
    // Temporary files are readable only by their owner.
    let unfinished = NamedTempFile::new_in(scratch).map_err(failed)?;
    // The copy has the damage of its source.
    let uncopied = |error| match unreadable(from, error) {
        BackupError::Copy { error, .. } => BackupError::Copy { path: file.to_owned(), error },
        damaged => damaged,
    };
    let counts = fill(source, &unfinished).map_err(uncopied)?;
    {
        let copied = Connection::open(unfinished.path()).map_err(uncopied)?;
        check(&copied, from, "PRAGMA quick_check(1)")?;
    }
    unfinished.as_file().sync_all().map_err(failed)?;
    let named = if replace { unfinished.persist(file) } else { unfinished.persist_noclobber(file) };
    named.map_err(|PersistError { error, .. }| match error.kind() {
        std::io::ErrorKind::AlreadyExists => BackupError::Exists(file.to_owned()),
        _ => failed(error),
    })?;
    Ok(counts)
}

/// Copies into a new file without a write-ahead log.
fn fill(source: &Connection, unfinished: &NamedTempFile) -> rusqlite::Result<CopyCounts> {
    let mut target = Connection::open(unfinished.path())?;
    copy(source, &mut target)?;
    target.pragma_update(None, "journal_mode", "DELETE")?;
    counts(&target)
}

/// Copies all pages in one step: a write between two steps would restart the copy.
fn copy(source: &Connection, target: &mut Connection) -> rusqlite::Result<()> {
    target.busy_timeout(WAIT)?;
    let copy = Backup::new(source, target)?;
    match copy.step(-1)? {
        StepResult::Done => Ok(()),
        // Another process locked one of the two for as long as `WAIT`.
        _ => Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None)),
    }
}

fn counts(connection: &Connection) -> rusqlite::Result<CopyCounts> {
    let sql = "SELECT (SELECT count(*) FROM reports), (SELECT count(*) FROM projects), \
               (SELECT count(*) FROM history), (SELECT count(*) FROM keys)";
    connection.query_one(sql, [], |row| {
        Ok(CopyCounts { reports: row.get(0)?, projects: row.get(1)?, former: row.get(2)?, keys: row.get(3)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_another_process_locks_is_not_a_matter_of_permissions() {
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        let error = unreadable(Path::new("reports.sqlite3"), rusqlite::Error::SqliteFailure(busy, None)).to_string();
        assert!(
            error.contains("reports.sqlite3 is locked by another process") && error.contains("Try again"),
            "{error}"
        );
        assert!(!error.contains("permissions"), "{error}");
    }
}
