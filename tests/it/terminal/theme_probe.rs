//! The theme follows the terminal's background, whether the terminal replies, replies late, or never does.

#![cfg(target_os = "linux")]

use std::sync::Arc;

use portable_pty::CommandBuilder;
use reportdeck::domain::look::LookOptions;
use reportdeck::domain::look::terminal_env::TerminalEnv;
use reportdeck::runtime::{self, Launch};
use reportdeck::view::Look;

use crate::support::pty::Pty;
use crate::support::session;

/// Environment variable that tells the test program, started again in a terminal, which theme to use.
const THEME: &str = "REPORTDECK_TEST_THEME";
/// The query for the background.
const QUESTION: &str = "\x1b]11;?\x07";

/// Helper process: [`dashboard`] runs it in its terminal.
#[test]
fn dashboard_in_this_program() {
    let Ok(theme) = std::env::var(THEME) else { return };
    let variables: Vec<(String, String)> = std::env::vars().collect();
    let terminal_env =
        TerminalEnv::of(|name| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()));
    let options = LookOptions { theme: theme.parse().unwrap(), ..LookOptions::default() };
    let look = Look::of(&options, &terminal_env);
    let connect: runtime::Connect = Arc::new(|_| Box::pin(std::future::pending()));
    let launch = Launch { terminal_env, ..session::launch(connect, look) };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(runtime::run(launch, async {})).unwrap();
    runtime.shutdown_background();
}

fn dashboard(theme: &str, term: &str) -> Pty {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "terminal::theme_probe::dashboard_in_this_program", "--nocapture", "--test-threads=1"]);
    command.env_clear();
    // Without HOME, it would be the home directory of the account, which need not exist.
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    for (name, value) in [(THEME, theme), ("TERM", term), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")] {
        command.env(name, value);
    }
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("? keys");
    pty
}

/// Quits, and asserts that no reply was read as a key.
fn leave(mut pty: Pty) {
    assert!(!pty.screen().contains("Keys: reports"), "a reply was read as keys:\n{}", pty.screen());
    pty.send("q");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}

const LIGHT: vt100::Color = vt100::Color::Rgb(0xfb, 0xfb, 0xf8);
const DARK: vt100::Color = vt100::Color::Rgb(0x16, 0x18, 0x1d);

#[test]
fn the_theme_matches_the_background_and_follows_it() {
    let mut pty = dashboard("auto", "xterm-256color");
    pty.wait_for_bytes(QUESTION);
    assert_eq!(pty.background(), vt100::Color::Default, "the first screen does not wait for a reply");
    pty.send("\x1b]11;rgb:ffff/ffff/ffff\x07");
    pty.wait_for_background(LIGHT);
    // The window gets the focus again, with another background.
    pty.send("\x1b[I");
    pty.wait_for_bytes(QUESTION);
    pty.send("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\");
    // A dark background selects the terminal's own colours.
    pty.wait_for_background(vt100::Color::Default);
    leave(pty);
}

#[test]
fn a_reply_in_parts_is_reassembled() {
    let mut pty = dashboard("auto", "xterm-256color");
    pty.wait_for_bytes(QUESTION);
    for piece in ["\x1b]1", "1;rgb:ff", "ff/ffff/ff", "ff\x1b", "\\"] {
        pty.send(piece);
    }
    pty.wait_for_background(LIGHT);
    leave(pty);
}

#[test]
fn without_a_reply_keys_work_immediately() {
    let mut pty = dashboard("auto", "xterm-256color");
    pty.wait_for_bytes(QUESTION);
    pty.send("?");
    pty.wait_for("Keys: reports");
    // Escape could start a reply; after a short silence it is a key.
    pty.send("\x1b");
    pty.wait_until("the list of keys is closed", |screen| !screen.contents().contains("Keys: reports"));
    assert_eq!(pty.background(), vt100::Color::Default);
    leave(pty);
}

#[test]
fn consoles_and_named_themes_send_no_query() {
    for (theme, term, background) in [
        ("auto", "linux", vt100::Color::Default),
        ("auto", "screen", DARK),
        ("terminal", "xterm-256color", vt100::Color::Default),
        ("dark", "xterm-256color", DARK),
        ("light", "xterm-256color", LIGHT),
    ] {
        let mut pty = dashboard(theme, term);
        pty.send("?");
        pty.wait_for("Keys: reports");
        assert!(!pty.wrote(QUESTION), "{theme} on {term}");
        assert_eq!(pty.background(), background, "{theme} on {term}");
        pty.send("\x03");
        assert!(pty.wait().success());
    }
}
