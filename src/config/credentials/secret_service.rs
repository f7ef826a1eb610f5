//! The keyring of Linux and BSD desktops (Secret Service), through `secret-tool`, the program of libsecret.
//!
//! An entry has the attributes `service` and `username`, as libraries for keyrings give them.

use std::io::{self, ErrorKind, Write as _};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use secrecy::zeroize::Zeroizing;

use crate::config::child_process::KeyVariables;
use crate::config::credentials::keyring_error::KeyringError;
use crate::config::environment::Environment;

const PROGRAM: &str = "secret-tool";
/// The value of the attribute `service` of our entries.
const OURS: &str = "reportdeck";
/// Long enough to type the keyring's password.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The variables that lead to the keyring and its dialog. The program gets no others.
const SESSION_VARIABLES: [&str; 7] =
    ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "PATH", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"];

/// The text that is stored for a profile.
pub(super) fn read(profile: &str, environment: &Environment) -> Result<Option<String>, KeyringError> {
    run(&["lookup"], profile, "", environment)
}

/// Stores a text in place of an older one.
pub(super) fn write(profile: &str, text: &str, environment: &Environment) -> Result<(), KeyringError> {
    match run(&["store", "--label=API key of reportdeck"], profile, text, environment)? {
        Some(_) => Ok(()),
        None => Err(KeyringError::Failed("nothing was stored".to_owned())),
    }
}

/// Whether there was one.
pub(super) fn remove(profile: &str, environment: &Environment) -> Result<bool, KeyringError> {
    Ok(run(&["clear"], profile, "", environment)?.is_some())
}

/// Whether there is a keyring.
pub(super) fn status(environment: &Environment) -> Result<(), KeyringError> {
    read("doctor", environment).map(drop)
}

/// The output of the program; `None` where it failed without a message, which says that there is no such entry.
fn run(
    arguments: &[&str],
    profile: &str,
    input: &str,
    environment: &Environment,
) -> Result<Option<String>, KeyringError> {
    let mut command = KeyVariables::default().command(PROGRAM);
    command.env_clear().env("LC_ALL", "C");
    command.envs(SESSION_VARIABLES.iter().filter_map(|name| Some((name, environment.variable(name)?))));
    command.args(arguments).args(["--", "service", OURS, "username", profile]);
    let (sender, receiver) = mpsc::channel();
    let input = Zeroizing::new(input.to_owned());
    std::thread::spawn(move || {
        // The receiver has timed out: the output is dropped.
        let _ = sender.send(output(command, &input));
    });
    match receiver.recv_timeout(TIMEOUT) {
        Ok(Ok(output)) if output.status.success() => match String::from_utf8(output.stdout) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(KeyringError::Failed("the entry is no text".to_owned())),
        },
        Ok(Ok(output)) => refusal(&String::from_utf8_lossy(&output.stderr)).map_or(Ok(None), Err),
        Ok(Err(error)) if error.kind() == ErrorKind::NotFound => {
            Err(KeyringError::None(format!("{PROGRAM} is not installed")))
        }
        Ok(Err(error)) => Err(KeyringError::Failed(format!("{PROGRAM}: {error}"))),
        Err(_) => Err(KeyringError::Failed(format!("no answer within {} s", TIMEOUT.as_secs()))),
    }
}

fn output(mut command: Command, input: &str) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that reads nothing says in its status how it went.
        let _ = pipe.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

/// What a message of the program says; `None` for no message.
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
