//! Copies text: to the desktop's clipboard, else through tmux, else through the terminal, else to a private file.
//!
//! Each method runs in a task with a timeout.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::AsyncWriteExt as _;

use crate::config::child_process::KeyVariables;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;
use crate::domain::text::{clean, width};
use crate::runtime::effects::{DesktopContext, Effects, blocking, browser, no_service};
use crate::runtime::terminal::tty_writer::TtyWriter;

/// The timeout per method.
const METHOD_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest text in bytes: many terminals drop sequences over 100,000 bytes, and base64 adds a third.
const MAX_TERMINAL_BYTES: usize = 74_000;
/// The widest text quoted in a notice, in cells.
const MAX_QUOTED_CELLS: usize = 90;
/// The file in the state directory; each copy overwrites it.
const FILE_NAME: &str = "copied.txt";

/// Programs that put their input on the desktop's clipboard; the first that succeeds is used. On Linux they keep
/// running in the background, because the clipboard's content lives only as long as its owner. Windows has none that
/// reads UTF-8: there the terminal copies.
const DESKTOP_PROGRAMS: &[(&str, &[&str])] = if cfg!(target_os = "macos") {
    &[("pbcopy", &[])]
} else if cfg!(windows) {
    &[]
} else {
    &[("wl-copy", &[]), ("xclip", &["-selection", "clipboard"]), ("xsel", &["--clipboard", "--input"])]
};
/// tmux 3.2 and later also forwards the buffer to its terminal; earlier versions do not support `-w`.
const TMUX: &[(&str, &[&str])] = &[("tmux", &["load-buffer", "-w", "-"]), ("tmux", &["load-buffer", "-"])];

/// A method of copying text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyMethod {
    /// The desktop's clipboard.
    Desktop,
    /// tmux, which forwards the text to its terminal. By default it drops clipboard sequences of programs.
    Tmux,
    /// The terminal (OSC 52), which may ignore it and confirms nothing.
    Terminal,
}

/// The methods that may work for a text of this size, best first. After them, only a file is left.
pub(super) fn copy_methods(around: &TerminalEnv, bytes: usize) -> Vec<CopyMethod> {
    let desktop = around.has_display && !around.over_ssh;
    let terminal = around.may_take_copies && bytes <= MAX_TERMINAL_BYTES;
    [(CopyMethod::Desktop, desktop), (CopyMethod::Tmux, around.in_tmux), (CopyMethod::Terminal, terminal)]
        .into_iter()
        .filter_map(|(method, works)| works.then_some(method))
        .collect()
}

impl Effects {
    /// Copies a text, and reports by which method.
    pub(super) fn copy(&self, text: String) {
        let summary = summary(&text);
        self.spawn_notice(copy_text(self.desktop.clone(), text, summary));
    }

    /// Copies a password. It is neither shown in the notice nor written to a file.
    pub(super) fn copy_password(&self, password: SecretString) {
        let context = self.desktop.clone();
        self.spawn_notice(async move {
            let notice = copied(&context, password.expose_secret(), "the password, once").await;
            notice.ok_or_else(|| {
                Failure::new(
                    FailureKind::Local,
                    "No clipboard here: the password was not copied",
                    format!("Show it, press {} and select it with the mouse", context.mouse_key),
                )
            })
        });
    }

    /// Requests the URL of a report page and copies it.
    pub(super) fn copy_report_page(&self, id: ReportId) {
        let (client, context) = (self.client(), self.desktop.clone());
        self.spawn_notice(async move {
            let url = client.ok_or_else(no_service)?.report_page(&id).await?;
            copy_text(context, url.to_string(), browser::shown(&url).to_string()).await
        });
    }
}

/// Tries the methods in turn. The notice shows `summary`, which contains no secret.
pub(super) async fn copy_text(context: DesktopContext, text: String, summary: String) -> Result<String, Failure> {
    match copied(&context, &text, &summary).await {
        Some(notice) => Ok(notice),
        None => blocking(move || into_file(&text, &context)).await,
    }
}

/// Tries the methods that write no file. Returns the text of the notice; `None` if all failed.
async fn copied(context: &DesktopContext, text: &str, summary: &str) -> Option<String> {
    for method in copy_methods(&context.terminal_env, text.len()) {
        let variables = &context.key_variables;
        let (is_copied, how) = match method {
            CopyMethod::Desktop => (through_programs(DESKTOP_PROGRAMS, variables, text).await, "Copied"),
            CopyMethod::Tmux => (through_programs(TMUX, variables, text).await, "Copied through tmux"),
            CopyMethod::Terminal => {
                (through_terminal(&context.writer, text), "Copied through the terminal, if it allows that")
            }
        };
        if is_copied {
            return Some(format!("{how}: {summary}"));
        }
    }
    None
}

/// Runs programs in turn until one accepts the text in time.
async fn through_programs(programs: &[(&str, &[&str])], key_variables: &KeyVariables, text: &str) -> bool {
    for (program, arguments) in programs {
        let fed = feed(key_variables.command(program), arguments, text);
        if matches!(tokio::time::timeout(METHOD_TIMEOUT, fed).await, Ok(Ok(true))) {
            return true;
        }
    }
    false
}

