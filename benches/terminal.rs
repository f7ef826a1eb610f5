//! Response times as seen by a user: the release build in a pseudo-terminal of 160×48 on its embedded service with
//! 100,000 reports, with timestamped output. Peers from crates.io whose binaries are on the PATH (csvlens, tw, atac,
//! slumber) do the same work: single keys in turns, all programs side by side, everything else one after another.
//!
//! Not a criterion bench, because each figure needs a program in a certain state. `REPORTDECK_RUNS` sets the number of
//! runs, and `REPORTDECK_ALSO` names another build of ours to be measured with it.

#![allow(missing_docs, clippy::unwrap_used)] // a bench may panic

#[path = "support/peers.rs"]
mod peers;
#[path = "support/seen.rs"]
mod seen;
#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;
#[path = "support/table.rs"]
mod table;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use peers::Peer;
use portable_pty::CommandBuilder;
use seen::Seen;
use support::seeded_database;
use table::Table;

const REPORTS: u64 = 100_000;
const RUNS: usize = 5;
/// Number of starts measured in each run.
const STARTS: usize = 4;
/// Number of keys of one kind, each sent after the screen has settled. In turns the pause between two keys of one program
/// is longer: a report beside the list is complete by then.
const KEYS: usize = 30;
const HELD: usize = 200;
const REST: Duration = Duration::from_secs(10);
/// Pause after a list is complete, in which its rows are cached and compared.
const LOADED: Duration = Duration::from_millis(1_500);
/// Longer than a notice is shown (twelve seconds) and than idle threads wait for work (ten). After that a quiet screen
/// changes only by relative times of rows younger than an hour, every minute.
const SETTLE: Duration = Duration::from_secs(15);
/// Environment variable with the memory of the bare program, in KiB.
const HOLD: &str = "REPORTDECK_BENCH_HOLDS";
/// Printed by the bare program when it is ready.
const HELD_READY: &str = "holding";
/// What is measured, in the order of the table, with its unit.
const FIGURES: [(&str, &str); 26] = [
    ("start, first screen", "ms"),
    ("start, first rows", "ms"),
    ("key", "ms"),
    ("key, whole frame", "ms"),
    ("key, processor", "ms"),
    ("key, bytes", "B"),
    ("key after a pause, bytes", "B"),
    ("scroll by one row", "ms"),
    ("scroll by one row, whole frame", "ms"),
    ("scroll by one row, bytes", "B"),
    ("page", "ms"),
    ("page, whole frame", "ms"),
    ("200 keys held, each", "ms"),
    ("filter", "ms"),
    ("sort", "ms"),
    ("send", "ms"),
    ("rest 10 s, processor", "ms"),
    ("rest 10 s, wake-ups", ""),
    ("rest 10 s, bytes", "B"),
    ("memory", "MB"),
    ("memory, at most", "MB"),
    ("quit", "ms"),
    ("quit of a bare program with as much memory", "ms"),
    ("start again, first rows", "ms"),
    ("start again, memory", "MB"),
    ("start again, memory, at most", "MB"),
];

type Figures = BTreeMap<&'static str, Vec<f64>>;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Starts a program several times, each time with an empty home directory. A warm-up comes first: the time that the
/// disk takes to load a binary is not counted.
fn starts(peer: &Peer, note: &mut impl FnMut(&'static str, f64)) {
    for number in 0..=STARTS {
        let home = tempfile::tempdir().unwrap();
        let mut seen = Seen::start(peer.command(home.path()));
        let screen = seen.since_start(|screen| !screen.trim().is_empty());
        let rows = seen.since_start(|screen| screen.contains(&peer.ready));
        if number > 0 {
            note("start, first screen", milliseconds(screen));
            note("start, first rows", milliseconds(rows));
        }
        seen.since_start(|screen| screen.contains(&peer.loaded));
        seen.rest(Duration::from_millis(100));
        seen.quit(peer.quit);
    }
}

/// A program that is running beside the others.
struct Measured<'a> {
    peer: &'a Peer,
    figures: &'a mut Figures,
    seen: Seen,
    _home: tempfile::TempDir,
}

impl<'a> Measured<'a> {
    /// Starts a program and waits until its list is complete.
    fn start(peer: &'a Peer, figures: &'a mut Figures) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut seen = Seen::start(peer.command(home.path()));
        seen.since_start(|screen| screen.contains(&peer.loaded));
        seen.rest(LOADED);
        seen.press(peer.enter);
        Self { peer, figures, seen, _home: home }
    }

    fn note(&mut self, figure: &'static str, value: f64) {
        self.figures.entry(figure).or_default().push(value);
    }
}

