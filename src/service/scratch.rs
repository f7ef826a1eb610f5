//! Folders for unfinished copies and other data that is not kept.

use std::io;
use std::path::Path;

use tempfile::TempDir;

/// How often the deletion of a folder is tried. A try fails only if a file is created in it meanwhile; SQLite creates
/// three for a copy.
const TRIES: usize = 100;

/// A folder that is deleted when it is dropped, even if a thread that is not awaited still creates files in it.
#[derive(Debug)]
pub struct ScratchFolder(TempDir);

impl ScratchFolder {
    /// Creates one in the system's folder for temporary files.
    pub fn temporary() -> io::Result<Self> {
        tempfile::Builder::new().prefix("reportdeck-").tempdir().map(Self)
    }

    /// Creates a hidden one in `folder`, so that its files can be moved there.
    pub fn inside(folder: &Path) -> io::Result<Self> {
        tempfile::Builder::new().prefix(".reportdeck-").suffix(".unfinished").tempdir_in(folder).map(Self)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Deletes it, and returns why that failed.
    pub fn close(self) -> io::Result<()> {
        delete(self.path())
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = delete(self.path());
    }
}

fn delete(folder: &Path) -> io::Result<()> {
    for _ in 1..TRIES {
        match std::fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            ended => return ended,
        }
    }
    std::fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_deleted_while_a_thread_creates_files_in_it() {
        for close in [true, false].repeat(50) {
            let folder = ScratchFolder::temporary().unwrap();
            let path = folder.path().to_owned();
            let (started, first) = std::sync::mpsc::channel();
            let writer = std::thread::spawn({
                let path = path.clone();
                move || {
                    for number in 0..TRIES / 2 {
                        if std::fs::write(path.join(number.to_string()), "").is_err() {
                            return;
                        }
                        let _ = started.send(());
                    }
                }
            });
            first.recv().unwrap();
            if close {
                folder.close().unwrap();
            } else {
                drop(folder);
            }
            writer.join().unwrap();
            assert!(!path.exists(), "{close}");
        }
    }
}