/// Runs a program with this text as input. Returns whether it succeeded.
async fn feed(program: std::process::Command, arguments: &[&str], text: &str) -> io::Result<bool> {
    let mut child = tokio::process::Command::from(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).await?;
    }
    Ok(child.wait().await?.success())
}

/// Queues the whole sequence in one piece, so that no frame is interleaved.
fn through_terminal(writer: &TtyWriter, text: &str) -> bool {
    let mut bytes = Vec::new();
    let queued = crossterm::queue!(bytes, CopyToClipboard::to_clipboard_from(text));
    queued.and_then(|()| writer.send(&bytes)).is_ok()
}

fn into_file(text: &str, context: &DesktopContext) -> Result<String, Failure> {
    match write(context.state_directory.as_deref(), text) {
        Ok(path) => {
            let path = clean(&path.to_string_lossy()).into_owned();
            Ok(format!("No clipboard here: written to {path}, readable by you only"))
        }
        Err(error) => Err(Failure::new(
            FailureKind::Local,
            format!("No clipboard here, and no file could be written ({error})"),
            format!("Press {} and select the text with the mouse", context.mouse_key),
        )),
    }
}

/// Writes a file that only its owner can read: a fixed one in the state directory, else a temporary one with a random
/// name.
fn write(state: Option<&Path>, text: &str) -> io::Result<PathBuf> {
    if let Some(state) = state.filter(|state| state.is_dir()) {
        let mut file = tempfile::NamedTempFile::new_in(state)?;
        file.write_all(text.as_bytes())?;
        let path = state.join(FILE_NAME);
        file.persist(&path).map_err(|error| error.error)?;
        return Ok(path);
    }
    let mut file = tempfile::Builder::new().prefix("reportdeck-copied-").suffix(".txt").tempfile()?;
    file.write_all(text.as_bytes())?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// Summarises a text for the notice.
fn summary(text: &str) -> String {
    let lines = text.lines().count();
    let line = clean(text.trim_end()).into_owned();
    if lines <= 1 && width(&line) <= MAX_QUOTED_CELLS { line } else { counted(lines as u64, "line") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(set: impl FnOnce(&mut TerminalEnv)) -> TerminalEnv {
        let mut around = TerminalEnv { may_take_copies: true, ..TerminalEnv::default() };
        set(&mut around);
        around
    }

    #[test]
    fn the_methods_follow_from_the_terminal_and_the_desktop() {
        let table = [
            (around(|_| {}), 10, vec![CopyMethod::Terminal]),
            (around(|around| around.has_display = true), 10, vec![CopyMethod::Desktop, CopyMethod::Terminal]),
            (around(|around| (around.has_display, around.over_ssh) = (true, true)), 10, vec![CopyMethod::Terminal]),
            (around(|around| around.in_tmux = true), 10, vec![CopyMethod::Tmux, CopyMethod::Terminal]),
            (around(|around| around.may_take_copies = false), 10, vec![]),
            (around(|_| {}), MAX_TERMINAL_BYTES, vec![CopyMethod::Terminal]),
            (around(|_| {}), MAX_TERMINAL_BYTES + 1, vec![]),
            (around(|around| around.in_tmux = true), 1_000_000, vec![CopyMethod::Tmux]),
        ];
        for (around, bytes, expected) in table {
            assert_eq!(copy_methods(&around, bytes), expected, "{around:?} {bytes}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_copied_file_is_readable_only_by_its_owner_and_follows_no_link() {
        use std::os::unix::fs::PermissionsExt as _;
        let state = tempfile::tempdir().unwrap();
        let elsewhere = state.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, state.path().join(FILE_NAME)).unwrap();
        for text in ["one", "two"] {
            let path = write(Some(state.path()), text).unwrap();
            assert_eq!(path, state.path().join(FILE_NAME));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert!(!elsewhere.exists());
        let temporary = write(None, "three").unwrap();
        assert_eq!(std::fs::metadata(&temporary).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(temporary).unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_program_gets_the_text_and_its_refusal_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("taken");
        let script = format!("cat > {}", file.display());
        let (keys, refusing) = (KeyVariables::default(), "cat > /dev/null; exit 1");
        let programs: [(&str, &[&str]); 3] =
            [("no-such-program", &[]), ("sh", &["-c", refusing]), ("sh", &["-c", &script])];
        assert!(through_programs(&programs, &keys, "a\tb").await);
        assert_eq!(std::fs::read_to_string(file).unwrap(), "a\tb");
        assert!(!through_programs(&programs[..2], &keys, "x").await);
    }

    #[test]
    fn a_notice_quotes_a_short_text_whole() {
        assert_eq!(summary("https://shop.example/tea"), "https://shop.example/tea");
        assert_eq!(summary("a\nb\n"), "2 lines");
        assert_eq!(summary(&"x".repeat(200)), "1 line");
    }
}
