//! Lists: every parameter with every allowed value, total orders, pages without overlap, links.

use std::collections::BTreeSet;

use reportdeck::service::seed::{SeedRow, seed_store};
use reqwest::{Method, Url};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::embedded_service::{Answer, Client, Running, sent, store_of};

const RESULTS: [&str; 3] = ["bad", "decent", "good"];

/// A service with this many reports in three projects. Many share a URL, a result and a time.
pub(super) async fn seeded(reports: usize) -> (Running, TempDir) {
    let data = tempfile::tempdir().unwrap();
    let rows = (0..reports).map(|number| SeedRow {
        url: format!("https://shop{}.example/Page_{}", number % 3, number % 7),
        project: format!("shop{}.example", number % 3),
        score: [20, 60, 90][number % 5 % 3],
        generated_at: format!("2026-01-{:02}T10:00:00Z", number % 4 + 1).parse().unwrap(),
        failed: vec!["title".into()],
    });
    assert_eq!(seed_store(store_of(data.path()).await, rows.collect()).await.unwrap(), reports);
    (Running::on(data.path()).await, data)
}

/// Reads all pages of a list by following its links.
async fn walk(client: &Client, path: &str) -> Vec<Answer> {
    let mut pages = vec![client.get(path).await.expect(200)];
    while let Some(next) = pages.last().unwrap().body["links"]["next"].as_str() {
        let next = Url::parse(next).unwrap();
        let relative = format!("{}?{}", next.path(), next.query().unwrap());
        pages.push(client.get(&relative).await.expect(200));
    }
    pages
}

fn rank(row: &Value) -> usize {
    RESULTS.iter().position(|word| row["result"] == *word).unwrap()
}

/// Returns the sort key of a row as text that sorts as the service should.
fn key(row: &Value, sort_by: &str) -> (String, i64) {
    let id = row["id"].as_i64().unwrap();
    let key = match sort_by {
        "id" => String::new(),
        "result" => rank(row).to_string(),
        field => row[field].as_str().unwrap().to_owned(),
    };
    (key, id)
}

#[tokio::test]
async fn every_filter_works_with_every_order_and_pages_never_overlap() {
    let (running, _data) = seeded(130).await;
    let filters = ["", "&project=shop1.example", "&result=bad", "&project=shop1.example&result=good", "&search=shop2"];
    for filter in filters {
        for sort_by in ["id", "generated_at", "url", "result"] {
            for sort in ["asc", "desc"] {
                let query = format!("/api/v1/reports?sort_by={sort_by}&sort={sort}&per_page=25{filter}");
                let pages = walk(&running.client, &query).await;
                let rows: Vec<&Value> = pages.iter().flat_map(Answer::data).collect();
                let distinct: BTreeSet<i64> = rows.iter().map(|row| row["id"].as_i64().unwrap()).collect();
                assert_eq!(distinct.len(), rows.len(), "{query}: pages overlap");
                assert_eq!(pages[0].body["meta"]["total"], rows.len(), "{query}");
                let mut keys: Vec<_> = rows.iter().map(|row| key(row, sort_by)).collect();
                if sort == "desc" {
                    keys.reverse();
                }
                assert!(keys.is_sorted(), "{query}: {keys:?}");
                if filter.contains("shop1") {
                    assert!(rows.iter().all(|row| row["project"] == "shop1.example"), "{query}");
                }
                if let Some(result) = RESULTS.iter().find(|result| filter.ends_with(*result)) {
                    assert!(rows.iter().all(|row| row["result"] == *result), "{query}");
                }
                assert!(!rows.is_empty(), "{query}");
            }
        }
    }
}

