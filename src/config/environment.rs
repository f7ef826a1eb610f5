//! The environment as a value, read once when the program starts. Tests make their own.
//!
//! Holds keys: has no Debug.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use etcetera::BaseStrategy;
use secrecy::SecretString;

/// The name of our directory in each of the system's directories.
const OURS: &str = "reportdeck";
/// A service's base URL.
pub const BASE_URL: &str = "REPORTDECK_BASE_URL";
/// The key for [`BASE_URL`] and for `--base-url`.
pub const API_KEY: &str = "REPORTDECK_API_KEY";
/// The name of a profile.
pub const PROFILE: &str = "REPORTDECK_PROFILE";
/// The data directory of the embedded service and of `serve`.
pub const DATA: &str = "REPORTDECK_DATA";
/// The URL of the database in which `serve` keeps its reports. It holds a password: never shown.
pub const DATABASE_URL: &str = "REPORTDECK_DATABASE_URL";
/// Another configuration file.
pub const CONFIG: &str = "REPORTDECK_CONFIG";
/// Which log lines `serve` writes, for example `debug` or `warn,reportdeck=info`.
pub const LOG: &str = "REPORTDECK_LOG";
/// `off` if the system's keyring must not be used, for example because it cannot be unlocked.
pub const KEYRING: &str = "REPORTDECK_KEYRING";
/// Set to anything: no colours.
pub const NO_COLOR: &str = "NO_COLOR";

/// Where this person's files belong (XDG).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// What the person writes.
    pub config: PathBuf,
    /// What the embedded service keeps.
    pub data: PathBuf,
    /// What this machine remembers.
    pub state: PathBuf,
    /// The person's home, for `~/` in paths.
    pub home: PathBuf,
}

/// Variables and directories.
#[derive(Clone)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    directories: Option<Directories>,
}

impl Environment {
    /// The environment of this process. The only place that reads it.
    pub fn of_this_process() -> Self {
        let directories = etcetera::base_strategy::Xdg::new().ok().map(|strategy| Directories {
            config: strategy.config_dir().join(OURS),
            data: strategy.data_dir().join(OURS),
            state: strategy.state_dir().unwrap_or_else(|| strategy.data_dir()).join(OURS),
            home: strategy.home_dir().to_owned(),
        });
        Self { variables: std::env::vars_os().collect(), directories }
    }

    /// An environment made of values.
    pub fn of<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>, directories: Option<Directories>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, directories }
    }

    /// A variable's text. An empty one counts as absent, as does one that is no Unicode.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.variables.get(OsStr::new(name))?.to_str().filter(|text| !text.is_empty())
    }

    /// A variable, Unicode or not.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// A variable's text as a secret.
    pub fn secret(&self, name: &str) -> Option<SecretString> {
        self.text(name).map(SecretString::from)
    }

    /// The configuration file that the environment names.
    pub fn named_config(&self) -> Option<PathBuf> {
        self.path(CONFIG)
    }

    /// A variable as a path. An empty one counts as absent.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.variables.get(OsStr::new(name)).filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    /// Where this person's files belong; `None` where the system names no home.
    pub fn directories(&self) -> Option<&Directories> {
        self.directories.as_ref()
    }

    /// Whether colours are unwanted (`NO_COLOR`, set to anything but nothing).
    pub fn without_colour(&self) -> bool {
        self.variables.get(OsStr::new(NO_COLOR)).is_some_and(|value| !value.is_empty())
    }
}
