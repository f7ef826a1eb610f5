//! Files and directories readable only by their owner, because the journal names the pages a person works on.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a directory and its parents if missing. An existing one keeps its permissions.
pub(super) fn make_directory(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates a file if missing, and removes the permissions of other users. `SQLite` gives its log files the same
/// permissions.
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

/// On other systems an account's folders are private by default.
#[cfg(not(unix))]
fn keep_to_owner(_: &File) -> io::Result<()> {
    Ok(())
}
