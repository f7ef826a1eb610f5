//! Large lists on PostgreSQL: how much a page reads; and timings of both engines, printed for comparison.
//!
//! `REPORTDECK_STEPS=1000000 cargo test --release --test it engines::large_lists -- --ignored --nocapture`

use std::time::Instant;

use futures_util::future::join_all;
use reportdeck::service::{Proxies, StoreAddress};
use reqwest::Method;
use secrecy::ExposeSecret as _;

use crate::support::embedded_service::{Client, Running};
use crate::support::postgres::{Server, connect, wait_for_count};
use crate::support::seeded_rng::steps;
use crate::support::{postgres, seeded_database};

/// The same distribution of rows as in `seeded_database`: 1,700 projects for a million reports, a few of them large.
const ROWS: &str = "
    INSERT INTO projects (name, search_text, created_at)
    SELECT 'site' || n || '.example', 'site' || n || '.example', 1700000000000 + n FROM generate_series(0, $1 / 590) n;
    INSERT INTO reports (project_id, url, search_text, result, score, generated_at, created_at, updated_at, privacy, failed)
    SELECT project, url, url, n % 3, n % 101, time, time, time, 0, 'title' FROM (
        SELECT n, 1 + project AS project, 1700000000000 + n * 7919 % 63072000000 AS time,
               'https://site' || project || '.example/'
               || (ARRAY['tea','green','black','white','garden','kettle','leaf','matcha'])[1 + n * 31 % 8] || '/'
               || (ARRAY['cup','brew','water','news','price','order','cart','help'])[1 + n * 17 % 8] || '-' || n % 100000 AS url
        FROM (SELECT n, floor(($1 / 590) * power((n * 7907 % 10007) / 10007.0, 3))::bigint AS project
              FROM generate_series(1::bigint, $1) n) numbered) rows;
    UPDATE projects SET (reports, good, decent, bad) = (
        SELECT count(*), count(*) FILTER (WHERE result = 2), count(*) FILTER (WHERE result = 1), count(*) FILTER (WHERE result = 0)
        FROM reports WHERE project_id = projects.id);
    DELETE FROM projects WHERE reports = 0;
    VACUUM ANALYZE;";

async fn on(store: StoreAddress) -> Running {
    Running::on_store(store, None, Proxies::default()).await.unwrap()
}

/// Fills a new database of the service with this many reports.
async fn fill(url: &str, reports: usize) {
    for statement in ROWS.replace("$1", &reports.to_string()).split(';').filter(|part| !part.trim().is_empty()) {
        postgres::sql(url, statement).await;
    }
}

/// Returns the queries of lists without a search.
fn filters_and_sorts() -> impl Iterator<Item = String> {
    let filters = ["", "&project=site0.example", "&result=bad", "&project=site0.example&result=bad"];
    let sorts = ["id", "generated_at", "url", "result"];
    filters.into_iter().flat_map(move |filter| sorts.map(|sort| format!("sort_by={sort}{filter}")))
}

