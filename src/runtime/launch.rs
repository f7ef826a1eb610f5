//! The options and dependencies that a dashboard is started with.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use secrecy::SecretString;

use crate::api::address::BaseUrl;
use crate::app::session::state::ProfileChoice;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::Failure;
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::look::{Accent, StartScreen, Times};
use crate::domain::report::check::Explanations;
use crate::input::keymap::Keymap;
use crate::view::Look;

/// Finds or starts a service. Runs concurrently with the first frame.
pub type Connect = Arc<dyn Fn(ConnectRequest) -> BoxFuture<'static, Result<ServiceConnection, Failure>> + Send + Sync>;

/// The service to connect to.
#[derive(Debug, Clone, Default)]
pub struct ConnectRequest {
    /// Its profile; `None` for the default service.
    pub profile: Option<String>,
    /// The key that the user typed, to be used instead of the profile's, whose source is then not read.
    pub key: Option<SecretString>,
}

/// A service and its key; the result of connecting.
#[derive(Debug, Clone)]
pub struct ServiceConnection {
    /// The name of the profile or kind of service, for the header.
    pub name: String,
    /// The host for the header; empty for the embedded service.
    pub host: String,
    /// The service.
    pub base: BaseUrl,
    /// The API key.
    pub key: SecretString,
    /// Whether writes to it are disabled.
    pub read_only: bool,
    /// The colour of the name in the header.
    pub accent: Option<Accent>,
    /// The data directory of the embedded service.
    pub directory: Option<PathBuf>,
    /// The desk for its reports, if any; `None` for the embedded service.
    pub desk: Option<DeskAccess>,
}

/// Access to the desk on which a team triages the reports of a service.
#[derive(Debug, Clone)]
pub struct DeskAccess {
    /// Its base URL.
    pub base: BaseUrl,
    /// The user's key. Sent to the desk's origin only.
    pub key: SecretString,
    /// Whether the desk belongs to the service of the reports.
    pub is_own: bool,
    /// Whether others see the user's presence.
    pub presence: bool,
}

/// The options and dependencies of a run.
pub struct Launch {
    /// Finds or starts the service; runs concurrently with the first frame.
    pub connect: Connect,
    /// The available services, and the initial one.
    pub profiles: (Vec<ProfileChoice>, Option<String>),
    /// Whether writes are disabled for any service.
    pub read_only: bool,
    /// How long a confirmed deletion can be undone.
    pub delete_delay: SignedDuration,
    /// The journal's file; without one nothing is stored between runs.
    pub journal: Option<PathBuf>,
    /// The name of the saved view to start with.
    pub view: Option<String>,
    /// The initial screen.
    pub start: StartScreen,
    /// The directory of exported files.
    pub directory: PathBuf,
    /// The service's name in the journal, if known before connecting: its cached rows are then shown immediately.
    pub journal_name: Option<String>,
    /// Reports not audited for this number of days are listed among the changes.
    pub untested_days: u16,
    /// How many minutes after it was read the list is read again; 0 means never.
    pub refresh_minutes: u16,
    /// How long a claim on a report lasts.
    pub claim: SignedDuration,
    /// The key bindings.
    pub keymap: Arc<Keymap>,
    /// The explanations of the checks.
    pub explanations: Arc<Explanations>,
    /// The terminal and the desktop around it.
    pub terminal_env: TerminalEnv,
    /// The user's template of customer messages, which need not exist.
    pub message_template: Option<PathBuf>,
    /// The editor and its arguments.
    pub editor: Vec<String>,
    /// Environment variables withheld from child processes.
    pub key_variables: KeyVariables,
    /// Colours, characters, density.
    pub look: Look,
    /// The initial time format.
    pub times: Times,
    /// The time zone of exact times.
    pub zone: TimeZone,
}
