//! Long use: memory, descriptors and the journal stay bounded. Runs in its own process, which it measures.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use reportdeck::api::limits::Limits;
use reportdeck::app::message::Message;
use reportdeck::domain::activity::Exchange;
use reportdeck::journal::{MOST_BYTES, MOST_SNAPSHOTS};

use crate::support::embedded_service::{KEY, Running};
use crate::support::seeded_rng::steps;
use crate::support::session::Person;

/// Environment variable that tells this program, started again, that it is the measured process.
const CHILD: &str = "REPORTDECK_TEST_SOAK";
/// Refreshes of a normal run; long runs set `REPORTDECK_STEPS=10000`.
const REFRESHES: usize = 120;
/// Messages for each refresh.
const MESSAGES: usize = 10;
/// Permitted growth after the first third, in bytes: allocators and SQLite's cache still grow.
const MARGIN: u64 = 24 << 20;
const PAGE: u64 = 4_096;

/// Resources of a process.
#[derive(Clone, Copy)]
struct Held {
    memory: u64,
    descriptors: usize,
    journal: u64,
}

impl Held {
    fn now(journal: &Path) -> Self {
        let statm = fs::read_to_string("/proc/self/statm").unwrap();
        let pages: u64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
        let size = |end: &str| fs::metadata(format!("{}{end}", journal.display())).map_or(0, |file| file.len());
        Self {
            memory: pages * PAGE,
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
            journal: size("") + size("-wal"),
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (memory, journal) = (self.memory >> 10, self.journal >> 10);
        write!(formatter, "{memory} KiB of memory, {} descriptors, journal {journal} KiB", self.descriptors)
    }
}

fn exchange(number: usize) -> Exchange {
    Exchange {
        at: jiff::Timestamp::now(),
        method: "GET",
        path: format!("/api/v1/reports?page={number}"),
        audits: false,
        status: Some(200),
        took: Duration::from_millis(3),
        bytes: 1_000,
        limit: None,
        attempt: 1,
        problem: String::new(),
    }
}

/// Helper process of the test below.
#[tokio::test]
async fn measured_process() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let (running, data) = Running::start().await;
    for number in 0..50 {
        running.client.create(&format!("https://shop{}.example/{number}", number % 5)).await;
    }
    let journal = data.path().join("journal.sqlite");
    let limits = Limits { first_pause: Duration::from_millis(1), ..Limits::default() };
    let mut person = Person::with_limits_and_journal(limits, &journal, &running.service.base_url(), KEY).await;
    let count = steps(REFRESHES);
    let (mut early, mut most) = (None, 0);
    for number in 0..count {
        // Every refresh brings a change, so that there is something to store.
        let asked = person.session.app().reports.listing.as_of;
        person.press(if number % 5 == 0 { "esc esc t j R" } else { "esc esc j R" }).await;
        let reports = &person.session.app().reports;
        assert!(reports.listing.as_of > asked, "no refresh:\n{}", person.screen());
        for message in 0..MESSAGES {
            person.session.handle(Message::Exchange(exchange(number * MESSAGES + message)));
            person.session.handle(Message::Tick);
        }
        let held = Held::now(&journal);
        most = most.max(held.journal);
        if number == count / 3 {
            early = Some(held);
        }
        if number % (count / 10).max(1) == 0 {
            println!("{number}: {held}");
        }
    }
    person.look().await;
    let (early, late) = (early.unwrap(), Held::now(&journal));
    println!("{count} refreshes, {} messages more: {early} -> {late}", count * MESSAGES * 2);
    assert!(late.memory <= early.memory + MARGIN, "{early} -> {late}");
    assert!(late.descriptors <= early.descriptors + 4, "{early} -> {late}");
    // The journal keeps a bounded number of lists; this one takes some hundred bytes per row.
    assert!(most <= (MOST_SNAPSHOTS as u64 * 64 * 1024).min(MOST_BYTES.unsigned_abs()) + (8 << 20), "{most}");
    let audits = running.script.begun.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!(audits, 50 + count.div_ceil(5), "every re-run was sent once");
    println!("FLAT");
}

#[test]
fn long_use_does_not_grow_memory_descriptors_or_the_journal() {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "trust::soak::measured_process", "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("FLAT"),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    println!("{stdout}");
}
