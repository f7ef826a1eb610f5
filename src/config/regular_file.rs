//! Reads whole files of a limited size, and who else may read them. Only regular files, since a pipe or device could
//! block the program.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Some editors write it at the beginning of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a text file of at most `most` bytes, without a byte order mark.
pub(super) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    // Checked before opening: opening a pipe blocks until it has a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is larger than {} KiB", most / 1024)));
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// Returns the mode of a file if it grants one of these permissions. Only Unix files have a mode.
#[cfg(unix)]
pub(crate) fn mode_granting(permissions: u32, path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(path).ok()?.permissions().mode() & 0o777;
    (mode & permissions != 0).then_some(mode)
}

#[cfg(not(unix))]
pub(crate) fn mode_granting(_: u32, _: &Path) -> Option<u32> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_sensible_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345678").unwrap();
        assert_eq!(read_text(&path, 8).unwrap(), "12345678");
        for (path, most, why) in [
            (path.as_path(), 7, "larger"),
            (Path::new("/dev/zero"), 8, "not a regular file"),
            (folder.path(), 8, "not a regular file"),
        ] {
            let error = read_text(path, most).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
