//! Suspending and resuming under a shell with job control.

use std::time::Duration;

use portable_pty::CommandBuilder;

use super::{dashboard_of, environment};
use crate::support::own_process::{send_signal, wait_for_state};
use crate::support::pty::Pty;

/// Returns the foreground process of a shell.
fn job(shell: u32) -> u32 {
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    children.split_whitespace().last().unwrap().parse().unwrap()
}

/// Asks the system rather than the screen, because the terminal is released shortly before the stop.
fn wait_until_stopped(process: u32) {
    wait_for_state(process, &[Some('T')]);
}

/// Returns the screen without the parts that change with the clock.
pub fn timeless(screen: &str) -> String {
    screen.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }).collect()
}

#[test]
fn a_stopped_program_releases_the_terminal_and_resumes_at_its_new_size() {
    let home = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new("sh");
    command.arg("-i");
    environment(&mut command, home.path());
    command.env("PS1", "ready> ");
    let mut pty = Pty::start(command, 100, 30);
    pty.wait_for("ready>");
    pty.send(&format!("{}; echo left with $?\r", env!("CARGO_BIN_EXE_reportdeck")));
    pty.wait_for("No reports yet.");
    let program = job(pty.process());
    for (at, size) in [(0, (90, 28)), (1, (70, 20))] {
        if at == 0 {
            pty.send("\x1a");
        } else {
            send_signal(program, "TSTP");
        }
        pty.wait_until("the shell", |screen| !screen.alternate_screen() && screen.contents().contains("Stopped"));
        // The shell's first output may still be on the screen from before.
        wait_until_stopped(program);
        assert_eq!(pty.left_behind(), [""; 0], "while it is stopped");
        pty.read_until_quiet(Duration::from_millis(100));
        pty.resize(size.0, size.1);
        pty.send("fg\r");
        pty.wait_until("the dashboard", |screen| {
            screen.alternate_screen() && screen.contents().contains("No reports yet.")
        });
        pty.wait_until("paste and mouse", |screen| {
            screen.bracketed_paste() && screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None
        });
        let mut fresh = dashboard_of(home.path(), size.0, size.1);
        fresh.read_until_quiet(Duration::from_millis(150));
        pty.wait_until("the same as a fresh start", |screen| timeless(&screen.contents()) == timeless(&fresh.screen()));
        fresh.send("q");
        assert!(fresh.wait().success());
    }
    // A program that is killed while stopped does not take the terminal again.
    pty.send("\x1a");
    pty.wait_until("the shell", |screen| !screen.alternate_screen());
    wait_until_stopped(program);
    pty.read_until_quiet(Duration::from_millis(100));
    let before = pty.written().len();
    send_signal(program, "TERM");
    pty.send("fg; echo gone $((1+1))\r");
    pty.wait_for("gone 2");
    assert_eq!(pty.left_behind(), [""; 0]);
    let since = pty.written()[before..].to_vec();
    assert!(!since.windows(8).any(|bytes| bytes == b"\x1b[?1049h"), "it took the terminal again");
    pty.send("exit\r");
    pty.wait();
}

#[test]
fn without_a_shell_the_program_does_not_stop() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard_of(home.path(), 100, 30);
    pty.send("\x1a");
    pty.wait_for("No shell could resume");
    pty.signal("TSTP");
    pty.send("?");
    pty.wait_for("Keys: reports");
    pty.send("\x03");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}