/// Does something with every program in turns, [`KEYS`] times, each time beginning with another program.
fn in_turns(programs: &mut [Measured], mut each: impl FnMut(&mut Measured)) {
    let count = programs.len();
    for turn in 0..KEYS * count {
        each(&mut programs[(turn + turn / count) % count]);
    }
}

/// Measures single keys in all programs in turns: all see the same changes of the machine's speed.
fn single_keys(peers: &[Peer], figures: &mut [Figures]) {
    let programs = peers.iter().zip(figures);
    let mut programs: Vec<_> = programs.map(|(peer, figures)| Measured::start(peer, figures)).collect();
    in_turns(&mut programs, |program| {
        let before = program.seen.work();
        let key = program.seen.press(program.peer.line);
        program.note("key, processor", program.seen.work().since(&before).0);
        program.note("key", milliseconds(key.first));
        program.note("key, whole frame", milliseconds(key.whole));
        program.note("key after a pause, bytes", key.bytes as f64);
    });
    programs.retain(|program| !program.peer.page.is_empty());
    for program in &mut programs {
        for _ in KEYS..program.peer.lines {
            program.seen.press(program.peer.line);
        }
    }
    in_turns(&mut programs, |program| {
        let scrolled = program.seen.press(program.peer.line);
        program.note("scroll by one row", milliseconds(scrolled.first));
        program.note("scroll by one row, whole frame", milliseconds(scrolled.whole));
        program.note("scroll by one row, bytes", scrolled.bytes as f64);
    });
    in_turns(&mut programs, |program| {
        let turned = program.seen.press(program.peer.page);
        program.note("page", milliseconds(turned.first));
        program.note("page, whole frame", milliseconds(turned.whole));
    });
    for program in &mut programs {
        program.seen.quit(program.peer.quit);
    }
}

/// Measures one run of a program through all other operations.
fn run(peer: &Peer, figures: &mut Figures) {
    let home = tempfile::tempdir().unwrap();
    let mut note = |figure: &'static str, value: f64| figures.entry(figure).or_default().push(value);
    starts(peer, &mut note);
    let mut seen = Seen::start(peer.command(home.path()));
    seen.since_start(|screen| screen.contains(&peer.loaded));
    seen.rest(LOADED);
    seen.press(peer.enter);

    for _ in 0..KEYS {
        note("key, bytes", seen.press(peer.line).bytes as f64);
    }
    let held = seen.press(&peer.line.repeat(HELD));
    note("200 keys held, each", milliseconds(held.settled) / HELD as f64);
    seen.rest(Duration::from_millis(300));
    seen.press(peer.top);
    if let Some((typed, last, shows, back)) = &peer.filter {
        for letter in typed.chars() {
            seen.press(&letter.to_string());
        }
        note("filter", milliseconds(seen.answer(last, |screen| screen.contains(shows)).0));
        seen.rest(Duration::from_millis(700));
        seen.press(back);
        seen.rest(Duration::from_millis(700));
    }
    if let Some((prepare, last, shows, gone)) = &peer.sort {
        seen.press(peer.top);
        seen.press(prepare);
        let is_sorted = |screen: &str| screen.contains(shows) && !screen.contains(gone);
        note("sort", milliseconds(seen.answer(last, is_sorted).0));
        seen.rest(Duration::from_millis(700));
    }
    if let Some((prepare, keys, shows)) = peer.send {
        for _ in 0..5 {
            seen.press(prepare);
            seen.rest(Duration::from_millis(300));
            // The previous response is gone, so that it is not mistaken for this one.
            if seen.screen().contains(shows) {
                break;
            }
            note("send", milliseconds(seen.answer(keys, |screen| screen.contains(shows)).0));
        }
    }
    // Notices of the last change disappear, and idle threads end; then the program rests.
    seen.watch(SETTLE);
    let before = seen.work();
    let bytes = seen.watch(REST);
    let (time, wakes) = seen.work().since(&before);
    note("rest 10 s, processor", time);
    note("rest 10 s, wake-ups", wakes as f64);
    note("rest 10 s, bytes", bytes as f64);
    let (now, most, own) = seen.memory();
    note("memory", now as f64 / 1_024.0);
    note("memory, at most", most as f64 / 1_024.0);
    note("quit", milliseconds(seen.quit(peer.quit)));
    let mut bare = Seen::start(bare_program(own));
    bare.since_start(|screen| screen.contains(HELD_READY));
    note("quit of a bare program with as much memory", milliseconds(bare.quit("q\r")));

    // The second start finds the data of the first in the home directory: our cached rows must not use memory twice.
    let mut seen = Seen::start(peer.command(home.path()));
    note("start again, first rows", milliseconds(seen.since_start(|screen| screen.contains(&peer.ready))));
    seen.since_start(|screen| screen.contains(&peer.loaded));
    seen.rest(LOADED);
    let (now, most, _) = seen.memory();
    note("start again, memory", now as f64 / 1_024.0);
    note("start again, memory, at most", most as f64 / 1_024.0);
    seen.quit(peer.quit);
}

