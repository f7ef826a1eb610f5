//! The environment as a value, read once at program start. Tests create their own.
//!
//! Not `Debug`, because it contains keys.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use etcetera::BaseStrategy;
use secrecy::SecretString;

use super::error::ConfigError;
use crate::domain::look::terminal_env::TerminalEnv;

/// The name of our directory in each of the system's directories.
const DIRECTORY_NAME: &str = "reportdeck";
/// The base URL of a service.
pub const BASE_URL: &str = "REPORTDECK_BASE_URL";
/// The key for [`BASE_URL`] and for `--base-url`.
pub const API_KEY: &str = "REPORTDECK_API_KEY";
/// The name of a profile.
pub const PROFILE: &str = "REPORTDECK_PROFILE";
/// The data directory of the embedded service and of `serve`.
pub const DATA: &str = "REPORTDECK_DATA";
/// The URL of the database in which `serve` stores its reports. It may contain a password and is never shown.
pub const DATABASE_URL: &str = "REPORTDECK_DATABASE_URL";
/// Another configuration file.
pub const CONFIG: &str = "REPORTDECK_CONFIG";
/// The log filter of `serve`, for example `debug` or `warn,reportdeck=info`.
pub const LOG: &str = "REPORTDECK_LOG";
/// The shell whose completion script calls; set by that script only.
pub const COMPLETE: &str = "REPORTDECK_COMPLETE";
/// `off` disables the system's keyring, for example because it cannot be unlocked.
pub const KEYRING: &str = "REPORTDECK_KEYRING";
/// For tests: how many milliseconds a lost instance keeps its audits before another one takes them over.
pub const TEST_AUDIT_LEASE: &str = "REPORTDECK_TEST_AUDIT_LEASE";
/// If set to anything but the empty string, no colours are used.
pub const NO_COLOR: &str = "NO_COLOR";

/// This person's directories (XDG).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// The configuration.
    pub config: PathBuf,
    /// The data of the embedded service.
    pub data: PathBuf,
    /// The state of this machine, such as the journal.
    pub state: PathBuf,
    /// The home directory, for `~/` in paths.
    pub home: PathBuf,
}

/// The environment variables and directories.
#[derive(Clone)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    directories: Option<Directories>,
}

impl Environment {
    /// Reads the environment of this process; nothing else does.
    pub fn of_this_process() -> Self {
        // etcetera writes slashes on Windows too; collected components have the system's separator.
        let own = |directory: PathBuf| directory.join(DIRECTORY_NAME).components().collect();
        let directories = etcetera::base_strategy::Xdg::new().ok().map(|strategy| Directories {
            config: own(strategy.config_dir()),
            data: own(strategy.data_dir()),
            state: own(strategy.state_dir().unwrap_or_else(|| strategy.data_dir())),
            home: strategy.home_dir().to_owned(),
        });
        Self { variables: std::env::vars_os().collect(), directories }
    }

    /// Creates an environment from values.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>, directories: Option<Directories>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, directories }
    }

    /// Returns a variable's text. An empty or non-Unicode variable counts as absent.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.variable(name)?.to_str().filter(|text| !text.is_empty())
    }

    /// Fails if one of these variables is set to something that is not Unicode, which would otherwise count as absent.
    pub fn require_unicode(&self, names: &[&str]) -> Result<(), ConfigError> {
        let is_other = |name: &&&str| self.variable(name).is_some_and(|value| value.to_str().is_none());
        match names.iter().find(is_other) {
            None => Ok(()),
            Some(name) => Err(ConfigError::new(format!("{name} is not UTF-8 text"), "Correct or unset it")),
        }
    }

    /// Returns a variable, Unicode or not.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// Returns a variable's text as a secret.
    pub fn secret(&self, name: &str) -> Option<SecretString> {
        self.text(name).map(SecretString::from)
    }

    /// Returns a variable as a path. An empty one counts as absent.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name).filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    /// Returns this person's directories; `None` if there is no home directory.
    pub fn directories(&self) -> Option<&Directories> {
        self.directories.as_ref()
    }

    /// Returns the features of the terminal and desktop.
    pub fn terminal(&self) -> TerminalEnv {
        TerminalEnv::of(|name| self.text(name))
    }

    /// Whether colours are disabled by a non-empty `NO_COLOR`.
    pub fn without_colour(&self) -> bool {
        self.variable(NO_COLOR).is_some_and(|value| !value.is_empty())
    }
}
