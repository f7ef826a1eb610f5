//! `kill -9` during a stream of writes, fifty times: acknowledged writes are stored, others are complete or absent, and
//! the database opens.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reportdeck::service::seed::{SeedRow, seed};
use reqwest::Method;
use rusqlite::Connection;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::support::cli_user::{CliUser, page};
use crate::support::serve_process::{Caller, Serving, data_of, database_of, key_of};

const ROUNDS: u64 = 50;
/// Number of concurrent writers. Each one writes to its own reports, so that it knows their state.
const WRITERS: u64 = 6;
/// Number of reports at the start.
const SEEDED: i64 = 600;

/// One write.
#[derive(Debug, Clone)]
enum Write {
    Create(String),
    /// Sets a report to public or private.
    Privacy(i64, u8),
    Delete(i64),
}

/// The state that one writer expects.
#[derive(Debug, Default)]
struct Known {
    /// The writer's reports with their privacy.
    reports: BTreeMap<i64, u8>,
    /// The URLs of reports it created.
    pages: BTreeMap<i64, String>,
    /// The write that was sent but not acknowledged.
    open: Option<Write>,
    rng: u64,
}

impl Known {
    fn below(&mut self, sides: u64) -> u64 {
        // A linear congruential generator: the same fifty rounds each time, as far as threads allow.
        self.rng = self.rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.rng >> 33) % sides
    }

    fn next(&mut self, site: &str) -> Write {
        let at = self.below(1_000);
        let ids: Vec<i64> = self.reports.keys().copied().collect();
        let Some(id) = ids.get(usize::try_from(at).unwrap() % ids.len().max(1)) else {
            return Write::Create(format!("{site}/{}", self.rng));
        };
        match self.below(20) {
            0..3 => Write::Create(format!("{site}/{}", self.rng)),
            3..5 => Write::Delete(*id),
            _ => Write::Privacy(*id, 1 - self.reports[id]),
        }
    }

    /// Applies an acknowledged write, which must be stored from now on.
    fn answered(&mut self, write: &Write, body: &serde_json::Value) {
        match write {
            Write::Create(page) => {
                let id = body["data"]["id"].as_i64().unwrap();
                self.reports.insert(id, 0);
                self.pages.insert(id, page.clone());
            }
            Write::Privacy(id, privacy) => {
                self.reports.insert(*id, *privacy);
            }
            Write::Delete(id) => {
                self.reports.remove(id);
                self.pages.remove(id);
            }
        }
    }
}

/// The number of acknowledged writes in a round, and the number after which it ends.
struct Count {
    answered: AtomicU64,
    enough: u64,
    reached: Notify,
}

/// Writes until there is no response.
async fn write(mut known: Known, caller: Caller, site: Arc<str>, count: Arc<Count>) -> Known {
    loop {
        let write = known.next(&site);
        known.open = Some(write.clone());
        let request = match &write {
            Write::Create(page) => caller.request(Method::POST, "").form(&[("url", page)]),
            Write::Privacy(id, privacy) => caller.request(Method::PUT, &format!("/{id}")).form(&[("privacy", privacy)]),
            Write::Delete(id) => caller.request(Method::DELETE, &format!("/{id}")),
        };
        let Some((status, body)) = Caller::answered(request).await else { return known };
        assert!(matches!(status, 200 | 201), "{write:?}: {status} {body}");
        known.answered(&write, &body);
        known.open = None;
        if count.answered.fetch_add(1, Ordering::SeqCst) + 1 == count.enough {
            count.reached.notify_one();
        }
    }
}

/// When to kill the process: after this many responses and then this many yields of the test.
struct End {
    answers: u64,
    turns: u64,
}

/// One round: starts a service, lets all writers write, and kills it.
async fn round(person: &CliUser, key: &str, (known, end): (Vec<Known>, End), site: &Arc<str>) -> Vec<Known> {
    let serving = Serving::start(person);
    let count = Arc::new(Count { answered: AtomicU64::new(0), enough: end.answers, reached: Notify::new() });
    let mut writers = JoinSet::new();
    for known in known {
        writers.spawn(write(known, Caller::new(&serving.base_url, key), Arc::clone(site), Arc::clone(&count)));
    }
    count.reached.notified().await;
    // Not always right after a response, but at any time during the writes.
    for _ in 0..end.turns {
        tokio::task::yield_now().await;
    }
    serving.kill();
    writers.join_all().await
}

