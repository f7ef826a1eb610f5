//! Room on the disk that is set aside for deletions: SQLite writes them into its log first, so that without any room
//! nothing could be deleted to get some.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::private_files::open_in;

/// The file's name in the data directory.
const FILE: &str = "reserve";
/// Several times what the deletion of one report takes of the log.
const BYTES: usize = 1024 * 1024;

/// The room that is set aside in one data directory.
pub struct DiskReserve(PathBuf);

impl DiskReserve {
    /// Sets room aside where that was not done yet. A disk that is too full for it has none. Blocks.
    pub fn set_aside(data: &Path) -> Self {
        let reserve = Self(data.join(FILE));
        let is_there = std::fs::metadata(&reserve.0).is_ok_and(|file| file.len() >= BYTES as u64);
        if !is_there && open_in(data, FILE).and_then(|mut file| file.write_all(&vec![0; BYTES])).is_err() {
            // Half a reserve would only make the disk fuller.
            reserve.release();
        }
        reserve
    }

    /// Gives the room back to the disk; false where there was none. Blocks.
    pub fn release(&self) -> bool {
        std::fs::remove_file(&self.0).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_set_aside_once_and_given_back_once() {
        let data = tempfile::tempdir().unwrap();
        let length = || std::fs::metadata(data.path().join(FILE)).map(|file| file.len()).ok();
        let reserve = DiskReserve::set_aside(data.path());
        assert_eq!(length(), Some(BYTES as u64));
        DiskReserve::set_aside(data.path());
        assert!(reserve.release() && !reserve.release());
        assert_eq!(length(), None);
    }
}
