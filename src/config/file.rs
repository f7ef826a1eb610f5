//! Loading the configuration file. The program never writes it.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::environment::{CONFIG, Environment};
use super::error::{ConfigError, SourcePosition};
use super::model::{ConfigFile, ExaminedFile};
use super::parse;
use super::regular_file;

/// The name of the file in the configuration directory.
const FILE: &str = "config.toml";

/// The most bytes of a configuration; anything larger is not one.
const MOST_BYTES: u64 = 1024 * 1024;

impl ConfigFile {
    /// Loads the file named by the environment, or the one in the configuration directory if it exists. Fails with its
    /// first error.
    pub fn load(environment: &Environment) -> Result<Self, ConfigError> {
        let ExaminedFile { file, errors, .. } = Self::examine(environment)?;
        errors.into_iter().next().map_or(Ok(file), Err)
    }

    /// Returns the path of the file, whether or not it exists; `None` without a home directory.
    pub fn path_of(environment: &Environment) -> Option<PathBuf> {
        let usual = || environment.directories().map(|directories| directories.config.join(FILE));
        environment.path(CONFIG).or_else(usual)
    }

    /// Parses the file and collects all errors. Fails only if the file cannot be read.
    pub fn examine(environment: &Environment) -> Result<ExaminedFile, ConfigError> {
        let Some(path) = Self::path_of(environment) else { return Ok(ExaminedFile::default()) };
        match regular_file::read_text(&path, MOST_BYTES) {
            Ok(text) => Ok(parse::examine(&path, &text)),
            // The file is optional unless it was named.
            Err(error) if error.kind() == ErrorKind::NotFound && environment.path(CONFIG).is_none() => {
                Ok(ExaminedFile { file: Self { path: Some(path), ..Self::default() }, ..ExaminedFile::default() })
            }
            Err(error) => {
                let message = format!("the configuration cannot be read: {error}");
                let advice = "Make it readable, or set REPORTDECK_CONFIG to another file";
                Err(ConfigError::new(message, advice).at(SourcePosition { file: path, line: None }))
            }
        }
    }
}