/// A report in the database: its privacy, its URL, and whether its results exist.
type Stored = BTreeMap<i64, (u8, String, bool)>;

/// Reads all reports, after checking the integrity of the file and the counts of projects.
fn stored(person: &CliUser) -> Stored {
    let database = Connection::open(database_of(person)).unwrap();
    let sound: String = database.query_one("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    database.execute("INSERT INTO report_search (report_search, rank) VALUES ('integrity-check', 1)", []).unwrap();
    for wrong in [
        "SELECT count(*) FROM pragma_foreign_key_check",
        "SELECT abs(reports - (SELECT count(*) FROM reports)) FROM totals",
        "SELECT count(*) FROM projects WHERE reports <> (SELECT count(*) FROM reports WHERE project_id = projects.id)",
    ] {
        let wrong: (i64, &str) = (database.query_one(wrong, [], |row| row.get(0)).unwrap(), wrong);
        assert_eq!(wrong.0, 0, "{}", wrong.1);
    }
    let sql = "SELECT id, privacy, url, EXISTS (SELECT 1 FROM results WHERE report_id = id) FROM reports";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?)))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Compares a writer's expected state with the stored one, adopts the outcome of its open write, and removes its
/// reports from the stored ones.
fn settle(known: &mut Known, stored: &mut Stored) {
    match known.open.take() {
        Some(Write::Create(page)) => {
            if let Some((id, (privacy, _, _))) = stored.iter().find(|(_, (_, url, _))| *url == page) {
                known.reports.insert(*id, *privacy);
                known.pages.insert(*id, page);
            }
        }
        Some(Write::Privacy(id, privacy)) => {
            let there = stored[&id].0;
            assert!(there == privacy || there == known.reports[&id], "{id} has neither the old nor the new state");
            known.reports.insert(id, there);
        }
        Some(Write::Delete(id)) if !stored.contains_key(&id) => {
            known.reports.remove(&id);
            known.pages.remove(&id);
        }
        Some(Write::Delete(_)) | None => {}
    }
    for (id, privacy) in &known.reports {
        let (there, url, whole) = stored.remove(id).unwrap_or_else(|| panic!("{id} was acknowledged and is missing"));
        assert_eq!(there, *privacy, "{id}");
        if let Some(page) = known.pages.get(id) {
            assert!(url == *page && whole, "{id} is incomplete: {url} {page} {whole}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_write_survives_fifty_kills() {
    let person = CliUser::new();
    person.configure("[serve]\naudit_allow = [\"127.0.0.0/8\"]");
    let key = key_of(&person);
    let rows = (0..SEEDED).map(|number| SeedRow {
        url: format!("https://shop.example/{number}"),
        project: format!("shop{}.example", number % 7),
        score: 50,
        generated_at: jiff::Timestamp::UNIX_EPOCH,
        failed: Vec::new(),
    });
    seed(&data_of(&person), rows).unwrap();
    let mut known: Vec<Known> = (0..WRITERS).map(|rng| Known { rng, ..Known::default() }).collect();
    for id in 1..=SEEDED {
        known[usize::try_from(id).unwrap() % 6].reports.insert(id, 0);
    }
    let site: Arc<str> = page().into();
    for number in 0..ROUNDS {
        // From the very first response to some dozens, so that the log is short or long, checkpointed or not.
        let end = End { answers: 1 + known[0].below(60), turns: known[0].below(1_000) };
        known = round(&person, &key, (known, end), &site).await;
        let mut stored = stored(&person);
        for known in &mut known {
            settle(known, &mut stored);
        }
        assert!(stored.is_empty(), "round {number}: no writer created {stored:?}");
    }
    let created: usize = known.iter().map(|known| known.pages.len()).sum();
    assert!(created > 20, "only {created} reports were created and stored");
}
