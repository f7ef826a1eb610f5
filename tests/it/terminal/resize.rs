//! Every terminal size, and many resizes in quick succession.

use super::{dashboard_of, program};
use crate::support::own_process::freeze;
use crate::support::pty::Pty;
use crate::terminal::job_control::timeless;

#[test]
fn a_terminal_without_cells_is_drawn_once_it_has_some() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(program(home.path()), 0, 0);
    pty.wait_for_bytes("\x1b[?1049h");
    for (columns, rows) in [(0, 30), (100, 0), (1, 1), (0, 0)] {
        pty.resize(columns, rows);
        pty.send("j");
    }
    pty.resize(100, 30);
    pty.wait_for("No reports yet.");
    pty.resize(0, 0);
    pty.send("q");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}

#[test]
fn after_many_resizes_the_screen_equals_a_fresh_start() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard_of(home.path(), 100, 30);
    for step in 0_u16..600 {
        pty.resize(step.wrapping_mul(7_919) % 240, step.wrapping_mul(39_209) % 80);
        if step % 5 == 0 {
            pty.send(["\t", "j", "p", "p", "G"][usize::from(step / 5 % 5)]);
        }
    }
    pty.send("2");
    pty.resize(97, 31);
    let mut fresh = dashboard_of(home.path(), 97, 31);
    fresh.read_until_quiet(std::time::Duration::from_millis(150));
    let same = format!("the same as a fresh start:\n{}\n", fresh.screen());
    pty.wait_until(&same, |screen| timeless(&screen.contents()) == timeless(&fresh.screen()));
    fresh.send("q");
    assert!(fresh.wait().success());
    pty.send("q");
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}

#[test]
fn a_screen_that_was_cut_and_has_its_size_back_is_drawn_again() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard_of(home.path(), 100, 30);
    pty.read_until_quiet(std::time::Duration::from_millis(150));
    let before = timeless(&pty.screen());
    // A stopped program sees only the last of several sizes, as a busy one does.
    freeze(pty.process());
    pty.resize(30, 8);
    pty.resize(100, 30);
    assert_ne!(timeless(&pty.screen()), before, "the emulator drops what does not fit");
    pty.signal("CONT");
    pty.wait_until("the same as before", |screen| timeless(&screen.contents()) == before);
    pty.send("q");
    assert!(pty.wait().success());
}
