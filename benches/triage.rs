//! Triage at 100,000 reports: the time from the key to the finished screen, on the embedded service and on a service
//! with the documented fields only.
//!
//! Not a criterion bench, because each step needs the state left by the one before. The table shows the median of
//! several runs through the same keys, in milliseconds.

#![allow(missing_docs, dead_code, clippy::unwrap_used)] // a bench may panic

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{
    embedded_service,
    scripted_server::{RecordedRequest, Reply, ScriptedServer},
    seeded_database,
    session::Person,
};

const REPORTS: usize = 100_000;
/// For a service without paging data: fewer reports than the dashboard loads at most, since only then is the list
/// complete.
const PLAIN_REPORTS: usize = REPORTS - 50;
const RUNS: usize = 5;
/// The operations with their keys; each starts where the previous one ended.
const STEPS: [(&str, &str); 16] = [
    ("move one row", "j"),
    ("show only bad reports", "b"),
    ("mark all shown", "V"),
    ("clear the marks", "M"),
    ("mark a range to the end", "v G v"),
    ("undo, redo", "u U"),
    ("plan a re-run of all marked", "t"),
    ("close the plan", "esc"),
    ("set the state of all marked", "m enter"),
    ("undo the states", "u"),
    ("open the causes", "w"),
    ("close the causes", "esc esc esc"),
    ("sort by urgency", "s G k enter"),
    ("explain the urgency", "i"),
    ("open the queue", "esc Q"),
    ("mark one as done in the queue", "v"),
];

/// A service with the documented fields only, and without paging data.
async fn plain() -> ScriptedServer {
    ScriptedServer::start(|asked: &RecordedRequest| {
        let number = |name: &str| asked.parameter(name).and_then(|text| text.parse::<usize>().ok());
        let (page, size) = (number("page").unwrap_or(1), number("per_page").unwrap_or(10));
        let rows: Vec<Value> = match asked.path() {
            "/api/v1/reports" => ((page - 1) * size..page * size).filter(|at| *at < PLAIN_REPORTS).map(row).collect(),
            "/api/v1/projects" => vec![json!({"project": "shop.example", "created_at": "2024-05-02T09:15:00Z"})],
            path => {
                let id = path.rsplit('/').next().and_then(|id| id.parse::<usize>().ok()).unwrap_or(REPORTS);
                return Reply::Json(200, json!({ "data": row(REPORTS - id) }));
            }
        };
        Reply::Json(200, json!({ "data": rows }))
    })
    .await
}

fn row(at: usize) -> Value {
    let (id, day) = (REPORTS - at, at / 100);
    let result = ["bad", "decent", "good"][at * 7 % 11 % 3];
    let hours = i64::try_from(day).unwrap_or_default() * 24;
    let generated_at = jiff::Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_hours(480_000 - hours);
    json!({
        "id": id, "url": format!("https://shop.example/{}/page-{id}", at % 37), "project": "shop.example",
        "result": result, "generated_at": generated_at.to_string(), "privacy": 0, "password": null,
    })
}

async fn run(base_url: &str, journal: &Path) -> Vec<(&'static str, Duration)> {
    let began = Instant::now();
    let mut person = Person::with_journal(journal, base_url, embedded_service::KEY).await;
    person.resize(160, 48).await;
    let mut figures = vec![("all rows loaded and compared", began.elapsed())];
    assert!(person.session.app().reports.listing.loaded() >= PLAIN_REPORTS);
    for (what, keys) in STEPS {
        let began = Instant::now();
        person.press(keys).await;
        figures.push((what, began.elapsed()));
    }
    assert!(person.session.app().queue().is_some());
    person.press("esc L").await;
    let began = Instant::now();
    person.press("d").await;
    figures.push(("list untested reports", began.elapsed()));
    figures
}

async fn medians(base_url: &str) -> Vec<(&'static str, Duration)> {
    let folder = tempfile::tempdir().unwrap();
    let mut all: Vec<Vec<(&'static str, Duration)>> = Vec::new();
    for _ in 0..RUNS {
        all.push(run(base_url, &folder.path().join("journal.sqlite")).await);
    }
    let median = |at: usize| {
        let mut times: Vec<Duration> = all.iter().map(|run| run[at].1).collect();
        times.sort_unstable();
        (all[0][at].0, times[RUNS / 2])
    };
    (0..all[0].len()).map(median).collect()
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let data = seeded_database::grown(folder, REPORTS as u64);
    runtime.block_on(async {
        let embedded = embedded_service::Running::on(&data).await;
        let ours = medians(&embedded.service.base_url()).await;
        let plain = plain().await;
        let theirs = medians(&plain.base).await;
        println!("\n| {:<30} | embedded ms | plain ms |\n|---|---:|---:|", "step at 100,000 reports");
        for ((what, ours), (_, theirs)) in ours.iter().zip(&theirs) {
            let milliseconds = |time: &Duration| time.as_secs_f64() * 1_000.0;
            println!("| {what:<30} | {:>11.1} | {:>8.1} |", milliseconds(ours), milliseconds(theirs));
        }
    });
}
