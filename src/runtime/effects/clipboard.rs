//! Copying: the desktop's clipboard, else tmux, else the terminal, else a file that only the person may read.
//!
//! Nothing here holds the loop up: the desktop has a thread of its own, everything is waited for beside the loop and only
//! for a while. Must not know what is copied.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use tokio::io::AsyncWriteExt as _;

use crate::app::message::Message;
use crate::config::child_process::KeyVariables;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::look::terminal_env::TerminalEnv;
use crate::domain::report::ReportId;
use crate::domain::text::numbers::counted;
use crate::domain::text::{clean, width};
use crate::runtime::effects::browser;
use crate::runtime::effects::desktop_clipboard::{self, Desk};
use crate::runtime::effects::{Effects, no_service};
use crate::runtime::terminal::tty_writer::TtyWriter;

/// How long a way may take before the next one is tried.
const PATIENCE: Duration = Duration::from_secs(2);
/// A sequence longer than 100,000 bytes is dropped by many terminals; base64 makes four of three.
const MOST_FOR_TERMINALS: usize = 74_000;
/// A text this short is told whole.
const SHORT: usize = 90;
/// The file of the state directory, each copy in place of the last.
const FILE: &str = "copied.txt";

/// A way to hand a text over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The clipboard of the desktop.
    Desktop,
    /// tmux, which hands it on to its terminal. Its own default drops what programs send through it.
    Tmux,
    /// The terminal (OSC 52), which may be told to refuse and says nothing either way.
    Terminal,
    /// A file.
    File,
}

/// The ways that may work here for a text of so many bytes, the best one first. The last one is always the file.
pub(super) fn ways(around: &TerminalEnv, bytes: usize) -> Vec<Way> {
    let desktop = cfg!(feature = "clipboard") && around.has_display && !around.over_ssh;
    let terminal = around.may_take_copies && bytes <= MOST_FOR_TERMINALS;
    [(Way::Desktop, desktop), (Way::Tmux, around.in_tmux), (Way::Terminal, terminal), (Way::File, true)]
        .into_iter()
        .filter_map(|(way, works)| works.then_some(way))
        .collect()
}

impl Effects {
    /// Copies a text and tells which way it took.
    pub(super) fn copy(&mut self, text: String) {
        let said = summary(&text);
        let means = self.means();
        drop(self.spawn(hand_over(means, (text, said))));
    }

    /// Asks the service for the address of a report's page and copies it.
    pub(super) fn copy_report_page(&mut self, id: ReportId) {
        let Some(client) = self.client() else { return self.send(Message::Told(Err(no_service()))) };
        let means = self.means();
        drop(self.spawn(async move {
            match client.report_page(&id).await {
                Ok(url) => hand_over(means, (url.to_string(), browser::shown(&url).to_string())).await,
                Err(failure) => Message::Told(Err(failure)),
            }
        }));
    }

    fn means(&mut self) -> Means {
        Means {
            around: self.whereabouts,
            desk: self.desktop.desk(),
            state: self.state_directory.clone(),
            writer: self.writer.clone(),
            key_variables: self.key_variables.clone(),
        }
    }
}

/// What a task needs to copy.
struct Means {
    around: TerminalEnv,
    desk: Desk,
    state: Option<PathBuf>,
    writer: TtyWriter,
    key_variables: KeyVariables,
}

/// Tries the ways one after the other. Of the text only what may be written down is told.
async fn hand_over(means: Means, (text, said): (String, String)) -> Message {
    for way in ways(&means.around, text.len()) {
        let told = match way {
            Way::Desktop if desktop_clipboard::copy(&means.desk, &text, PATIENCE).await => format!("Copied: {said}"),
            Way::Tmux if through_tmux(|| means.key_variables.command("tmux"), &text).await => {
                format!("Copied through tmux: {said}")
            }
            Way::Terminal if through_terminal(means.writer.clone(), text.clone()).await => {
                format!("Copied through the terminal, where it allows that: {said}")
            }
            Way::Desktop | Way::Tmux | Way::Terminal => continue,
            Way::File => break,
        };
        return Message::Told(Ok(told));
    }
    into_file(text, means.state).await
}

/// Has tmux take the text and hand it on to its terminal; one before 3.2 only takes it.
async fn through_tmux(tmux: impl Fn() -> std::process::Command, text: &str) -> bool {
    for arguments in [&["load-buffer", "-w", "-"][..], &["load-buffer", "-"]] {
        if matches!(tokio::time::timeout(PATIENCE, feed(tmux(), arguments, text)).await, Ok(Ok(true))) {
            return true;
        }
    }
    false
}

