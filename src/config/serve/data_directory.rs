//! Resolves the data directory of the embedded service and of `serve` if no option names one.

use std::path::PathBuf;

use crate::config::environment::{DATA, Environment};
use crate::config::key::expand;
use crate::config::model::ConfigFile;

/// A data directory and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDirectory {
    /// The directory.
    pub path: PathBuf,
    /// The variable, or the line of the file; `default` if neither names it.
    pub from: String,
}

/// Returns the directory of `REPORTDECK_DATA`, of `[serve] data`, or the default one; `None` without a home directory.
pub fn choose(file: &ConfigFile, environment: &Environment) -> Option<DataDirectory> {
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
