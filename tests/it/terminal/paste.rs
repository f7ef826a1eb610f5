//! A pasted or typed megabyte, in every field that takes text.

use std::time::{Duration, Instant};

use super::dashboard;

const MEGABYTE: usize = 1_000_000;
/// One second is enough in a release build; a debug build on a busy machine needs more.
const SOON: Duration = Duration::from_secs(20);

/// A text as a terminal sends it when it is pasted.
fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

#[test]
fn a_pasted_megabyte_triggers_no_keys_and_is_handled_quickly() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    let began = Instant::now();
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
    pty.send("\x03");
    assert!(pty.wait().success());
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    println!("pasted in {:?}", began.elapsed());
    assert_eq!(pty.left_behind(), [""; 0]);
}

#[test]
fn a_flood_of_typed_text_is_handled_and_later_keys_still_work() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    let began = Instant::now();
    pty.send("/");
    // A fifth of a megabyte: a debug build takes ten seconds for a whole one.
    pty.send(&"tea ".repeat(MEGABYTE / 20));
    pty.send("\x15behind it");
    pty.wait_for("behind it");
    pty.send("\x03");
    assert!(pty.wait().success());
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    println!("typed in {:?}", began.elapsed());
}

#[test]
fn an_endless_paste_does_not_block_the_exit() {
    let home = tempfile::tempdir().unwrap();
    let mut pty = dashboard(home.path());
    pty.send("\x1b[200~the end of this never comes");
    pty.resize(90, 28);
    pty.signal("TERM");
    let asked = Instant::now();
    pty.wait_for_end();
    // The watchdog would have taken five seconds.
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    pty.wait();
    assert_eq!(pty.left_behind(), [""; 0]);
}
