//! Overhead of client and service: 100,000 reports through the client compared with a bare loop of the same requests
//! that discards the bodies, and a list of 100 compared with a handler that sends the same bytes from memory.
//!
//! Not a criterion bench, because ratios of alternating measurements in one run matter. The databases are shared with
//! the bench `store` and kept in the target directory.

#![allow(missing_docs, clippy::unwrap_used)] // a bench may panic

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)] // each bench uses only part of the shared helpers
mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reportdeck::api::client::{Client, Priority};
use reportdeck::api::decode::RowDetail;
use reportdeck::api::limits::Limits;
use reportdeck::domain::list::paging::{MOST_ROWS, NextStep, PageToken, Walk};
use reportdeck::domain::list::query::{Direction, ReportQuery, ReportSort};
use support::{
    embedded_service::{self, KEY, Running},
    seeded_database,
    session::{self, Person},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const RUNS: usize = 5;
const REPORTS: u64 = 100_000;
const PATH: &str = "/api/v1/reports?per_page=100&sort_by=generated_at&sort=desc";
/// Number of concurrent connections to the service; the next constant is the total number of requests.
const CONNECTIONS: usize = 8;
const REQUESTS: usize = 4_000;

fn query() -> ReportQuery {
    let sort = Some((ReportSort::GeneratedAt, Direction::Descending));
    ReportQuery { sort, per_page: Some(100), ..ReportQuery::default() }
}

/// Loads every page through the client; returns the number of reports.
async fn through_the_client(client: &Client) -> usize {
    let (query, mut walk, mut token, mut count) = (query(), Walk::capped(MOST_ROWS), PageToken::First, 0);
    loop {
        let page = client.list_reports(&query, &token, RowDetail::Row, Priority::Background).await.unwrap();
        count += page.rows.len();
        match walk.after_page(&page.next, page.rows.len(), page.rows.len()) {
            NextStep::Ask(next) => token = next,
            NextStep::End(_) => return count,
        }
    }
}

/// Sends the same requests and discards the bodies.
async fn bare(client: &embedded_service::Client) -> u64 {
    let mut bytes = 0;
    for page in 1..=REPORTS / 100 {
        let path = if page == 1 { PATH.to_owned() } else { format!("{PATH}&page={page}") };
        let response = client.request(reqwest::Method::GET, &path).send().await.unwrap();
        assert!(response.status().is_success());
        bytes += response.bytes().await.unwrap().len() as u64;
    }
    bytes
}

/// Runs the whole dashboard until all rows are loaded and compared.
async fn dashboard(base_url: &str) {
    let person = Person::at(base_url, KEY).await;
    assert_eq!(person.session.app().reports.listing.loaded() as u64, REPORTS);
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

async fn load(data: &Path) {
    let running = Running::on(data).await;
    let base_url = running.service.base_url();
    let base = session::connected(&base_url, KEY).base;
    let client = Client::new(base, KEY.into(), Arc::new(drop), Limits::default()).unwrap();
    // Each way once as a warm-up.
    assert_eq!(through_the_client(&client).await as u64, REPORTS);
    let bytes = bare(&running.client).await;
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        let began = Instant::now();
        bare(&running.client).await;
        times[0].push(began.elapsed());
        let began = Instant::now();
        through_the_client(&client).await;
        times[1].push(began.elapsed());
        let began = Instant::now();
        dashboard(&base_url).await;
        times[2].push(began.elapsed());
    }
    let [bare, client, dashboard] = times.map(median);
    println!("\n| 100,000 reports in 1,000 requests, {} MB | s | ratio |\n|---|---|---|", bytes / 1_000_000);
    println!("| bare loop, bodies thrown away | {bare:.2} | 1 |");
    println!("| through the client | {client:.2} | {:.2} |", client / bare);
    println!("| dashboard, until all is loaded, kept and arranged | {dashboard:.2} | {:.2} |", dashboard / bare);
}

/// A minimal HTTP connection with hardly any cost of its own.
struct Line {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Line {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: vec![0; 128 * 1024] }
    }

    /// Requests a path and returns the body of the response.
    async fn ask(&mut self, path: &str) -> &[u8] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {KEY}\r\n\r\n");
        self.stream.write_all(request.as_bytes()).await.unwrap();
        let (mut filled, mut end) = (0, None);
        loop {
            let count = self.stream.read(&mut self.buffer[filled..]).await.unwrap();
            assert!(count > 0, "the connection was closed");
            filled += count;
            if end.is_none() {
                let head = self.buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
                end = head.map(|head| (head, head + length(&self.buffer[..head])));
            }
            if let Some((head, end)) = end.filter(|(_, end)| filled >= *end) {
                return &self.buffer[head..end];
            }
        }
    }
}

fn length(head: &[u8]) -> usize {
    let text = std::str::from_utf8(head).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    let line =
        text.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
    line.unwrap().parse().unwrap()
}

/// Returns responses per second for the first `pages` pages of a list.
async fn per_second(address: &str, pages: u64) -> f64 {
    let left = Arc::new(AtomicUsize::new(REQUESTS));
    let began = Instant::now();
    let lines = (0..CONNECTIONS).map(|_| {
        let (left, address) = (Arc::clone(&left), address.to_owned());
        tokio::spawn(async move {
            let mut line = Line::open(&address).await;
            while let Ok(number) = left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
                let page = (number as u64 * 7_919 + 13) % pages + 1;
                line.ask(&format!("{PATH}&page={page}")).await;
            }
        })
    });
    for line in lines.collect::<Vec<_>>() {
        line.await.unwrap();
    }
    REQUESTS as f64 / began.elapsed().as_secs_f64()
}

/// Starts a handler that sends the same bytes from memory.
async fn from_memory(bytes: Vec<u8>) -> String {
    let bytes = bytes::Bytes::from(bytes);
    let handler = move || async move { ([("content-type", "application/json")], bytes) };
    let router = axum::Router::new().route("/api/v1/reports", axum::routing::get(handler));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

async fn requests(data: &Path, reports: u64) {
    let running = Running::on(data).await;
    let address = running.service.base_url().trim_start_matches("http://").to_owned();
    let mut line = Line::open(&address).await;
    let body = line.ask(PATH).await.to_vec();
    let memory = from_memory(body).await;
    // Once as a warm-up.
    per_second(&address, reports / 100).await;
    let mut rates = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        rates[0].push(per_second(&memory, 1).await);
        rates[1].push(per_second(&address, 1).await);
        rates[2].push(per_second(&address, reports / 100).await);
    }
    let [memory, first, any] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[RUNS / 2]
    });
    let beside = |rate: f64| format!("{rate:.0} | {:.2}", rate / memory);
    println!("| {reports} | {memory:.0} | {} | {} |", beside(first), beside(any));
}

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        load(&seeded_database::grown(folder, REPORTS)).await;
        println!(
            "\n| reports | from memory /s | first page /s | ratio | any page /s | ratio |\n|---|---|---|---|---|---|"
        );
        for reports in [1_000, 1_000_000] {
            requests(&seeded_database::grown(folder, reports), reports).await;
        }
    });
}
