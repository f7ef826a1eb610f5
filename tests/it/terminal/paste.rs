//! A pasted or typed megabyte, in every field that takes text.

use super::dashboard;
use crate::support::pty::{Pty, processor_time};

const MEGABYTE: usize = 1_000_000;
/// The most processor time, in clock ticks of 10 ms: 20 seconds. One second is enough in a release build.
const MOST_TICKS: u64 = 2_000;

/// A text as a terminal sends it when it is pasted.
fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

/// Quits, and checks the processor time used until then; the time on the clock depends on what else runs here.
#[track_caller]
fn quit(mut pty: Pty) {
    let ticks = processor_time(pty.process());
    println!("{ticks} ticks");
    pty.send("\x03");
    assert!(pty.wait().success());
    assert!(ticks < MOST_TICKS, "{ticks} ticks");
    assert_eq!(pty.left_behind(), [""; 0]);
}

#[test]
fn a_pasted_megabyte_triggers_no_keys_and_is_handled_quickly() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    // Outside a field a paste is ignored, although one of these letters is bound to quit.
    pty.send(&pasted(&"q".repeat(MEGABYTE)));
    pty.send("/");
    pty.send(&pasted(&"tea ".repeat(MEGABYTE / 4)));
    pty.wait_for("Truncated: this field holds at most 4 KiB");
    pty.send("\x15\x1b[27u");
    pty.wait_for("No reports yet.");
    pty.send("n");
    pty.wait_for("New report");
    pty.send(&pasted(&"https://shop.example/tea\n".repeat(MEGABYTE / 25)));
    pty.wait_for("Truncated: this field holds at most 128 KiB");
    // The list of URLs is truncated at a line break, and each line has the same URL.
    pty.send("\x15https://shop.example/tea\t\x1b[C\x1b[C\t");
    pty.wait_for("(•) password");
    pty.send(&pasted(&"s".repeat(MEGABYTE)));
    pty.wait_for("Rejected: this field holds at most 4 KiB");
    assert!(!pty.screen().contains("•••"), "the field is empty:\n{}", pty.screen());
    quit(pty);
}

#[test]
fn a_flood_of_typed_text_is_handled_and_later_keys_still_work() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    pty.send("/");
    // A fifth of a megabyte: a debug build takes ten seconds for a whole one.
    pty.send(&"tea ".repeat(MEGABYTE / 20));
    pty.send("\x15behind it");
    pty.wait_for("behind it");
    quit(pty);
}

#[test]
fn an_endless_paste_does_not_block_the_exit() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    pty.send("\x1b[200~the end of this never comes");
    pty.resize(90, 28);
    pty.signal("TERM");
    // The watchdog would have ended it with 143.
    assert!(pty.wait().success());
    assert_eq!(pty.left_behind(), [""; 0]);
}
