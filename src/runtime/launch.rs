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
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::report::check::Explanations;
use crate::input::keymap::Keymap;
use crate::view::Look;

/// Finds or starts a service: the one that was asked for, or that of a profile. Runs behind the screen.
pub type Connect = Arc<dyn Fn(Option<String>) -> BoxFuture<'static, Result<Connection, Failure>> + Send + Sync>;

/// Where to work and with which key; what connecting comes to.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The name of the profile or kind of service, for the header.
    pub name: String,
    /// The host for the header; empty for the service inside this process, whose port says nothing.
    pub host: String,
    /// The service.
    pub base: BaseUrl,
    /// Its key.
    pub key: SecretString,
    /// Nothing may be written there.
    pub read_only: bool,
    /// The colour of its name in the header.
    pub accent: Option<Accent>,
    /// The directory in which it keeps its data, where that is on this machine.
    pub directory: Option<PathBuf>,
}

/// What a run of the dashboard is made of.
pub struct Launch {
    /// Finds or starts the service; runs behind the first frame.
    pub connect: Connect,
    /// The services that can be gone over to, and which of them is begun with.
    pub profiles: (Vec<ProfileChoice>, Option<String>),
    /// Nothing may be written, whatever the service.
    pub read_only: bool,
    /// How long a confirmed deletion waits before it is sent.
    pub grace: jiff::SignedDuration,
    /// The file in which this machine remembers drafts and rows; `None` remembers nothing.
    pub journal: Option<std::path::PathBuf>,
    /// The saved view to begin with.
    pub view: Option<String>,
    /// Where files to hand over are written.
    pub directory: std::path::PathBuf,
    /// Under which name the journal knows the service, where that is known before connecting: its last rows are shown
    /// at once.
    pub remembered_as: Option<String>,
    /// After so many days without an audit a report is listed among the changes.
    pub untested_days: u16,
    /// Which keys mean what.
    pub keymap: Arc<Keymap>,
    /// What the checks mean.
    pub explanations: Arc<Explanations>,
    /// The terminal and the desktop around it.
    pub whereabouts: TerminalEnv,
    /// The variables that no child process inherits.
    pub key_variables: KeyVariables,
    /// Colours, characters, times.
    pub look: Look,
}
