//! The keyring of Linux and BSD desktops (Secret Service), through `secret-tool`, the command of libsecret.
//!
//! Entries have the attributes `service` and `username`, as keyring libraries set them.

use std::io::ErrorKind;
use std::time::Duration;

use crate::config::child_process::KeyVariables;
use crate::config::command::{self, RunError};
use crate::config::credentials::keyring::{KeyringError, allowed};
use crate::config::environment::Environment;

const PROGRAM: &str = "secret-tool";
/// The `service` attribute of our entries.
const SERVICE_ATTRIBUTE: &str = "reportdeck";
/// Long enough to type the keyring's password.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The variables needed to reach the keyring and its dialog. The program inherits no others.
const SESSION_VARIABLES: [&str; 7] =
    ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "PATH", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"];

/// Returns the text stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    run(&["lookup"], profile, "", environment)
}

/// Stores a text, replacing an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    match run(&["store", "--label=API key of reportdeck"], profile, text, environment)? {
        Some(_) => Ok(()),
        None => Err(KeyringError::Failed("nothing was stored".to_owned())),
    }
}

/// Removes a profile's entry; false if there was none.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    Ok(run(&["clear"], profile, "", environment)?.is_some())
}

/// Fails if there is no keyring.
pub(super) fn status(environment: &Environment) -> Result<(), KeyringError> {
    read("doctor", environment).map(drop)
}

/// Returns the program's output; `None` if it failed without a message, which means that the entry does not exist.
fn run(
    arguments: &[&str],
    profile: &str,
    input: &str,
    environment: &Environment,
) -> Result<Option<String>, KeyringError> {
    allowed(environment)?;
    let mut command = KeyVariables::default().command(PROGRAM);
    // English messages; with the locale C the program rejects names of profiles that are not ASCII.
    command.env_clear().env("LC_ALL", "C.UTF-8");
    command.envs(SESSION_VARIABLES.iter().filter_map(|name| Some((name, environment.variable(name)?))));
    command.args(arguments).args(["--", "service", SERVICE_ATTRIBUTE, "username", profile]);
    match command::run(command, input, TIMEOUT) {
        Ok(ended) if ended.status.success() => match str::from_utf8(&ended.out) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(KeyringError::Failed("the entry is not text".to_owned())),
        },
        Ok(ended) => refusal(&String::from_utf8_lossy(&ended.error)).map_or(Ok(None), Err),
        Err(RunError::NotStarted(error)) if error.kind() == ErrorKind::NotFound => {
            Err(KeyringError::None(format!("{PROGRAM} is not installed")))
        }
        Err(RunError::NotStarted(error) | RunError::Broken(error)) => {
            Err(KeyringError::Failed(format!("{PROGRAM}: {error}")))
        }
        Err(RunError::TooLarge) => Err(KeyringError::Failed("the entry is larger than a key".to_owned())),
        Err(RunError::TooLong) => Err(KeyringError::Failed(format!("no response within {} s", TIMEOUT.as_secs()))),
    }
}

/// Interprets the program's error message; `None` if there is none.
fn refusal(message: &str) -> Option<KeyringError> {
    let message = message.trim();
    let text = message.strip_prefix(PROGRAM).map_or(message, |rest| rest.trim_start_matches([':', ' '])).to_owned();
    let is_unreachable = text.contains("D-Bus") || text.contains("org.freedesktop.secrets");
    match text.is_empty() {
        true => None,
        false if is_unreachable => Some(KeyringError::None(text)),
        false => Some(KeyringError::Failed(text)),
    }
}
