//! The keyring of Linux and BSD desktops (Secret Service), through `secret-tool`, the command of libsecret.
//!
//! Entries have the attributes `service` and `username`, as keyring libraries set them.

use std::io::{self, ErrorKind, Write as _};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use secrecy::zeroize::Zeroizing;

use crate::config::child_process::KeyVariables;
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
    command.env_clear().env("LC_ALL", "C");
    command.envs(SESSION_VARIABLES.iter().filter_map(|name| Some((name, environment.variable(name)?))));
    command.args(arguments).args(["--", "service", SERVICE_ATTRIBUTE, "username", profile]);
    let (sender, receiver) = mpsc::channel();
    let input = Zeroizing::new(input.to_owned());
    std::thread::spawn(move || {
        // If the receiver has timed out, the output is dropped.
        let _ = sender.send(output(command, &input));
    });
    match receiver.recv_timeout(TIMEOUT) {
        Ok(Ok(output)) if output.status.success() => match String::from_utf8(output.stdout) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(KeyringError::Failed("the entry is not text".to_owned())),
        },
        Ok(Ok(output)) => refusal(&String::from_utf8_lossy(&output.stderr)).map_or(Ok(None), Err),
        Ok(Err(error)) if error.kind() == ErrorKind::NotFound => {
            Err(KeyringError::None(format!("{PROGRAM} is not installed")))
        }
        Ok(Err(error)) => Err(KeyringError::Failed(format!("{PROGRAM}: {error}"))),
        Err(_) => Err(KeyringError::Failed(format!("no response within {} s", TIMEOUT.as_secs()))),
    }
}

fn output(mut command: Command, input: &str) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // If the program does not read its stdin, its status tells the outcome.
        let _ = pipe.write_all(input.as_bytes());
    }
    child.wait_with_output()
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
