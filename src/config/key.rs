//! Fetching a profile's key from where the profile says it is.
//!
//! Must not show a key, nor guess another source when the named one fails.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::environment::Environment;
use super::file::{ConfigFile, KeySource, Placed};
use super::trouble::ConfigError;
use crate::domain::text::clean;

/// Fetches the key; every failure names the line of the source.
pub(super) fn fetch(
    source: &Placed<KeySource>,
    file: &ConfigFile,
    environment: &Environment,
) -> Result<SecretString, ConfigError> {
    let fetched = match &source.value {
        KeySource::Variable(name) => environment.secret(name).ok_or_else(|| {
            let message = format!("api_key_env names the variable {}, which is not set", clean(name));
            ConfigError::new(message, "Set it to the API key")
        }),
        KeySource::File(name) => read(&expand(name, file, environment)),
    };
    fetched.map_err(|error| error.at(file.place(source.line)))
}

/// `~/` is the person's home; other relative paths begin where the configuration file is.
fn expand(name: &str, file: &ConfigFile, environment: &Environment) -> PathBuf {
    let home = environment.directories().map(|directories| &directories.home);
    if let (Some(rest), Some(home)) = (name.strip_prefix("~/"), home) {
        return home.join(rest);
    }
    let folder = file.path.as_deref().and_then(Path::parent).unwrap_or_else(|| Path::new(""));
    folder.join(name)
}

fn read(path: &Path) -> Result<SecretString, ConfigError> {
    let shown = clean(&path.to_string_lossy()).into_owned();
    let unreadable = |why: &str| {
        let message = format!("the key file {shown} cannot be read: {why}");
        ConfigError::new(message, "Write the API key into it, readable for you only (chmod 600)")
    };
    refuse_if_others_may_read(path, &shown, &unreadable)?;
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error.to_string()))?;
    match text.trim() {
        "" => Err(unreadable("it is empty")),
        key => Ok(SecretString::from(key)),
    }
}

#[cfg(unix)]
fn refuse_if_others_may_read(
    path: &Path,
    shown: &str,
    unreadable: &dyn Fn(&str) -> ConfigError,
) -> Result<(), ConfigError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(path).map_err(|error| unreadable(&error.to_string()))?.permissions().mode();
    let of_others = mode & 0o077;
    if of_others == 0 {
        return Ok(());
    }
    let message = format!("the key file {shown} can be read by others (mode {:03o})", mode & 0o777);
    Err(ConfigError::new(message, format!("chmod 600 {shown}")))
}

#[cfg(not(unix))]
fn refuse_if_others_may_read(_: &Path, _: &str, _: &dyn Fn(&str) -> ConfigError) -> Result<(), ConfigError> {
    Ok(())
}
