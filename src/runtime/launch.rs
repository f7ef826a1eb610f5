//! What the dashboard is started with.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use secrecy::SecretString;

use crate::api::address::BaseUrl;
use crate::app::session::state::ProfileChoice;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::Failure;
use crate::domain::look::Accent;
use crate::domain::look::StartScreen;
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::report::check::Explanations;
use crate::input::keymap::Keymap;
use crate::view::Look;

/// Finds or starts a service: the default one, or that of a profile. Runs behind the first frame.
pub type Connect = Arc<dyn Fn(Option<String>) -> BoxFuture<'static, Result<ServiceConnection, Failure>> + Send + Sync>;

/// A service and its key: the result of connecting.
#[derive(Debug, Clone)]
pub struct ServiceConnection {
    /// The name of the profile or kind of service, for the header.
    pub name: String,
    /// The host for the header; empty for the embedded service.
    pub host: String,
    /// The service.
    pub base: BaseUrl,
    /// Its key.
    pub key: SecretString,
    /// Refuse writes to it.
    pub read_only: bool,
    /// The colour of its name in the header.
    pub accent: Option<Accent>,
    /// The data directory of the embedded service.
    pub directory: Option<PathBuf>,
    /// Where a team may triage its reports together; `None` for the embedded service.
    pub desk: Option<DeskAccess>,
}

/// The desk where a team triages the reports of a service.
#[derive(Debug, Clone)]
pub struct DeskAccess {
    /// Its address.
    pub base: BaseUrl,
    /// The person's key. Goes to the desk's origin only.
    pub key: SecretString,
    /// Whether it is the service of the reports itself.
    pub is_own: bool,
    /// Whether the others see where the person is.
    pub presence: bool,
}

/// The parts and options of a run.
pub struct Launch {
    /// Finds or starts the service; runs behind the first frame.
    pub connect: Connect,
    /// The services to choose from, and the first one.
    pub profiles: (Vec<ProfileChoice>, Option<String>),
    /// Refuse writes to any service.
    pub read_only: bool,
    /// The time in which a confirmed deletion can be undone.
    pub grace: jiff::SignedDuration,
    /// The journal's file; without one nothing is kept between runs.
    pub journal: Option<std::path::PathBuf>,
    /// The name of the saved view to begin with.
    pub view: Option<String>,
    /// What the dashboard begins with.
    pub start: StartScreen,
    /// Where exported files are written.
    pub directory: std::path::PathBuf,
    /// The service's name in the journal, if it is known before connecting: its cached rows are shown at once.
    pub remembered_as: Option<String>,
    /// Reports that were not audited for this number of days are listed among the changes.
    pub untested_days: u16,
    /// How long a claim on a report stands.
    pub claim: jiff::SignedDuration,
    /// The key bindings.
    pub keymap: Arc<Keymap>,
    /// The explanations of the checks.
    pub explanations: Arc<Explanations>,
    /// The terminal and the desktop around it.
    pub terminal_env: TerminalEnv,
    /// The person's own template of messages to customers, which need not exist.
    pub message_template: Option<std::path::PathBuf>,
    /// The editor and its arguments.
    pub editor: Vec<String>,
    /// The environment variables that no child process inherits.
    pub key_variables: KeyVariables,
    /// Colours, characters, times.
    pub look: Look,
}