#[tokio::test]
async fn defaults_are_those_of_the_interface() {
    let (running, _data) = seeded(130).await;
    let listed = running.client.get("/api/v1/reports").await.expect(200);
    assert_eq!(listed.ids(), (31..=130).rev().collect::<Vec<_>>(), "by id, newest first, a hundred rows");
    let named = "/api/v1/reports?search=&search_by=url&project=&result=&sort_by=id&sort=desc&per_page=100&page=1";
    assert_eq!(running.client.get(named).await.expect(200).data(), listed.data());
    let unknown = "/api/v1/reports?colour=red&per_page=&page=";
    assert_eq!(running.client.get(unknown).await.expect(200).data(), listed.data(), "unknown parameters are ignored");
    let twice = "/api/v1/reports?sort=desc&sort=asc";
    assert_eq!(running.client.get(twice).await.expect(200).ids()[0], 1, "the last of several values counts");
    for size in [10, 25, 50, 100] {
        let listed = running.client.get(&format!("/api/v1/reports?per_page={size}")).await.expect(200);
        assert_eq!(listed.data().len(), size);
        assert_eq!(listed.body["meta"]["per_page"], size);
    }
}

#[tokio::test]
async fn links_keep_the_query_and_a_page_past_the_end_is_empty() {
    let (running, _data) = seeded(45).await;
    let base = running.service.base_url();
    let query = "search=Page_&result=bad&per_page=10";
    let listed = running.client.get(&format!("/api/v1/reports?{query}&page=2")).await.expect(200);
    let link = |page: u8| format!("{base}/api/v1/reports?{query}&page={page}");
    let links = &listed.body["links"];
    let meta = &listed.body["meta"];
    assert_eq!(meta["total"], 18);
    assert_eq!(links["first"], link(1));
    assert_eq!(links["prev"], link(1));
    assert_eq!(links["next"], Value::Null);
    assert_eq!(links["last"], link(2));
    assert_eq!((&meta["from"], &meta["to"]), (&11.into(), &18.into()));
    assert_eq!((&meta["current_page"], &meta["last_page"]), (&2.into(), &2.into()));
    assert_eq!(meta["path"], format!("{base}/api/v1/reports"));

    for page in ["3", "1000000", "99999999999999999999999"] {
        let past = running.client.get(&format!("/api/v1/reports?{query}&page={page}")).await.expect(200);
        assert!(past.data().is_empty());
        assert_eq!(past.body["meta"]["total"], 18);
        assert_eq!(past.body["meta"]["from"], Value::Null);
        assert_eq!(past.body["links"]["next"], Value::Null);
        assert_eq!(past.body["links"]["prev"], link(2), "the previous page is the last one with rows");
    }
}

#[tokio::test]
async fn an_empty_service_has_one_empty_page() {
    let (running, _data) = Running::start().await;
    for path in ["/api/v1/reports", "/api/v1/projects", "/api/v1/reports?project=nobody", "/api/v1/reports?search=x"] {
        let listed = running.client.get(path).await.expect(200);
        assert!(listed.data().is_empty());
        let meta = &listed.body["meta"];
        assert_eq!((&meta["total"], &meta["last_page"]), (&0.into(), &1.into()), "{path}");
    }
}

#[tokio::test]
async fn searches_match_literal_substrings_in_any_case() {
    let (running, _data) = Running::start().await;
    for url in ["https://Shop.example/Tea_100%25?q=\"x\"*", "https://blog.example/b%C3%BCcher", "https://b.example/"] {
        running.client.create(url).await;
    }
    let table = [
        ("tea", 1),
        ("TEA_", 1),
        ("example", 3),
        ("g.", 1),
        ("/", 3),
        ("_", 1),
        ("%25", 2), // one percent sign after decoding
        ("%25%25", 0),
        ("%2A", 1),
        ("%22", 1), // as typed
        ("AND", 0),
        ("tea+OR+blog", 0),
        ("ex*", 0),
        ("%00", 0),
        ("abc%00", 0),
        ("shop.example%2Ftea", 1),
    ];
    for (search, expected) in table {
        let listed = running.client.get(&format!("/api/v1/reports?search={search}")).await.expect(200);
        assert_eq!(listed.data().len(), expected, "{search}: {:?}", listed.texts("url"));
        assert_eq!(listed.body["meta"]["total"], expected, "{search}");
    }
}

