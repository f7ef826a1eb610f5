//! Resolves the database of `serve`, if one is configured. Its URL is a secret.

use std::path::Path;

use secrecy::{ExposeSecret as _, SecretString};

use super::database_url::{EXAMPLE, has_password, is_postgres_url};
use crate::config::child_process::KeyVariables;
use crate::config::command::{self, SecretCommand};
use crate::config::environment::{DATABASE_URL, Environment};
use crate::config::error::{ConfigError, SourcePosition};
use crate::config::key::with_home;
use crate::config::model::{ConfigFile, DatabaseSource, Located};
use crate::config::regular_file;

const DATABASE_COMMAND: SecretCommand = SecretCommand { field: "database_command", secret: "database URL" };

/// A database.
#[derive(Debug)]
pub struct ChosenDatabase {
    /// The database URL.
    pub url: SecretString,
    /// The line of the file that names it; `None` if the variable does.
    pub place: Option<SourcePosition>,
}

/// Returns the database of `REPORTDECK_DATABASE_URL`, or else of `[serve] database` or `database_command`, which is
/// run; `None` if none is configured.
///
/// Fails if the file names two, if the value is not a postgres URL, or if the URL contains a password and the file is
/// readable by everybody.
pub fn choose(file: &ConfigFile, environment: &Environment) -> Result<Option<ChosenDatabase>, ConfigError> {
    if let Some(url) = environment.secret(DATABASE_URL) {
        return checked(url, DATABASE_URL).map(|url| Some(ChosenDatabase { url, place: None }));
    }
    let Some(Located { value: source, line }) = in_file(file)? else { return Ok(None) };
    let place = file.place(*line);
    let at_line = |error: ConfigError| error.at(place.clone());
    let url = match source {
        DatabaseSource::Url(url) => {
            refuse_if_all_may_read(url, file.path.as_deref()).map_err(at_line)?;
            url.clone()
        }
        DatabaseSource::Command(words) => {
            command::ask(DATABASE_COMMAND, &with_home(words, environment), &KeyVariables::of(file))
                .and_then(|url| checked(url, "what database_command printed"))
                .map_err(at_line)?
        }
    };
    Ok(Some(ChosenDatabase { url, place: Some(place) }))
}

/// Returns the only source named by the file.
pub fn in_file(file: &ConfigFile) -> Result<Option<&Located<DatabaseSource>>, ConfigError> {
    match file.databases.as_slice() {
        [] => Ok(None),
        [source] => Ok(Some(source)),
        [first, .., last] => {
            let advice = format!("Keep one of {} and {}", first.value.field(), last.value.field());
            let error = ConfigError::new("serve has two sources for its database", advice);
            Err(error.at(file.place(first.line.max(last.line))))
        }
    }
}

fn checked(url: SecretString, from: &str) -> Result<SecretString, ConfigError> {
    if is_postgres_url(url.expose_secret()) {
        return Ok(url);
    }
    Err(ConfigError::new(format!("{from} is not a postgres URL"), format!("Write it like {EXAMPLE}")))
}

fn refuse_if_all_may_read(url: &SecretString, path: Option<&Path>) -> Result<(), ConfigError> {
    let mode = path.and_then(|path| regular_file::mode_granting(0o007, path));
    if mode.is_some() && has_password(url.expose_secret()) {
        let message = "the password of the database is in a file that everyone on this machine can read";
        let advice = "chmod 640 the file, or use database_command or REPORTDECK_DATABASE_URL";
        return Err(ConfigError::new(message, advice));
    }
    Ok(())
}
