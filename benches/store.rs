//! What lists and writes cost as the database grows: 1,000, 100,000 and 1,000,000 reports, over a real connection.
//!
//! `cargo bench --bench store -- --quick` ends in a few minutes and prints the growth as a table. The databases are made
//! once and kept in the target directory (`CARGO_TARGET_TMPDIR`, about 0.6 GB), where `cargo clean` removes them.

#![allow(missing_docs, clippy::unwrap_used)] // made by criterion's macros; a bench may stop at the first surprise

#[path = "../tests/support/grown.rs"]
mod grown;
#[path = "../tests/support/service.rs"]
mod service;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use reqwest::Method;
use tokio::runtime::Runtime;

use service::{Client, Running};

const SIZES: [u64; 3] = [1_000, 100_000, 1_000_000];
const SORTS: [&str; 4] = ["id", "generated_at", "url", "result"];
const FILTERS: [(&str, &str); 4] = [
    ("all", ""),
    ("project", "&project=site0.example"),
    ("result", "&result=bad"),
    ("project, result", "&project=site0.example&result=bad"),
];
/// Every URL contains the first, one in eight the second, one in 130 the third, one in 20,000 the fourth; one and two
/// letters have no index, and the last is nowhere.
const SEARCHES: [&str; 7] = ["example", "matcha", "tea/c", "tea/cup-12", "ea", "9", "nothing"];
const REPORTS: &str = "/api/v1/reports";

/// What each case took, in milliseconds, by size.
type Figures = BTreeMap<String, [Option<f64>; SIZES.len()]>;

/// A service on one database, and whoever asks it.
struct Asked<'a> {
    runtime: &'a Runtime,
    running: Running,
    /// How often it was asked for a list.
    lists: Cell<u64>,
}

impl<'a> Asked<'a> {
    fn start(runtime: &'a Runtime, data: &Path) -> Self {
        Self { runtime, running: runtime.block_on(Running::on(data)), lists: Cell::default() }
    }

    fn client(&self) -> &Client {
        &self.running.client
    }

    /// Asks for a list, by a query with a parameter, and throws it away. The service keeps pages that are asked for again;
    /// what it does not know makes each query another one, so that each is read.
    fn get(&self, path: &str) -> Duration {
        self.lists.set(self.lists.get() + 1);
        let path = &format!("{path}&anew={}", self.lists.get());
        let began = Instant::now();
        self.runtime.block_on(async {
            let response = self.client().request(Method::GET, path).send().await.unwrap();
            assert!(response.status().is_success(), "{path}");
            response.bytes().await.unwrap();
        });
        began.elapsed()
    }

    fn last_page(&self, path: &str) -> i64 {
        let answer = self.runtime.block_on(self.client().get(path)).expect(200);
        answer.body["meta"]["last_page"].as_i64().unwrap()
    }

    fn create(&self) -> i64 {
        self.runtime.block_on(self.client().create("https://site1.example/made-by-the-bench"))
    }

    fn update(&self, id: i64) {
        let path = format!("{REPORTS}/{id}");
        self.runtime.block_on(self.client().send(Method::PUT, &path, &[("privacy", "1")])).expect(200);
    }

    fn delete(&self, id: i64) {
        self.runtime.block_on(self.client().delete(&format!("{REPORTS}/{id}"))).expect(200);
    }
}

/// Measures, and keeps the middle of what was measured.
struct Bench<'a> {
    criterion: &'a mut Criterion,
    figures: &'a mut Figures,
    size: usize,
}

impl Bench<'_> {
    fn keep(&mut self, name: &str, mut taken: Vec<Duration>) {
        taken.sort_unstable();
        if let Some(middle) = taken.get(taken.len() / 2) {
            self.figures.entry(name.to_owned()).or_default()[self.size] = Some(middle.as_secs_f64() * 1e3);
        }
    }

    fn measure(&mut self, name: &str, mut once: impl FnMut() -> Duration) {
        let mut taken = Vec::new();
        self.criterion.bench_function(&format!("{name}/{}", SIZES[self.size]), |bencher| {
            bencher.iter_custom(|times| {
                let begun = taken.len();
                taken.extend((0..times).map(|_| once()));
                taken[begun..].iter().sum()
            });
        });
        self.keep(name, taken);
    }
}

/// Every filter with every order: the first page, one in the middle, the last, and any.
fn pages(bench: &mut Bench<'_>, asked: &Asked<'_>) {
    for ((filter, condition), sort) in FILTERS.iter().flat_map(|filter| SORTS.map(|sort| (filter, sort))) {
        for direction in ["asc", "desc"] {
            let path = format!("{REPORTS}?sort_by={sort}&sort={direction}{condition}");
            let (name, last) = (format!("{filter} by {sort} {direction}"), asked.last_page(&path));
            bench.measure(&format!("first page: {name}"), || asked.get(&path));
            bench.measure(&format!("middle page: {name}"), || asked.get(&format!("{path}&page={}", last / 2 + 1)));
            bench.measure(&format!("last page: {name}"), || asked.get(&format!("{path}&page={last}")));
            let mut page = 1;
            bench.measure(&format!("any page: {name}"), || {
                page = (page * 7_919 + 13) % last + 1;
                asked.get(&format!("{path}&page={page}"))
            });
        }
    }
}

