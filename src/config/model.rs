//! The configuration file as plain data: profiles, look, keys, and the options of `serve`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;

use ipnet::IpNet;
use secrecy::SecretString;
use url::Url;

use super::error::{ConfigError, SourcePosition};
use crate::domain::look::{Accent, LookOptions, Preset};

/// The name of the embedded service in place of a profile.
pub const EMBEDDED: &str = "embedded";

/// A value and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// The line, from 1.
    pub line: usize,
}

impl<T> Located<T> {
    /// Maps the value, keeping the line.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: of(self.value), line: self.line }
    }
}

/// Where a profile's key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// `api_key_env`: the name of a variable.
    Variable(String),
    /// `api_key_file`: a file readable only by its owner.
    File(String),
    /// `api_key_command`: a program and its arguments, whose first line of output is the key.
    Command(Vec<String>),
    /// `api_key_keyring`: what `login` stored in the system's keyring, and nowhere else.
    Keyring,
}

impl KeySource {
    /// Returns the name of the source's field.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Variable(_) => "api_key_env",
            Self::File(_) => "api_key_file",
            Self::Command(_) => "api_key_command",
            Self::Keyring => "api_key_keyring",
        }
    }
}

/// The source of the database URL of `serve`.
#[derive(Debug, Clone)]
pub enum DatabaseSource {
    /// `database`: the URL itself.
    Url(SecretString),
    /// `database_command`: a program and its arguments, whose first line of output is the URL.
    Command(Vec<String>),
}

impl DatabaseSource {
    /// Returns the name of the source's field.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Url(_) => "database",
            Self::Command(_) => "database_command",
        }
    }
}

/// `[triage]`: settings of the list and of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriageChoice {
    /// Days without an audit after which a report counts as untested.
    pub untested_days: u16,
    /// How many hours a claim of a report on a desk lasts.
    pub claim_hours: u16,
    /// How many minutes after it was read the list is read again; 0 means never.
    pub refresh_minutes: u16,
}

impl Default for TriageChoice {
    fn default() -> Self {
        Self { untested_days: 30, claim_hours: 8, refresh_minutes: 5 }
    }
}

/// One `[profiles.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileConfig {
    /// The line of its header.
    pub line: usize,
    /// The service.
    pub base_url: Option<Located<String>>,
    /// All named key sources. Valid are one, or none for a key stored by `login`.
    pub keys: Vec<Located<KeySource>>,
    /// Whether writes are refused.
    pub read_only: bool,
    /// Whether plain http is accepted beyond loopback.
    pub allow_insecure: bool,
    /// The colour of the header.
    pub accent: Option<Accent>,
    /// The desk on which a team triages its reports, if not the service itself.
    pub desk: Option<Located<String>>,
    /// All named sources of the desk's key. Valid are one, or none for a key stored by `login --desk`.
    pub desk_keys: Vec<Located<KeySource>>,
    /// Whether this person's presence is hidden from others on the desk.
    pub hides_presence: bool,
}

/// The content of the configuration file.
#[derive(Debug, Clone, Default)]
pub struct ConfigFile {
    /// The file's path, whether or not it exists; `None` without a home directory.
    pub path: Option<PathBuf>,
    /// Whether the file exists.
    pub exists: bool,
    /// The profile used by default.
    pub default_profile: Option<Located<String>>,
    /// The profiles by name.
    pub profiles: BTreeMap<String, ProfileConfig>,
    /// How the dashboard looks.
    pub look: LookOptions,
    /// The key settings as written.
    pub keys: KeySettings,
    /// Settings of the list and of claims.
    pub triage: TriageChoice,
    /// The address that `serve` listens on.
    pub listen: Option<SocketAddr>,
    /// The data directory of the embedded service and of `serve`, as written.
    pub data: Option<Located<String>>,
    /// All named sources of the database URL of `serve`. Valid are one, or none for the data directory.
    pub databases: Vec<Located<DatabaseSource>>,
    /// Hosts and ranges that `serve` may audit although they are not public.
    pub audit_allow: Vec<Located<String>>,
    /// The most requests per key and minute; 0 for no limit.
    pub requests_per_minute: Option<u32>,
    /// How many days `serve` keeps the log of its desk; 0 keeps it forever.
    pub desk_keep_days: Option<u32>,
    /// The public address of `serve`, behind a reverse proxy.
    pub public_url: Option<Url>,
    /// The reverse proxies in front of `serve` whose forwarded headers are trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// The lines of options, by names such as `look.theme` and `profiles.work.accent`.
    pub lines: BTreeMap<String, usize>,
    /// Mistakes that are not errors, without advice.
    pub warnings: Vec<ConfigError>,
}

/// A file with all its errors.
#[derive(Debug, Default)]
pub struct ExaminedFile {
    /// The parts that could be parsed.
    pub file: ConfigFile,
    /// The errors, in line order.
    pub errors: Vec<ConfigError>,
    /// The profiles with errors.
    pub broken_profiles: BTreeSet<String>,
}

impl ConfigFile {
    /// Returns a line of this file as a position.
    pub fn place(&self, line: usize) -> SourcePosition {
        SourcePosition { file: self.path.clone().unwrap_or_default(), line: Some(line) }
    }

    /// Returns the position of an option, by a name such as `look.theme`, if the file sets it.
    pub fn place_of(&self, option: &str) -> Option<SourcePosition> {
        self.lines.get(option).map(|line| self.place(*line))
    }
}

/// The content of `[keys]`, not yet resolved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySettings {
    /// The preset to start with.
    pub preset: Option<Preset>,
    /// Changes to the preset.
    pub actions: Vec<KeySetting>,
}

/// One line of `[keys.actions]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySetting {
    /// The action's name.
    pub action: Located<String>,
    /// The keys; none disables the action.
    pub keys: Vec<Located<String>>,
}
