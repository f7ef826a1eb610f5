//! Files of the data directory, readable only by their owner.

use std::fs::{self, File, OpenOptions};
use std::path::Path;

#[cfg(unix)]
fn make_directory(data: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(data)
}

#[cfg(not(unix))]
fn make_directory(data: &Path) -> std::io::Result<()> {
    fs::create_dir_all(data)
}

/// Opens a file of the data directory, creating both if missing.
pub fn open_in(data: &Path, name: &str) -> std::io::Result<File> {
    make_directory(data)?;
    open_private(&data.join(name))
}

/// Opens a file readable only by its owner, creating it if missing.
pub fn open_private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