fn searches(bench: &mut Bench<'_>, asked: &Asked<'_>) {
    for search in SEARCHES {
        let path = format!("{REPORTS}?sort_by=generated_at&search={search}");
        bench.keep(&format!("search, first time: {search}"), vec![asked.get(&path)]);
        let last = asked.last_page(&path);
        bench.measure(&format!("search, again: {search}"), || asked.get(&path));
        bench
            .measure(&format!("search, middle page: {search}"), || asked.get(&format!("{path}&page={}", last / 2 + 1)));
    }
}

fn projects(bench: &mut Bench<'_>, asked: &Asked<'_>) {
    for (sort, query) in ["created_at", "project"].into_iter().flat_map(|sort| [(sort, ""), (sort, "&search=site1")]) {
        let path = format!("/api/v1/projects?sort_by={sort}{query}");
        bench.measure(&format!("projects: by {sort}{query}"), || asked.get(&path));
    }
}

/// Each takes along whatever the disk takes to be sure.
fn writes(bench: &mut Bench<'_>, asked: &Asked<'_>) {
    let timed = |work: &mut dyn FnMut()| {
        let began = Instant::now();
        work();
        began.elapsed()
    };
    bench.measure("write: create", || {
        let mut id = 0;
        let taken = timed(&mut || id = asked.create());
        asked.delete(id);
        taken
    });
    let id = asked.create();
    bench.measure("write: update", || timed(&mut || asked.update(id)));
    asked.delete(id);
    bench.measure("write: delete", || {
        let id = asked.create();
        timed(&mut || asked.delete(id))
    });
}

/// What a service that has just started knows nothing of, and what a client does that loads everything.
fn walks(bench: &mut Bench<'_>, runtime: &Runtime, data: &Path) {
    for sort in SORTS {
        let path = format!("{REPORTS}?sort_by={sort}&sort=desc");
        let cold = |_| {
            let asked = Asked::start(runtime, data);
            let page = asked.last_page(&path) / 2 + 1;
            asked.get(&format!("{path}&page={page}"))
        };
        bench.keep(&format!("middle page, first time: by {sort}"), (0..3).map(cold).collect());
    }
    let asked = Asked::start(runtime, data);
    for sort in ["id", "url"] {
        let path = format!("{REPORTS}?sort_by={sort}&sort=asc");
        let last = asked.last_page(&path);
        let each = |page| asked.get(&format!("{path}&page={page}"));
        // A short list is walked several times over.
        let pages = last.max(500);
        let whole: Duration = (0..pages).map(|at| each(at % last + 1)).sum();
        bench.keep(&format!("every page, per page: by {sort}"), vec![whole / u32::try_from(pages).unwrap()]);
        // One write before each page, on which everything remembered must follow; its own time is not counted.
        let written = |page| {
            asked.delete(asked.create());
            each(page)
        };
        let pages: Vec<i64> = (0..200).map(|at| 1 + (last - 1) * at / 199).collect();
        let whole: Duration = pages.iter().map(|page| written(*page)).sum();
        bench.keep(&format!("every page with writes between, per page: by {sort}"), vec![whole / 200]);
    }
}

/// The table of all figures, and before it, for the README, the slowest of each kind.
fn print(figures: &Figures) {
    let mut slowest: BTreeMap<&str, [f64; SIZES.len()]> = BTreeMap::new();
    for (name, taken) in figures {
        let kind = slowest.entry(name.split(':').next().unwrap_or(name)).or_default();
        for (slowest, taken) in kind.iter_mut().zip(taken) {
            *slowest = slowest.max(taken.unwrap_or_default());
        }
    }
    table("slowest of its kind, ms", slowest.iter().map(|(kind, taken)| (*kind, *taken)));
    table("each, ms", figures.iter().map(|(name, taken)| (name.as_str(), taken.map(Option::unwrap_or_default))));
}

fn table<'a>(title: &str, rows: impl Iterator<Item = (&'a str, [f64; SIZES.len()])>) {
    println!("\n| {title} | 1,000 | 100,000 | 1,000,000 | 1,000,000 : 1,000 |\n|---|---|---|---|---|");
    for (name, taken) in rows {
        let shown = taken.map(|taken| format!("{taken:.2}")).join(" | ");
        println!("| {name} | {shown} | {:.1} |", taken[2] / taken[0]);
    }
}

fn growth(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut figures = Figures::new();
    for (size, reports) in SIZES.into_iter().enumerate() {
        let began = Instant::now();
        let data = grown::grown(env!("CARGO_TARGET_TMPDIR").as_ref(), reports);
        println!("{reports} reports are there after {:.1} s", began.elapsed().as_secs_f64());
        let mut bench = Bench { criterion, figures: &mut figures, size };
        walks(&mut bench, &runtime, &data);
        let asked = Asked::start(&runtime, &data);
        searches(&mut bench, &asked);
        pages(&mut bench, &asked);
        projects(&mut bench, &asked);
        writes(&mut bench, &asked);
    }
    print(&figures);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(200))
        .without_plots();
    targets = growth
}
criterion_main!(benches);
