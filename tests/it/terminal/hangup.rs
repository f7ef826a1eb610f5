//! A terminal that is closed while the program runs: no process is left, with and without SIGHUP.

use std::io::Read as _;

use portable_pty::{ExitStatus, PtySize, native_pty_system};

use super::program;
use crate::support::waiting::wait_until;

#[test]
fn a_closed_terminal_ends_the_program() {
    let home = tempfile::tempdir().unwrap();
    // Only a session's controlling terminal sends SIGHUP when it is closed.
    for with_signal in [true, false] {
        let mut command = program(home.path());
        command.set_controlling_tty(with_signal);
        let size = PtySize { rows: 30, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut screen = vt100::Parser::new(30.try_into().unwrap(), 100.try_into().unwrap(), 0);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut bytes = [0; 4096];
        while !screen.screen().contents().contains("No reports yet.") {
            let count = reader.read(&mut bytes).unwrap();
            screen.process(&bytes[..count]);
        }
        drop((reader, pair.master));
        let exits = format!("the program exits without a terminal, with SIGHUP: {with_signal}");
        let mut status = None;
        wait_until(&exits, || {
            status = child.try_wait().unwrap();
            status.is_some()
        });
        // The watchdog, which saves nothing, would have ended it with 143.
        assert!(status.as_ref().is_some_and(ExitStatus::success), "{status:?} ({with_signal})");
    }
}
