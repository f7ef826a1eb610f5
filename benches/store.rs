//! Lists of a service with 1,000,000 reports over a loopback connection: by cursor, by number, and first pages per
//! second.
//!
//! Prints the slowest median over every filter, order and direction, with its budget. The database (0.6 GB) stays in
//! the target directory until `cargo clean`.

#![allow(missing_docs, clippy::unwrap_used)] // a bench may panic

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;

use std::time::{Duration, Instant};

use reqwest::Method;
use support::{
    embedded_service::{Client, Running},
    seeded_database,
};
use tokio::runtime::Runtime;

const REPORTS: u64 = 1_000_000;
const LIST: &str = "/api/v1/reports";
const SORTS: [&str; 4] = ["id", "generated_at", "url", "result"];
const FILTERS: [&str; 4] = ["", "&project=site0.example", "&result=bad", "&project=site0.example&result=bad"];
/// Every URL contains the first, one in eight the second, one in 130 the third, one in 20,000 the fourth; one and two
/// letters have no index, and the last has no match.
const SEARCHES: [&str; 7] = ["example", "matcha", "tea/c", "tea/cup-12", "ea", "9", "nothing"];
/// Requests per figure, of which the median counts.
const SAMPLES: usize = 9;
/// Number of connections that concurrently request first pages.
const CONNECTIONS: u32 = 8;
const FIRST_PAGES: Duration = Duration::from_secs(5);

/// The slowest list of a kind: its median in milliseconds, and its query.
#[derive(Default)]
struct Slowest(f64, String);

impl Slowest {
    fn take(&mut self, median: f64, query: &str) {
        if median > self.0 {
            *self = Self(median, query.to_owned());
        }
    }

    fn print(&self, kind: &str, budget: &str) {
        println!("{kind}: {:.2} ms (budget {budget}), slowest at {}", self.0, self.1);
    }
}

async fn get(client: &Client, path: &str) -> serde_json::Value {
    client.get(path).await.expect(200).body
}

/// Returns the median time of a request whose response is read and discarded.
async fn median(client: &Client, path: &str) -> f64 {
    let mut times = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        let began = Instant::now();
        let response = client.request(Method::GET, path).send().await.unwrap();
        assert!(response.status().is_success(), "{path}");
        response.bytes().await.unwrap();
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times[SAMPLES / 2]
}

/// Returns the path of the page after one in the middle, if any.
async fn page_after(client: &Client, path: &str, page: i64) -> Option<String> {
    let body = get(client, &format!("{path}&page={page}")).await;
    body["meta"]["next_cursor"].as_str().map(|cursor| format!("{path}&cursor={cursor}"))
}

async fn pages(client: &Client) {
    let [mut first, mut by_cursor, mut by_number] = <[Slowest; 3]>::default();
    for (filter, sort) in FILTERS.iter().flat_map(|filter| SORTS.map(|sort| (filter, sort))) {
        for direction in ["asc", "desc"] {
            let path = format!("{LIST}?sort_by={sort}&sort={direction}{filter}");
            let last = get(client, &path).await["meta"]["last_page"].as_i64().unwrap();
            first.take(median(client, &path).await, &path);
            for page in [last / 2 + 1, last] {
                let path = format!("{path}&page={page}");
                by_number.take(median(client, &path).await, &path);
            }
            for page in [last / 3, last / 2, last - 1].into_iter().filter(|page| *page > 0) {
                if let Some(next) = page_after(client, &path, page).await {
                    by_cursor.take(median(client, &next).await, &path);
                }
            }
        }
    }
    first.print("first page", "5 ms");
    by_cursor.print("any page by cursor", "5 ms");
    by_number.print("any page by number", "150 ms");
}

async fn searches(client: &Client) {
    for search in SEARCHES {
        let path = format!("{LIST}?sort_by=generated_at&search={search}");
        let first = median(client, &path).await;
        let next = page_after(client, &path, 1).await;
        let second = match next {
            Some(next) => format!("{:.1} ms", median(client, &next).await),
            None => "none".to_owned(),
        };
        println!("search for {search}: first page {first:.1} ms, next page by cursor {second}");
    }
}

/// Returns how often per second the first page is served.
fn first_pages(runtime: &Runtime, client: &Client) {
    let until = Instant::now() + FIRST_PAGES;
    let answered = runtime.block_on(async {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                let client = client.clone();
                tokio::spawn(async move {
                    let mut answered = 0_u32;
                    while Instant::now() < until {
                        let response = client.request(Method::GET, LIST).send().await.unwrap();
                        response.bytes().await.unwrap();
                        answered += 1;
                    }
                    answered
                })
            })
            .collect();
        let mut answered = 0;
        for connection in connections {
            answered += connection.await.unwrap();
        }
        answered
    });
    println!("first pages: {:.0} per second (budget 1,500)", f64::from(answered) / FIRST_PAGES.as_secs_f64());
}

fn main() {
    let runtime = Runtime::new().unwrap();
    let data = seeded_database::grown(env!("CARGO_TARGET_TMPDIR").as_ref(), REPORTS);
    let running = runtime.block_on(Running::on(&data));
    first_pages(&runtime, &running.client);
    runtime.block_on(pages(&running.client));
    runtime.block_on(searches(&running.client));
}
