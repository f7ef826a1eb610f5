//! Maps SQLite errors to store errors.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DatabaseCorrupt, NotADatabase, PermissionDenied, ReadOnly};

use super::disk_full;
use crate::service::store::error::{EngineError, OpenError, StoreError};

/// The database's file name in the data directory.
const DATABASE: &str = "reports.sqlite3";

/// Maps an error that occurred while opening this file.
pub fn open_error(path: PathBuf, error: rusqlite::Error) -> OpenError {
    if error.sqlite_error_code() == Some(DatabaseBusy) {
        return OpenError::Locked(path.display().to_string());
    }
    let data = path.parent().unwrap_or(Path::new("."));
    if matches!(error.sqlite_error_code(), Some(ReadOnly | CannotOpen | PermissionDenied)) {
        return OpenError::Directory { path: data.to_owned(), error: error.into() };
    }
    let is_full = disk_full::is_full(&error, data);
    let error = text(&error).into();
    if is_full { OpenError::Full { path, error } } else { OpenError::Database { path, error } }
}

/// Maps an error of the database in this directory.
pub fn store_error(error: &rusqlite::Error, data: &Path) -> StoreError {
    let named = || EngineError::from(format!("{}: {}", database_path(data).display(), text(error)));
    match error.sqlite_error_code() {
        Some(DatabaseBusy) => StoreError::Busy,
        Some(DatabaseCorrupt | NotADatabase) => StoreError::Damaged(named()),
        Some(_) | None if disk_full::is_full(error, data) => StoreError::Full(named()),
        // A file beside the database may be read-only though the database is not.
        Some(ReadOnly) => {
            StoreError::Database(format!("{}. Make it and its files writable for this user", named()).into())
        }
        Some(_) | None => StoreError::Database(named()),
    }
}

/// Returns the message of an error without the SQL, which can be a whole migration.
fn text(error: &rusqlite::Error) -> String {
    if let rusqlite::Error::SqlInputError { msg, .. } = error { msg.clone() } else { error.to_string() }
}

/// Returns the path of a data directory's database.
pub fn database_path(data: &Path) -> PathBuf {
    data.join(DATABASE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi::{
        Error, SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_FULL, SQLITE_NOTADB, SQLITE_READONLY,
    };

    #[test]
    fn a_full_disk_a_damaged_file_and_a_lock_differ_from_other_errors() {
        let folder = tempfile::tempdir().unwrap();
        let meaning = |code| store_error(&rusqlite::Error::SqliteFailure(Error::new(code), None), folder.path());
        assert!(matches!(meaning(SQLITE_FULL), StoreError::Full(_)));
        assert!(matches!(meaning(SQLITE_CORRUPT), StoreError::Damaged(_)));
        assert!(matches!(meaning(SQLITE_NOTADB), StoreError::Damaged(_)));
        assert!(matches!(meaning(SQLITE_BUSY), StoreError::Busy));
        assert!(meaning(SQLITE_BUSY).to_string().contains("Try again"));
        assert!(matches!(meaning(SQLITE_ERROR), StoreError::Database(_)));
        let locked = rusqlite::Error::SqliteFailure(Error::new(SQLITE_BUSY), None);
        assert!(matches!(open_error(folder.path().join("reports.sqlite3"), locked), OpenError::Locked(_)));
    }

    #[test]
    fn the_message_of_an_invalid_statement_does_not_repeat_the_statement() {
        let invalid = || rusqlite::Connection::open_in_memory().unwrap().prepare("SELECT a FROM nowhere").unwrap_err();
        let opening = open_error("/srv/reports/reports.sqlite3".into(), invalid()).to_string();
        assert!(opening.contains("reports.sqlite3: no such table: nowhere. Restore it"), "{opening}");
        let used = store_error(&invalid(), Path::new("/srv/reports")).to_string();
        assert_eq!(used, "the database: /srv/reports/reports.sqlite3: no such table: nowhere");
    }

    #[test]
    fn a_read_only_data_directory_is_not_called_a_damaged_database() {
        let read_only = rusqlite::Error::SqliteFailure(Error::new(SQLITE_READONLY), None);
        let error = open_error("/srv/reports/reports.sqlite3".into(), read_only).to_string();
        assert!(error.starts_with("cannot use the data directory /srv/reports:"), "{error}");
        assert!(error.contains("Make it and its files writable") && !error.contains("backup"), "{error}");
        let read_only = rusqlite::Error::SqliteFailure(Error::new(SQLITE_READONLY), None);
        let error = store_error(&read_only, Path::new("/srv/reports")).to_string();
        assert!(error.starts_with("the database: /srv/reports/reports.sqlite3: "), "{error}");
        assert!(error.ends_with("Make it and its files writable for this user"), "{error}");
    }
}
