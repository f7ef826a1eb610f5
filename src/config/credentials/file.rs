//! Stored keys as private files: a directory with mode 0700, files with mode 0600, each replaced atomically.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use secrecy::zeroize::Zeroizing;
use url::form_urlencoded::byte_serialize;

use crate::config::environment::Environment;
use crate::config::error::ConfigError;
use crate::config::regular_file;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;

/// The directory inside the state directory.
const FOLDER: &str = "credentials";

/// The most bytes of a file, which contains a profile, an origin and a key.
const MOST_BYTES: u64 = 64 * 1024;

/// Returns the file of a profile, encoding its name as a valid file name.
pub(super) fn path(profile: &str, environment: &Environment) -> Option<PathBuf> {
    let name: String = byte_serialize(profile.as_bytes()).collect();
    Some(environment.directories()?.state.join(FOLDER).join(format!("{name}.json")))
}

/// Reads a file, if it exists.
pub(super) fn read(path: &Path) -> Result<Option<Zeroizing<String>>, ConfigError> {
    match regular_file::read_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigError::new(cannot("read", path, &error), "Check the permissions of its directory")),
    }
}

/// Writes a new file and replaces the old one with it.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        make(folder)?;
        // Readable only by its owner from the beginning.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    written().map_err(|error| failed("written", path, &error))
}

/// Removes a file; false if there was none.
pub(super) fn remove(path: &Path) -> Result<bool, Failure> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("removed", path, &error)),
    }
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    let advice = "Check the permissions of its directory, or free some space";
    Failure::new(FailureKind::Local, cannot(what, path, error), advice)
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> String {
    format!("the stored key {} cannot be {what}: {error}", clean(&path.to_string_lossy()))
}

#[cfg(unix)]
fn make(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // It may have existed with wider permissions.
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn make(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Returns a note if others may read a file.
pub(super) fn others_may_read(path: &Path) -> Option<String> {
    let (mode, shown) = (regular_file::mode_granting(0o077, path)?, path.display());
    Some(format!("the stored key {shown} can be read by others (mode {mode:03o}): chmod 600 {shown}"))
}
