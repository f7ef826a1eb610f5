//! Files that only their owner may read: what is remembered names pages that are nobody else's business.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a directory, and those above it, where they are missing. One that is there keeps its rights.
pub(super) fn make_directory(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a file where it is missing, or takes everybody else's rights from it: `SQLite` gives the files beside it the
/// same.
pub(super) fn make_file(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(file)?;
    keep_to_owner(&file)
}

#[cfg(unix)]
fn keep_to_owner(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = file.metadata()?.permissions();
    let kept = permissions.mode() & !0o077;
    if kept == permissions.mode() {
        return Ok(());
    }
    permissions.set_mode(kept);
    file.set_permissions(permissions)
}

/// Elsewhere the folders of an account are its own.
#[cfg(not(unix))]
fn keep_to_owner(_: &File) -> io::Result<()> {
    Ok(())
}
