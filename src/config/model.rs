//! The configuration file as plain data: profiles, looks, keys, and the options of `serve`.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;

use ipnet::IpNet;
use secrecy::SecretString;
use url::Url;

use super::error::{ConfigError, SourcePosition, Warning};
use super::look::TriageChoice;
use crate::domain::look::key_preset::Preset;
use crate::domain::look::{Accent, LookOptions};

/// The embedded service, where a profile may be named.
pub const EMBEDDED: &str = "embedded";

/// A value and the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its line, from 1.
    pub line: usize,
}

impl<T> Located<T> {
    /// Another value on the same line.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: of(self.value), line: self.line }
    }
}

/// Where a profile's key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// `api_key_env`: the name of a variable.
    Variable(String),
    /// `api_key_file`: a file that only its owner may read.
    File(String),
    /// `api_key_command`: a program and its arguments; the first line that it prints is the key.
    Command(Vec<String>),
    /// `api_key_keyring`: what `login` stored in the system's keyring, and nowhere else.
    Keyring,
}

impl KeySource {
    /// The name of its field.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Variable(_) => "api_key_env",
            Self::File(_) => "api_key_file",
            Self::Command(_) => "api_key_command",
            Self::Keyring => "api_key_keyring",
        }
    }
}

/// Where the URL of the database of `serve` comes from.
#[derive(Debug, Clone)]
pub enum DatabaseSource {
    /// `database`: the URL itself.
    Url(SecretString),
    /// `database_command`: a program and its arguments; the first line that it prints is the URL.
    Command(Vec<String>),
}

impl DatabaseSource {
    /// The name of its field.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Url(_) => "database",
            Self::Command(_) => "database_command",
        }
    }
}

/// One `[profiles.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProfileConfig {
    /// The line of its heading.
    pub line: usize,
    /// The service.
    pub base_url: Option<Located<String>>,
    /// Every key source that is named: one, or none for what `login` stored.
    pub keys: Vec<Located<KeySource>>,
    /// Nothing may be written.
    pub read_only: bool,
    /// Plain http is accepted beyond loopback.
    pub allow_insecure: bool,
    /// The colour of the header.
    pub accent: Option<Accent>,
    /// Where a team triages its reports, if that is not the service itself.
    pub desk: Option<Located<String>>,
    /// Every source of the desk's key that is named: one, or none for what `login --desk` stored.
    pub desk_keys: Vec<Located<KeySource>>,
    /// The others on the desk do not see where this person is.
    pub hides_presence: bool,
}

/// Everything the file says.
#[derive(Debug, Clone, Default)]
pub struct ConfigFile {
    /// Where it is, or would be; `None` where the system names no home.
    pub path: Option<PathBuf>,
    /// Whether it is there.
    pub exists: bool,
    /// The profile that is used when nothing else is asked for.
    pub default_profile: Option<Located<String>>,
    /// The profiles by name.
    pub profiles: BTreeMap<String, ProfileConfig>,
    /// How the dashboard looks.
    pub look: LookOptions,
    /// Which keys are wanted; `keys::understood` makes sense of them.
    pub keys: KeySettings,
    /// What decides about the inbox.
    pub triage: TriageChoice,
    /// Where `serve` listens.
    pub listen: Option<SocketAddr>,
    /// The data directory of the embedded service and of `serve`, as it was written.
    pub data: Option<Located<String>>,
    /// Every source of the URL of the database of `serve` that is named: one, or none for the data directory.
    pub databases: Vec<Located<DatabaseSource>>,
    /// Hosts and ranges that `serve` may audit though they are not public.
    pub audit_allow: Vec<Located<String>>,
    /// How many requests `serve` takes from a key in a minute; 0 is no limit.
    pub requests_per_minute: Option<u32>,
    /// How many days `serve` keeps the log of its desk; 0 keeps all of it.
    pub desk_keep_days: Option<u32>,
    /// The address of `serve` as people use it, behind a reverse proxy.
    pub public_url: Option<Url>,
    /// The reverse proxies in front of `serve` whose forwarded headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The lines of the options outside of profiles, by names such as `look.theme`.
    pub lines: BTreeMap<String, usize>,
    /// What is odd but costs nothing.
    pub warnings: Vec<Warning>,
}

/// A file with everything that is wrong in it.
#[derive(Debug, Default)]
pub struct ExaminedFile {
    /// What could be read.
    pub file: ConfigFile,
    /// What is wrong, in the order of the lines.
    pub errors: Vec<ConfigError>,
    /// The profiles in which something is wrong.
    pub broken_profiles: BTreeSet<String>,
}

impl ConfigFile {
    /// A line of this file as a place.
    pub fn place(&self, line: usize) -> SourcePosition {
        SourcePosition { file: self.path.clone().unwrap_or_default(), line: Some(line) }
    }
}

/// What `[keys]` says, not yet understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeySettings {
    /// The set to begin with.
    pub preset: Option<Preset>,
    /// What is changed of it.
    pub actions: Vec<KeySetting>,
}

/// One line of `[keys.actions]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySetting {
    /// The action's name.
    pub action: Located<String>,
    /// Its keys; none switches it off.
    pub keys: Vec<Located<String>>,
}
