//! The dashboard inside tmux: start, draw, resize, detach, attach, quit.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::{environment, program};
use crate::support::pty::Pty;
use crate::support::waiting::PATIENCE;

/// A private tmux server, stopped when dropped.
struct Tmux<'a>(&'a Path);

impl Tmux<'_> {
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.env_clear().env("HOME", self.0).env("TMUX_TMPDIR", self.0).env("TERM", "xterm-256color");
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8");
        command.args(["-L", "reportdeck-test", "-f", "/dev/null"]).args(arguments).output().unwrap()
    }

    fn attach(&self, columns: u16, rows: u16) -> Pty {
        let mut command = CommandBuilder::new("tmux");
        environment(&mut command, self.0);
        command.env("TMUX_TMPDIR", self.0);
        command.env("LANG", "C.UTF-8");
        command.args(["-L", "reportdeck-test", "attach"]);
        Pty::start(command, columns, rows)
    }

    fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            let shown = self.run(&["capture-pane", "-p"]);
            let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
            if holds(&shown) {
                return;
            }
            assert!(Instant::now() < until, "{what}:\n{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn the_dashboard_works_inside_tmux_through_resize_detach_and_attach() {
    if Command::new("tmux").arg("-V").output().is_err() {
        println!("not run: tmux is not installed");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let tmux = Tmux(home.path());
    let shell = ["new-session", "-d", "-x", "100", "-y", "30", "env", "PS1=ready>", "sh", "-i"];
    assert!(tmux.run(&shell).status.success());
    let command = program(home.path());
    let path = command.get_argv()[0].to_str().unwrap();
    tmux.run(&["send-keys", "-l", path]);
    tmux.run(&["send-keys", "Enter"]);
    tmux.wait_until("the dashboard", |shown| shown.contains("No reports yet."));
    let mut person = tmux.attach(80, 20);
    person.wait_for("No reports yet.");
    person
        .wait_until("its own size", |screen| screen.contents().lines().nth(18).is_some_and(|line| line.contains('┘')));
    person.resize(110, 34);
    person
        .wait_until("the new size", |screen| screen.contents().lines().nth(32).is_some_and(|line| line.contains('┘')));
    person.send("?");
    person.wait_for("Keys: reports");
    // Detached by a key of tmux, and attached in a terminal of another size.
    person.send("\x02d");
    assert!(person.wait().success());
    let mut other = tmux.attach(70, 24);
    other.wait_for("Keys: reports");
    other.send("\x03");
    other.wait_until("the shell", |screen| {
        let shown = screen.contents();
        !shown.contains("Keys: reports") && shown.contains("ready>")
    });
    let modes = tmux.run(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
    assert_eq!(String::from_utf8_lossy(&modes.stdout).trim(), "0 0 1", "terminal modes left by tmux");
    other.send("\x02d");
    assert!(other.wait().success());
}
