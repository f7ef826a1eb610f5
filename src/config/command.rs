//! Programs that print a secret, such as `api_key_command` and `database_command`: run without a shell, with limits of
//! time and size.
//!
//! Their stdout is the secret and is never shown.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::child_process::KeyVariables;
use super::error::ConfigError;
use crate::domain::text::{clean, fit};

/// Long enough to unlock a password store, short enough not to seem hung.
const LONGEST: Duration = Duration::from_secs(30);
/// The most bytes of output; a secret is one line.
const MOST_BYTES: usize = 64 * 1024;
/// The most cells of a program's stderr in an error message.
const MOST_COMPLAINT: usize = 400;
/// Replaces anything in stderr that the program also printed on stdout.
const HIDDEN: &str = "••••";

/// The result of a finished program.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) out: Zeroizing<Vec<u8>>,
    pub(super) error: Zeroizing<Vec<u8>>,
}

/// Why a program has no result.
pub(super) enum RunError {
    NotStarted(std::io::Error),
    Broken(std::io::Error),
    TooLong,
    TooLarge,
}

/// Runs the program that `field` names and returns its first line of output, the `secret`. Its stdin is empty; it may
/// prompt on the terminal itself. Its environment has no keys.
pub(super) fn ask(
    field: &str,
    secret: &str,
    words: &[String],
    variables: &KeyVariables,
) -> Result<SecretString, ConfigError> {
    ask_within((field, secret), words, variables, LONGEST)
}

fn ask_within(
    (field, secret): (&str, &str),
    words: &[String],
    variables: &KeyVariables,
    longest: Duration,
) -> Result<SecretString, ConfigError> {
    let program = words.first().map(|word| clean(word).into_owned()).unwrap_or_default();
    let first_line = format!("It must print the {secret} as its first line");
    let failed = |why: String, advice: &str| ConfigError::new(format!("{field}: {program} {why}"), advice);
    let mut command = variables.command(words.first().map(String::as_str).unwrap_or_default());
    command.args(words.iter().skip(1));
    let ended = run(command, "", longest).map_err(|trouble| match trouble {
        RunError::NotStarted(error) => {
            failed(format!("cannot be started: {error}"), "Check that it is installed and spelled correctly")
        }
        RunError::Broken(error) => failed(format!("could not be run: {error}"), "Try it in a shell"),
        RunError::TooLong => failed(format!("took longer than {} s", longest.as_secs()), "Try it in a shell"),
        RunError::TooLarge => failed(format!("printed more than a {secret}"), &first_line),
    })?;
    // Programs on Windows may begin their output with a byte order mark.
    let text = Zeroizing::new(String::from_utf8_lossy(&ended.out).trim_start_matches('\u{feff}').to_owned());
    if !ended.status.success() {
        let why = format!("failed ({}){}", ended.status, stderr_line(&ended.error, &text));
        return Err(failed(why, "Try it in a shell"));
    }
    match text.lines().next().map(str::trim).filter(|key| !key.is_empty()) {
        Some(key) => Ok(SecretString::from(key)),
        None => Err(failed(format!("printed no {secret}"), &first_line)),
    }
}

/// Returns the program's stderr on one line, without anything that it printed on stdout.
fn stderr_line(error: &[u8], out: &str) -> String {
    let mut complaint = String::from_utf8_lossy(error).into_owned();
    for line in out.lines().map(str::trim).filter(|line| !line.is_empty()) {
        complaint = complaint.replace(line, HIDDEN);
    }
    let lines: Vec<&str> = complaint.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let complaint = lines.join("; ");
    if complaint.is_empty() { String::new() } else { format!(": {}", fit(&clean(&complaint), MOST_COMPLAINT)) }
}

/// Runs a program with this input, for at most this long. On its own thread, so that it works inside and outside of a
/// runtime.
pub(super) fn run(command: std::process::Command, input: &str, longest: Duration) -> Result<Ended, RunError> {
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(RunError::Broken)?;
            runtime.block_on(async {
                let mut command = Command::from(command);
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
                command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
                let child = command.spawn().map_err(RunError::NotStarted)?;
                // Dropping the future kills the program.
                tokio::time::timeout(longest, finish(child, input)).await.unwrap_or(Err(RunError::TooLong))
            })
        });
        running.join().unwrap_or(Err(RunError::TooLong))
    })
}

async fn finish(mut child: Child, input: &str) -> Result<Ended, RunError> {
    if let Some(mut pipe) = child.stdin.take() {
        // If the program does not read its stdin, its status tells the outcome.
        let _ = pipe.write_all(input.as_bytes()).await;
    }
    let (mut out, mut error) = (Zeroizing::new(Vec::new()), Zeroizing::new(Vec::new()));
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    tokio::try_join!(read(stdout, &mut out), read(stderr, &mut error))?;
    let status = child.wait().await.map_err(RunError::Broken)?;
    Ok(Ended { status, out, error })
}

async fn read(from: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) -> Result<(), RunError> {
    let Some(from) = from else { return Ok(()) };
    from.take(MOST_BYTES as u64 + 1).read_to_end(into).await.map_err(RunError::Broken)?;
    if into.len() > MOST_BYTES { Err(RunError::TooLarge) } else { Ok(()) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use secrecy::ExposeSecret as _;

    fn output_of(script: &str, longest: Duration) -> Result<String, String> {
        let words = ["sh", "-c", script].map(str::to_owned);
        match ask_within(("api_key_command", "key"), &words, &KeyVariables::default(), longest) {
            Ok(key) => Ok(key.expose_secret().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn the_first_line_is_the_key_and_no_error_contains_it() {
        for script in ["printf ' hunter2 \\nuser: me\\n'", r"printf '\357\273\277hunter2\r\n'"] {
            assert_eq!(output_of(script, LONGEST), Ok("hunter2".to_owned()), "{script}");
        }
        for (script, complaint) in [
            ("exit 3", "sh failed (exit status: 3)"),
            ("echo hunter2; echo 'gpg: hunter2 is locked' >&2; exit 1", ": gpg: •••• is locked."),
            (r"printf '\357\273\277hunter2'; echo 'gpg: hunter2 is locked' >&2; exit 1", ": gpg: •••• is locked."),
            ("true", "printed no key"),
            (r"printf '\357\273\277\n'", "printed no key"),
            ("echo; echo hunter2", "printed no key"),
            ("head -c 70000 /dev/zero", "printed more than a key"),
        ] {
            let error = output_of(script, LONGEST).unwrap_err();
            assert!(error.contains(complaint) && !error.contains("hunter2"), "{script}: {error}");
        }
    }

    #[test]
    fn a_key_command_times_out_and_a_missing_one_is_reported() {
        let error = output_of("exec sleep 60", Duration::from_millis(50)).unwrap_err();
        assert!(error.contains("took longer than"), "{error}");
        let words = ["/nowhere/at/all".to_owned()];
        let error = ask("api_key_command", "key", &words, &KeyVariables::default()).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at/all cannot be started"), "{error}");
    }
}
