//! Detects a full disk. SQLite reports one as such, but an exhausted quota only as a failed write.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use rusqlite::ErrorCode::{CannotOpen, DiskFull, SystemIoFailure};
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;

/// The size of the test write, in bytes: more than the unused rest of a file's last block.
const TEST_WRITE_BYTES: usize = 16 * 1024;

/// Whether SQLite failed for lack of space. If its error is ambiguous, a test write decides.
pub fn is_full(error: &rusqlite::Error, data: &Path) -> bool {
    // The log's index (`-shm`) has its own error code.
    if error.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_IOERR_SHMSIZE) {
        return true;
    }
    match error.sqlite_error_code() {
        Some(DiskFull) => true,
        // The log or its index cannot be created or extended, or a write failed.
        Some(SystemIoFailure | CannotOpen) => is_refused(write_a_little(data)),
        Some(_) | None => false,
    }
}

/// Writes to an anonymous temporary file.
fn write_a_little(data: &Path) -> std::io::Result<()> {
    let mut file = tempfile::tempfile_in(data)?;
    file.write_all(&[0; TEST_WRITE_BYTES])?;
    file.sync_all()
}

fn is_refused(written: std::io::Result<()>) -> bool {
    written.is_err_and(|error| matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::ffi::{self, SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_FULL, SQLITE_IOERR_WRITE};

    #[test]
    fn an_exhausted_quota_is_a_full_disk_and_other_errors_are_not() {
        for (kind, expected) in [
            (ErrorKind::StorageFull, true),
            (ErrorKind::QuotaExceeded, true),
            (ErrorKind::PermissionDenied, false),
            (ErrorKind::ReadOnlyFilesystem, false),
        ] {
            assert_eq!(is_refused(Err(kind.into())), expected, "{kind}");
        }
        let folder = tempfile::tempdir().unwrap();
        for code in [SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_FULL, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE] {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            // The disk has space here, so only SQLite's unambiguous codes count.
            let expected = [SQLITE_FULL, SQLITE_IOERR_SHMSIZE].contains(&code);
            assert_eq!(is_full(&error, folder.path()), expected, "{error}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    }
}
