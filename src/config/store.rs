//! Resolves where the store of `serve` lives if no option says so: a data directory (SQLite) or a PostgreSQL URL, which is
//! a secret.

use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};

use super::child_process::KeyVariables;
use super::command;
use super::environment::{DATA, DATABASE_URL, Environment};
use super::error::{ConfigError, SourcePosition};
use super::key::{expand, with_home};
use super::model::{ConfigFile, DatabaseSource, Located};
use super::regular_file;

/// An example of a database URL, for messages.
pub const DATABASE_EXAMPLE: &str = "postgres://reportdeck@db.example/reportdeck?sslmode=require";

/// A data directory and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDirectory {
    /// The directory.
    pub path: PathBuf,
    /// The variable, or the line of the file; `default` if neither names it.
    pub from: String,
}

/// Returns the directory of `REPORTDECK_DATA`, of `[serve] data`, or the default one; `None` without a home directory.
pub fn data_directory(file: &ConfigFile, environment: &Environment) -> Option<DataDirectory> {
    if let Some(path) = environment.path(DATA) {
        return Some(DataDirectory { path, from: DATA.to_owned() });
    }
    if let Some(named) = &file.data {
        let path = expand(&named.value, file, environment);
        return Some(DataDirectory { path, from: file.place(named.line).to_string() });
    }
    let usual = environment.directories()?.data.clone();
    Some(DataDirectory { path: usual, from: "default".to_owned() })
}

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
/// Fails if the file names two, if the value is not text or not a postgres URL, or if the URL contains a password and
/// the file is readable by everybody.
pub fn database(file: &ConfigFile, environment: &Environment) -> Result<Option<ChosenDatabase>, ConfigError> {
    environment.require_unicode(&[DATABASE_URL])?;
    if let Some(url) = environment.secret(DATABASE_URL) {
        return checked(url, DATABASE_URL).map(|url| Some(ChosenDatabase { url, place: None }));
    }
    let Some(Located { value: source, line }) = database_in_file(file)? else { return Ok(None) };
    let place = file.place(*line);
    let at_line = |error: ConfigError| error.at(place.clone());
    let url = match source {
        DatabaseSource::Url(url) => {
            refuse_if_all_may_read(url, file.path.as_deref()).map_err(at_line)?;
            url.clone()
        }
        DatabaseSource::Command(words) => {
            let words = with_home(words, environment);
            command::ask("database_command", "database URL", &words, &KeyVariables::of(file))
                .and_then(|url| checked(url, "what database_command printed"))
                .map_err(at_line)?
        }
    };
    Ok(Some(ChosenDatabase { url, place: Some(place) }))
}

/// Returns the only source named by the file.
fn database_in_file(file: &ConfigFile) -> Result<Option<&Located<DatabaseSource>>, ConfigError> {
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
    Err(ConfigError::new(format!("{from} is not a postgres URL"), format!("Write it like {DATABASE_EXAMPLE}")))
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

/// Whether a text has the form of a PostgreSQL URL.
pub fn is_postgres_url(text: &str) -> bool {
    let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// Whether a URL contains a password, after the user's name or as a parameter.
pub fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    place.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
        || parameters.split('&').any(|parameter| parameter.starts_with("password="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_url_is_known_by_its_scheme() {
        for url in [DATABASE_EXAMPLE, "postgresql://%2Frun%2Fpostgresql/reports"] {
            assert!(is_postgres_url(url), "{url}");
        }
        for url in ["", "postgres://", "mysql://a/b", "host=db.example", "postgres://a b/c"] {
            assert!(!is_postgres_url(url), "{url}");
        }
    }

    #[test]
    fn a_password_is_found_wherever_it_may_stand() {
        for url in ["postgres://a:b@c/d", "postgres://a:b@c@d/e", "postgres://c/d?user=a&password=b"] {
            assert!(has_password(url), "{url}");
        }
        for url in [DATABASE_EXAMPLE, "postgres://a@c:5432/d", "postgres://c:5432/d"] {
            assert!(!has_password(url), "{url}");
        }
    }
}
