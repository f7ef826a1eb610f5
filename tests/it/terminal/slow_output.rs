//! A terminal on a slow line, and one that accepts no output.

use std::time::Duration;

use super::dashboard_of;

#[test]
fn a_blocked_terminal_does_not_block_the_exit() {
    let home = tempfile::tempdir().unwrap();
    for last in ["q", "\x03", "TERM"] {
        let mut pty = dashboard_of(home.path(), 200, 60);
        pty.output_rate.set(0);
        for column in 0..60 {
            // Each size needs a full redraw.
            pty.resize(140 + column, 60);
            pty.send("j");
            // At a user's pace: simultaneous keys would be drawn together, and the output would fit into the system's
            // buffers.
            std::thread::sleep(Duration::from_millis(8));
        }
        if last == "TERM" {
            pty.signal(last);
        } else {
            pty.send(last);
        }
        pty.wait_for_end();
        pty.output_rate.remove_limit();
        pty.wait();
        assert_eq!(pty.left_behind(), [""; 0], "after {last:?}");
    }
}

#[test]
fn a_slow_line_shows_the_latest_screen_and_loses_no_key() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard_of(home.path(), 80, 20);
    pty.read_until_quiet(Duration::from_millis(100));
    let before = pty.written().len();
    pty.output_rate.set(1024);
    // The keys arrive within a moment, and each changes much of the screen.
    for _ in 0..300 {
        pty.send("?");
        pty.send("\x1b[27u");
    }
    pty.send("/");
    for character in "all of these letters".chars() {
        pty.send(&character.to_string());
    }
    pty.wait_for("all of these letters");
    let written = pty.written().len() - before;
    println!("{written} bytes");
    assert!(written < 16_000, "{written} bytes for one change of the screen");
    let before = pty.written().len();
    pty.send("\x03");
    assert!(pty.wait().success());
    let written = pty.written().len() - before;
    println!("{written} bytes");
    assert!(written < 10 * 1024, "{written} bytes, ten seconds on this line, to quit");
    assert_eq!(pty.left_behind(), [""; 0]);
}
