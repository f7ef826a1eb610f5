//! How many instructions a frame, a key, a filter and a sort take, where `valgrind` is there to count them.
//!
//! This test runs itself under it, which counts inside of one function alone. Where
//! there is no `valgrind` it says so; what is counted without it stands beside this.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::work::Desk;

/// Which work is done, and how often.
const WORK: &str = "REPORTDECK_GUARD_WORK";
const ROWS: &str = "REPORTDECK_GUARD_ROWS";
const TIMES: u64 = 5;
/// Rows of what is counted: more make building them take long under valgrind.
const FEW: usize = 500;
/// Rows at which a frame and a key must cost the same.
const MANY: usize = 4_000;

/// What is counted, and how many thousand instructions it may take in a debug build.
type Kind = (&'static str, fn(&mut Desk), u64);

const KINDS: [Kind; 4] =
    [("frame", Desk::draw, 16_000), ("key", key, 37), ("filter and back", filter, 8_400), ("sort", sort, 3_600)];

fn key(desk: &mut Desk) {
    desk.press("j");
}

fn filter(desk: &mut Desk) {
    desk.paste_filter("page-99");
    desk.press("esc");
}

fn sort(desk: &mut Desk) {
    desk.press("S");
}

/// The work itself: nothing when it is run as a test.
#[test]
fn the_work_that_is_counted() {
    let (Ok(kind), Ok(rows)) = (std::env::var(WORK), std::env::var(ROWS)) else { return };
    let (_, act, _) = KINDS.iter().find(|(name, ..)| *name == kind).unwrap();
    let mut desk = Desk::with(rows.parse().unwrap());
    desk.press("s home j enter");
    // Buffers that are kept grow once.
    act(&mut desk);
    counted_alone(&mut desk, *act);
}

/// Only what happens in here is counted: valgrind is told its name, and to turn counting around wherever it finds it, so
/// that no closure may have it too.
#[inline(never)]
fn counted_alone(desk: &mut Desk, act: fn(&mut Desk)) {
    for _ in 0..TIMES {
        act(desk);
    }
}

fn instructions(folder: &Path, kind: &str, rows: usize) -> u64 {
    let out = folder.join(format!("{kind}-{rows}"));
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--toggle-collect=*counted_alone*"]);
    command.arg(format!("--callgrind-out-file={}", out.display()));
    command.arg(std::env::current_exe().unwrap());
    command.args(["--exact", "instructions::the_work_that_is_counted", "--test-threads=1"]);
    command.env(WORK, kind).env(ROWS, rows.to_string()).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = std::fs::read_to_string(&out).unwrap();
    let total = told.lines().find_map(|line| line.strip_prefix("totals: ")).unwrap();
    total.trim().parse::<u64>().unwrap() / TIMES / 1_000
}

#[test]
fn work_takes_no_more_instructions_than_it_did() {
    let there = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        println!("no valgrind here: instructions are not counted; what needs none was counted");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (few, many) = std::thread::scope(|scope| {
        let count = |kind, rows| scope.spawn(move || instructions(folder, kind, rows));
        let few = KINDS.map(|(kind, ..)| count(kind, FEW));
        let many = ["frame", "key"].map(|kind| count(kind, MANY));
        (few.map(|counted| counted.join().unwrap()), many.map(|counted| counted.join().unwrap()))
    });
    for ((kind, _, bound), counted) in KINDS.into_iter().zip(few) {
        crate::within(&format!("thousand instructions of {kind}"), counted, bound);
    }
    for ((kind, ..), (few, many)) in KINDS.into_iter().zip(few.into_iter().zip(many)) {
        println!("thousand instructions of {kind}: {few} at {FEW} rows, {many} at {MANY}");
        assert!(many.abs_diff(few) * 20 <= few, "{kind}: {few} at {FEW} rows, {many} at {MANY}");
    }
}