#[tokio::test]
async fn projects_are_listed_with_their_counts() {
    let (running, _data) = Running::start().await;
    for (project, score) in [("beta", 90), ("alpha", 50), ("beta", 10), ("Gamma", 90), ("beta", 60), ("beta", 95)] {
        running.client.create(&format!("https://shop.example/?project={project}&score={score}")).await;
    }
    let client = &running.client;
    let get = |query: &'static str| async move { client.get(&format!("/api/v1/projects?{query}")).await.expect(200) };
    let listed = get("").await;
    assert_eq!(listed.texts("project"), ["Gamma", "alpha", "beta"], "newest first");
    let beta = &listed.data()[2];
    let counts = ["reports", "good", "decent", "bad"].map(|count| beta[count].as_i64().unwrap());
    assert_eq!(counts, [4, 2, 1, 1]);
    assert!(beta["created_at"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok());
    assert_eq!(get("sort=asc&sort_by=created_at").await.texts("project"), ["beta", "alpha", "Gamma"]);
    assert_eq!(get("sort=asc&sort_by=project").await.texts("project"), ["Gamma", "alpha", "beta"]);
    assert_eq!(get("sort=desc&sort_by=project&search_by=project").await.texts("project"), ["beta", "alpha", "Gamma"]);
    assert_eq!(get("search=ALPH").await.texts("project"), ["alpha"]);
    assert_eq!(get("search=ta").await.texts("project"), ["beta"]);
    let page = get("per_page=10&page=2").await;
    assert!(page.data().is_empty());
    assert_eq!(page.body["meta"]["total"], 3);
}

#[tokio::test]
async fn a_project_of_more_reports_than_one_transaction_deletes_is_deleted_as_a_whole() {
    let (running, _data) = seeded(3_300).await;
    running.client.delete("/api/v1/projects/shop1.example").await.expect(200);
    let rest = running.client.get("/api/v1/reports?per_page=10").await.expect(200);
    let projects = running.client.get("/api/v1/projects").await.expect(200);
    assert_eq!((rest.body["meta"]["total"].as_u64(), projects.body["meta"]["total"].as_u64()), (Some(2_200), Some(2)));
    running.client.delete("/api/v1/projects/shop1.example").await.expect(404);
}

#[tokio::test]
async fn a_search_finds_text_that_is_percent_encoded_or_punycode_in_the_url() {
    let (running, _data) = Running::start().await;
    let mut ids = Vec::new();
    for url in [
        "https://shop.example/straße",
        "https://shop.example/caf%C3%89",
        "https://shop.example/🍵",
        "https://straße.example/",
    ] {
        ids.push(running.client.create(url).await);
    }
    for (search, found) in [
        ("straße", vec![ids[3], ids[0]]),
        ("STRAßE", vec![ids[3], ids[0]]),
        ("é", vec![ids[1]]),
        ("É", vec![ids[1]]),
        ("café", vec![ids[1]]),
        ("caf%c3%89", vec![ids[1]]),
        ("🍵", vec![ids[2]]),
        ("/🍵", vec![ids[2]]),
        ("xn--strae", vec![ids[3]]),
        ("tee", vec![]),
    ] {
        let request = running.client.request(Method::GET, "/api/v1/reports").query(&[("search", search)]);
        assert_eq!(sent(request).await.expect(200).ids(), found, "{search}");
    }
    let request = running.client.request(Method::GET, "/api/v1/projects").query(&[("search", "straße")]);
    assert_eq!(sent(request).await.expect(200).texts("project"), ["xn--strae-oqa.example"]);
}

#[tokio::test]
async fn a_long_search_finds_only_what_contains_all_of_it() {
    let (running, _data) = Running::start().await;
    let path = "tea/".repeat(100);
    for url in [format!("https://shop.example/green/{path}1"), format!("https://shop.example/black/{path}2")] {
        running.client.create(&url).await;
    }
    for (text, expected) in [
        (path.clone(), vec![2, 1]),
        (format!("green/{path}"), vec![1]),
        (format!("{path}2"), vec![2]),
        (format!("green/{path}2"), Vec::new()),
    ] {
        let found = running.client.get(&format!("/api/v1/reports?search={text}")).await.expect(200);
        assert_eq!(found.ids(), expected, "{text}");
    }
}
