//! Redirected stdin, and terminals without capabilities.

use portable_pty::CommandBuilder;

use super::{environment, program};
use crate::support::pty::Pty;

#[test]
fn keys_come_from_the_terminal_even_if_stdin_is_redirected() {
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new("sh");
    environment(&mut command, home.path());
    command.args(["-c", "exec \"$0\" < /dev/null", env!("CARGO_BIN_EXE_reportdeck")]);
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("No reports yet.");
    pty.send("?");
    pty.wait_for("Keys: reports");
    pty.send("\x03");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}

#[test]
fn a_dumb_terminal_is_refused_and_nothing_is_drawn() {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.env("TERM", "dumb");
    let mut pty = Pty::start(command, 100, 30);
    assert_eq!(pty.wait().exit_code(), 1);
    let screen = pty.screen();
    assert!(screen.contains("TERM is dumb") && screen.contains("Set TERM"), "{screen}");
    assert!(!pty.written().contains(&0x1b), "{screen}");
    // A terminal without TERM counts as a dumb one.
    let mut command = program(home.path());
    command.env_remove("TERM");
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("No reports yet.");
    pty.send("q");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}