/// Returns the median of nine requests, in milliseconds.
async fn median(client: &Client, path: &str) -> f64 {
    let mut times = Vec::new();
    for _ in 0..9 {
        let began = Instant::now();
        let response = client.request(Method::GET, path).send().await.unwrap();
        assert!(response.status().is_success(), "{path}");
        response.bytes().await.unwrap();
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the path of the second page of this list.
async fn next(client: &Client, path: &str) -> String {
    let body = client.get(path).await.expect(200).body;
    body["meta"]["next_cursor"].as_str().map_or(path.to_owned(), |cursor| format!("{path}&cursor={cursor}"))
}

/// Returns the rows of reports read by the server so far: by sequential scans, and through indexes. The server updates
/// the numbers when a connection ends.
async fn rows_read(url: &str) -> (i64, i64) {
    let client = connect(url).await;
    let connections =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reportdeck' AND datname = current_database()";
    wait_for_count(&client, connections, |connections| connections == 0).await;
    let read = "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'reports'";
    let row = client.query_one(read, &[]).await.unwrap();
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn a_page_of_any_list_without_a_search_reads_little_more_than_its_rows() {
    if !postgres::is_there() {
        return;
    }
    let store = StoreAddress::Postgres(postgres::new_database().await.into());
    let StoreAddress::Postgres(url) = &store else { unreachable!("it is one") };
    let url = url.expose_secret().to_owned();
    on(store.clone()).await.service.shut_down().await;
    fill(&url, 6_000).await;
    let before = rows_read(&url).await;
    let running = on(store).await;
    let mut rows = 0;
    for list in filters_and_sorts().flat_map(|list| ["asc", "desc"].map(|way| format!("{list}&sort={way}&per_page=10")))
    {
        let path = format!("/api/v1/reports?{list}");
        let behind = next(&running.client, &path).await;
        rows += running.client.get(&behind).await.expect(200).data().len() * 2;
    }
    running.service.shut_down().await;
    let after = rows_read(&url).await;
    assert_eq!(rows, 32 * 2 * 10);
    assert_eq!(after.0 - before.0, 0, "no list scans the whole table");
    // The planner sorts a small project instead of scanning an index; otherwise no unnecessary row is read.
    assert!(after.1 - before.1 < 6_000, "64 pages read {} rows, and the table has 6,000", after.1 - before.1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures"]
async fn pages_of_a_large_list_are_timed_on_both_engines() {
    if !postgres::is_there() {
        return;
    }
    let reports = steps(100_000);
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let data = seeded_database::grown(&folder, reports as u64);
    let sqlite = on(data.as_path().into()).await;
    let url = postgres::new_database().await;
    let postgres = on(StoreAddress::Postgres(url.clone().into())).await;
    fill(&url, reports).await;
    println!("{reports} reports, medians in ms: SQLite, PostgreSQL, ratio");
    let deep = reports / 100 / 2;
    let mut lists: Vec<String> = filters_and_sorts().collect();
    lists.extend(["matcha", "kettle/cup-12", "ea", "nothing"].map(|text| format!("search={text}")));
    lists.push(format!("page={deep}"));
    for list in lists {
        let path = format!("/api/v1/reports?{list}");
        let (one, other) = (median(&sqlite.client, &path).await, median(&postgres.client, &path).await);
        print!("{list}: {one:.1}, {other:.1}, {:.1}", other / one);
        if !list.starts_with("page") {
            let (one, other) = (next(&sqlite.client, &path).await, next(&postgres.client, &path).await);
            let (one, other) = (median(&sqlite.client, &one).await, median(&postgres.client, &other).await);
            print!("; by cursor {one:.1}, {other:.1}, {:.1}", other / one);
        }
        println!();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures"]
async fn creates_of_one_and_of_three_instances_are_timed() {
    if !postgres::is_there() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    // Unlike the test server it syncs to the disk before it confirms, like a production server.
    let durable = ["fsync", "synchronous_commit", "full_page_writes"].map(|setting| format!("{setting}=on"));
    let server = Server::with(|_| durable.to_vec());
    let url = server.url_of_port(5432, "postgres");
    let stores = [
        ("SQLite, one instance", vec![StoreAddress::from(data.path())]),
        ("PostgreSQL, one instance", vec![StoreAddress::Postgres(url.clone().into())]),
        ("PostgreSQL, three instances", vec![StoreAddress::Postgres(url.into()); 3]),
    ];
    for (name, stores) in stores {
        let instances = join_all(stores.into_iter().map(on)).await;
        let began = Instant::now();
        let writers = (0..12).map(|writer| {
            let client = &instances[writer % instances.len()].client;
            async move {
                for number in 0..100 {
                    client.create(&format!("https://shop{writer}.example/{number}")).await;
                }
            }
        });
        join_all(writers).await;
        println!("{name}: {:.0} creates per second", 1_200.0 / began.elapsed().as_secs_f64());
    }
}