/// Runs a program with this text as its input; whether it was content.
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

/// The whole sequence at once: nothing is drawn in its middle.
async fn through_terminal(writer: TtyWriter, text: String) -> bool {
    let written = tokio::task::spawn_blocking(move || {
        let mut bytes = Vec::new();
        crossterm::queue!(bytes, CopyToClipboard::to_clipboard_from(text)).and_then(|()| writer.send(&bytes))
    });
    matches!(written.await, Ok(Ok(())))
}

async fn into_file(text: String, state: Option<PathBuf>) -> Message {
    let written = tokio::task::spawn_blocking(move || write(state.as_deref(), &text)).await;
    match written {
        Ok(Ok(path)) => {
            let path = clean(&path.to_string_lossy()).into_owned();
            Message::Told(Ok(format!("There is no clipboard here: it is in {path}, for you alone")))
        }
        Ok(Err(error)) => Message::Told(Err(Failure::new(
            FailureKind::Local,
            format!("There is no clipboard here, and no file could be written ({error})"),
            "Press ctrl+t and select the text with the mouse",
        ))),
        Err(error) => Message::Broken(error.to_string()),
    }
}

/// Writes a file that only its owner may read: the same one each time where there is a directory of ours, else a new one
/// among the temporary files, under a name that nobody can have taken before.
fn write(state: Option<&Path>, text: &str) -> io::Result<PathBuf> {
    if let Some(state) = state.filter(|state| state.is_dir()) {
        let mut file = tempfile::NamedTempFile::new_in(state)?;
        file.write_all(text.as_bytes())?;
        let path = state.join(FILE);
        file.persist(&path).map_err(|error| error.error)?;
        return Ok(path);
    }
    let mut file = tempfile::Builder::new().prefix("reportdeck-copied-").suffix(".txt").tempfile()?;
    file.write_all(text.as_bytes())?;
    let (_, path) = file.keep().map_err(|error| error.error)?;
    Ok(path)
}

/// A text in a few words, for the message.
fn summary(text: &str) -> String {
    let lines = text.lines().count();
    let line = clean(text.trim_end()).into_owned();
    if lines <= 1 && width(&line) <= SHORT { line } else { counted(lines as u64, "line") }
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
    fn the_way_follows_from_the_whereabouts() {
        let native: &[Way] = if cfg!(feature = "clipboard") { &[Way::Desktop] } else { &[] };
        let with = |rest: &[Way]| [native, rest].concat();
        let table = [
            (around(|_| {}), 10, vec![Way::Terminal, Way::File]),
            (around(|around| around.has_display = true), 10, with(&[Way::Terminal, Way::File])),
            (around(|around| (around.has_display, around.over_ssh) = (true, true)), 10, vec![Way::Terminal, Way::File]),
            (around(|around| around.in_tmux = true), 10, vec![Way::Tmux, Way::Terminal, Way::File]),
            (around(|around| around.may_take_copies = false), 10, vec![Way::File]),
            (around(|_| {}), MOST_FOR_TERMINALS, vec![Way::Terminal, Way::File]),
            (around(|_| {}), MOST_FOR_TERMINALS + 1, vec![Way::File]),
            (around(|around| around.in_tmux = true), 1_000_000, vec![Way::Tmux, Way::File]),
        ];
        for (around, bytes, expected) in table {
            assert_eq!(ways(&around, bytes), expected, "{around:?} {bytes}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_for_its_owner_alone_and_follows_no_link() {
        use std::os::unix::fs::PermissionsExt as _;
        let state = tempfile::tempdir().unwrap();
        let elsewhere = state.path().join("elsewhere");
        std::os::unix::fs::symlink(&elsewhere, state.path().join(FILE)).unwrap();
        for text in ["one", "two"] {
            let path = write(Some(state.path()), text).unwrap();
            assert_eq!(path, state.path().join(FILE));
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
        let sh = || KeyVariables::default().command("sh");
        assert!(feed(sh(), &["-c", &script], "a\tb").await.unwrap());
        assert_eq!(std::fs::read_to_string(file).unwrap(), "a\tb");
        assert!(!feed(sh(), &["-c", "cat > /dev/null; exit 1"], "x").await.unwrap());
        assert!(!through_tmux(|| KeyVariables::default().command("no-such-program"), "x").await);
    }

    #[test]
    fn the_message_holds_a_short_text_whole() {
        assert_eq!(summary("https://shop.example/tea"), "https://shop.example/tea");
        assert_eq!(summary("a\nb\n"), "2 lines");
        assert_eq!(summary(&"x".repeat(200)), "1 line");
    }
}