/// Runs this bench as a bare program that holds this much memory until a line is typed. The time the system takes to
/// free it is the lower bound for quitting.
fn bare_program(kibibytes: u64) -> CommandBuilder {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.env(HOLD, kibibytes.to_string());
    command
}

/// Runs as the bare program.
fn run_as_bare_program(kibibytes: usize) -> ! {
    // Every page is written to; otherwise the system would not allocate it.
    let held = std::hint::black_box(vec![1_u8; kibibytes * 1_024]);
    println!("{HELD_READY}");
    let _ = std::io::stdin().read_line(&mut String::new());
    std::mem::forget(held);
    std::process::exit(0);
}

/// Responds to every request at once, for the programs that send any.
fn start_responder() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut head = [0; 4_096];
                while stream.read(&mut head).is_ok_and(|count| count > 0) {
                    let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 7\r\n\r\nit came";
                    if stream.write_all(answer.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
    });
    port
}

/// Returns the value that `hundredths` percent of the values do not exceed: 50 gives the median.
fn quantile(values: &[f64], hundredths: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) * hundredths).div_ceil(100)]
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().flatten() {
        let copied = to.join(file.file_name());
        std::fs::copy(file.path(), &copied).unwrap();
        // Otherwise the disk would still be writing when the next program starts.
        std::fs::File::options().write(true).open(&copied).and_then(|copied| copied.sync_all()).unwrap();
    }
}

fn main() {
    if let Some(kibibytes) = std::env::var(HOLD).ok().and_then(|text| text.parse().ok()) {
        run_as_bare_program(kibibytes);
    }
    let runs = std::env::var("REPORTDECK_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(RUNS);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let grown = seeded_database::grown(folder, REPORTS);
    let work = tempfile::tempdir().unwrap();
    // Two builds of ours run side by side.
    let (data, other_data) = (work.path().join("data"), work.path().join("other"));
    copy(&grown, &data);
    let table = Table::of(&data, work.path().join("reports.csv"), "kettle/matcha-9");
    let mut all = vec![peers::ours(&data, &table)];
    all.extend(peers::other_build(&other_data, &table));
    all.extend(peers::peers(work.path(), &table, start_responder()));
    let mut figures: Vec<Figures> = all.iter().map(|_| Figures::new()).collect();
    // Writes of the previous programs are discarded.
    let renew = || {
        for data in [&data, &other_data] {
            let _ = std::fs::remove_dir_all(data);
            copy(&grown, data);
        }
    };
    for number in 1..=runs {
        eprintln!("run {number} of {runs}: single keys, in turns");
        renew();
        single_keys(&all, &mut figures);
        for (peer, figures) in all.iter().zip(&mut figures) {
            eprintln!("run {number} of {runs}: {}", peer.name);
            renew();
            run(peer, figures);
        }
    }
    print!("\n| median / 95th percentile of {runs} runs |");
    for peer in &all {
        print!(" {} |", peer.name);
    }
    println!("\n|---|{}", "---:|".repeat(all.len()));
    for (figure, unit) in FIGURES {
        print!("| {figure}{}{unit} |", if unit.is_empty() { "" } else { ", " });
        for figures in &figures {
            match figures.get(figure) {
                Some(values) => print!(" {:.2} / {:.2} |", quantile(values, 50), quantile(values, 95)),
                None => print!(" – |"),
            }
        }
        println!();
    }
    println!("\nOurs as a part of the best peer's (medians):");
    for (figure, _) in FIGURES {
        let of = |figures: &Figures| figures.get(figure).map(|values| quantile(values, 50));
        let peers = figures[1..].iter().zip(&all[1..]).filter(|(_, peer)| peer.name != peers::OTHER_BUILD);
        let best = peers.filter_map(|(figures, peer)| Some((of(figures)?, peer.name)));
        let best = best.filter(|(value, _)| *value > 0.0).min_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some(ours), Some((theirs, name))) = (of(&figures[0]), best) {
            println!("  {figure}: {:.2} × {name}", ours / theirs);
        }
    }
}
