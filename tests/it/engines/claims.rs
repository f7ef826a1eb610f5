//! Claims of audits, for any queue: eight workers audit each page once, and never two pages of a host at a time.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reportdeck::service::{AuditFailure, AuditResult, AuditTimes, PageAuditor, Worker, WorkerOptions};

use crate::engines::postgres_failures::try_on;
use crate::support::postgres::{self, connect, count, new_database, sql, wait_for_count};

const WORKERS: usize = 8;

/// Records which hosts are being audited, and how often each page was.
#[derive(Default)]
struct Watched(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    running: HashMap<String, u32>,
    most: u32,
    pages: HashMap<String, u32>,
}

impl Watched {
    /// Asserts that `pages` pages were audited, each once, and never two of a host at a time.
    fn check(&self, pages: usize) {
        let seen = self.0.lock().unwrap();
        assert_eq!(seen.most, 1, "concurrent audits of a host");
        assert_eq!((seen.pages.len(), seen.pages.values().sum::<u32>() as usize), (pages, pages), "each once");
    }
}

impl PageAuditor for Watched {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
        async move {
            let host = url.split('/').nth(2).unwrap().to_owned();
            {
                let mut seen = self.0.lock().unwrap();
                let running = seen.running.entry(host.clone()).or_default();
                *running += 1;
                let now = *running;
                seen.most = seen.most.max(now);
                *seen.pages.entry(url.to_owned()).or_default() += 1;
            }
            // Lets other audits run meanwhile.
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            *self.0.lock().unwrap().running.get_mut(&host).unwrap() -= 1;
            Ok(AuditResult { url: url.to_owned(), project: host, score: 90, checks: Vec::new() })
        }
        .boxed()
    }
}

/// Returns statements that queue pages: each with the number of its host and its priority.
fn queue(jobs: &[(u8, i16)]) -> String {
    let mut statements = String::new();
    for (number, (host, priority)) in jobs.iter().enumerate() {
        let purpose = format!(
            r#"{{"url":"https://{host}.example/{number}","purpose":{{"create":{{"privacy":0,"password_hash":null}}}}}}"#
        );
        write!(
            statements,
            "INSERT INTO hosts VALUES ('{host}.example', 0) ON CONFLICT DO NOTHING; \
             INSERT INTO audits (host, priority, purpose) VALUES ('{host}.example', {priority}, '{purpose}');"
        )
        .unwrap();
    }
    statements
}

async fn audit_all(url: &str, jobs: &[(u8, i16)]) {
    // Creates the tables first.
    drop(try_on(url).await.unwrap());
    sql(url, &queue(jobs)).await;
    let watched = Arc::new(Watched::default());
    let workers = (0..WORKERS).map(|_| {
        Worker::start(WorkerOptions {
            audits: Arc::clone(&watched) as Arc<dyn PageAuditor>,
            store: reportdeck::service::StoreAddress::Postgres(url.into()),
            max_audits: 2,
            audit_times: AuditTimes::default(),
        })
    });
    let workers: Vec<Worker> = join_all(workers).await.into_iter().map(Result::unwrap).collect();
    let client = connect(url).await;
    wait_for_count(&client, "SELECT count(*) FROM audits WHERE state <> 2", |unfinished| unfinished == 0).await;
    join_all(workers.into_iter().map(Worker::shut_down)).await;
    watched.check(jobs.len());
    assert_eq!(usize::try_from(count(&client, "SELECT count(*) FROM reports").await), Ok(jobs.len()));
    let left = "SELECT count(*) FROM audits WHERE attempt <> 1 OR purpose <> '' OR outcome NOT LIKE '{\"Stored\":%'";
    assert_eq!(count(&client, left).await, 0, "no page is left in the queue");
}

#[test]
fn eight_workers_audit_each_page_once_and_one_page_of_a_host_at_a_time() {
    if !postgres::is_there() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let jobs = prop::collection::vec((0..6_u8, 0..3_i16), 100..300);
    let mut runner =
        TestRunner::new(Config { cases: 4, max_shrink_iters: 0, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&jobs, |jobs| {
        runtime.block_on(async {
            let url = new_database().await;
            audit_all(&url, &jobs).await;
        });
        Ok(())
    });
    ran.unwrap();
}

#[tokio::test]
async fn audits_with_a_waiting_client_come_first_and_then_the_oldest() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    drop(try_on(&url).await.unwrap());
    sql(&url, &queue(&[(0, 2), (1, 1), (2, 0), (3, 0), (4, 1)])).await;
    let order = Arc::new(Ordered::default());
    let worker = Worker::start(WorkerOptions {
        audits: Arc::clone(&order) as Arc<dyn PageAuditor>,
        store: reportdeck::service::StoreAddress::Postgres(url.as_str().into()),
        max_audits: 1,
        audit_times: AuditTimes::default(),
    });
    let worker = worker.await.unwrap();
    let client = connect(&url).await;
    wait_for_count(&client, "SELECT count(*) FROM audits WHERE state <> 2", |unfinished| unfinished == 0).await;
    worker.shut_down().await;
    let order = order.0.lock().unwrap();
    let pages: Vec<&str> = order.iter().map(|url| url.rsplit('/').next().unwrap()).collect();
    assert_eq!(pages, ["2", "3", "1", "4", "0"]);
}

/// Records the order of audits.
#[derive(Default)]
struct Ordered(Mutex<Vec<String>>);

impl PageAuditor for Ordered {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
        self.0.lock().unwrap().push(url.to_owned());
        async move { Err(AuditFailure::Unfinished("as the test wants it".to_owned())) }.boxed()
    }
}
