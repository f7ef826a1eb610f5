//! Disk space reserved for deletions and for revoking keys: SQLite first writes them into its log, so on a full disk
//! nothing could be deleted to free space.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::private_files::open_private;

/// The file's name in the data directory.
const FILE: &str = "reserve";
/// Several times what deleting one report adds to the log.
const BYTES: usize = 1024 * 1024;

/// The reserve file of a data directory.
pub struct DiskReserve(PathBuf);

impl DiskReserve {
    /// Returns the reserve of a data directory, whether or not the file exists.
    pub fn of(data: &Path) -> Self {
        Self(data.join(FILE))
    }

    /// Creates the file if it is missing and the disk has room. Blocks.
    pub fn allocate(&self) {
        let is_there = std::fs::metadata(&self.0).is_ok_and(|file| file.len() >= BYTES as u64);
        if !is_there && open_private(&self.0).and_then(|mut file| file.write_all(&vec![0; BYTES])).is_err() {
            // A partial reserve would only fill the disk.
            self.release();
        }
    }

    /// Deletes the file; false if it did not exist. Blocks.
    pub fn release(&self) -> bool {
        std::fs::remove_file(&self.0).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_is_created_once_and_released_once() {
        let data = tempfile::tempdir().unwrap();
        let length = || std::fs::metadata(data.path().join(FILE)).map(|file| file.len()).ok();
        let reserve = DiskReserve::of(data.path());
        reserve.allocate();
        assert_eq!(length(), Some(BYTES as u64));
        reserve.allocate();
        assert!(reserve.release() && !reserve.release());
        assert_eq!(length(), None);
    }
}
