//! Lists are kept until something is written: what comes from there is what reading anew gives, whoever wrote what.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use proptest::prelude::*;
use reportdeck::service::keys;
use reqwest::{Method, header};
use secrecy::ExposeSecret;
use serde_json::Value;
use tempfile::TempDir;

use crate::service::{Client, Running, sent};

/// So often a page is asked for until it comes from what is kept, and once more.
const OFTEN: usize = 4;
/// So many are written while others read.
const WRITES: i64 = 60;
const LISTS: [&str; 6] = [
    "/api/v1/reports",
    "/api/v1/reports?per_page=10&sort_by=url&sort=asc",
    "/api/v1/reports?per_page=10&page=2",
    "/api/v1/reports?result=bad&project=shop1.example",
    "/api/v1/reports?search=tea&sort_by=generated_at",
    "/api/v1/projects?sort_by=project&sort=asc",
];

#[derive(Debug, Clone)]
enum Deed {
    Create { project: u8, score: u8 },
    Change { which: usize, field: &'static str, value: &'static str },
    Delete { which: usize },
    DeleteProject { project: u8 },
    Ask { list: usize },
}

fn deed() -> impl Strategy<Value = Deed> {
    let (which, project) = (0..20_usize, 0..3_u8);
    let change = prop::sample::select(vec![("privacy", "1"), ("privacy", "0"), ("results", "1")]);
    prop_oneof![
        4 => (project.clone(), 0..100_u8).prop_map(|(project, score)| Deed::Create { project, score }),
        2 => (which.clone(), change).prop_map(|(which, (field, value))| Deed::Change { which, field, value }),
        1 => which.prop_map(|which| Deed::Delete { which }),
        1 => project.prop_map(|project| Deed::DeleteProject { project }),
        10 => (0..LISTS.len()).prop_map(|list| Deed::Ask { list }),
    ]
}

/// Two services on one database, as two processes have them.
struct World {
    services: [Running; 2],
    ids: Vec<i64>,
    asked: usize,
    _data: TempDir,
}

impl World {
    async fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let services = [Running::on(data.path()).await, Running::on(data.path()).await];
        Self { services, ids: Vec::new(), asked: 0, _data: data }
    }

    fn path(&self, which: usize) -> String {
        format!("/api/v1/reports/{}", self.ids.get(which % self.ids.len().max(1)).unwrap_or(&0))
    }

    async fn perform(&mut self, deed: &Deed, client: Client) {
        match deed {
            Deed::Create { project, score } => {
                let id = client.create(&format!("https://shop{project}.example/tea?score={score}")).await;
                self.ids.push(id);
            }
            Deed::Change { which, field, value } => {
                client.send(Method::PATCH, &self.path(*which), &[(field, value)]).await;
            }
            Deed::Delete { which } => drop(client.delete(&self.path(*which)).await),
            Deed::DeleteProject { project } => {
                client.delete(&format!("/api/v1/projects/shop{project}.example")).await;
            }
            Deed::Ask { list } => self.ask(LISTS[*list]).await,
        }
    }

    async fn ask(&mut self, path: &str) {
        self.asked += 1;
        let fresh = format!("{path}{}unkept={}", if path.contains('?') { '&' } else { '?' }, self.asked);
        for running in &self.services {
            // What the interface does not know is ignored, and makes it another query, which nobody has asked before.
            let fresh = running.client.get(&fresh).await.expect(200);
            for _ in 0..OFTEN {
                let answer = running.client.get(path).await.expect(200);
                for part in ["data", "meta"] {
                    assert_eq!(answer.body[part], fresh.body[part], "{part} of {path}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn what_is_kept_is_what_reading_anew_gives(deeds in prop::collection::vec((deed(), 0..2_usize), 1..50)) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let mut world = World::new().await;
            for (deed, which) in &deeds {
                let client = world.services[*which].client.clone();
                world.perform(deed, client).await;
            }
            for path in LISTS {
                world.ask(path).await;
            }
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_told_less_than_what_was_answered_before_also_under_many_readers() {
    let data = tempfile::tempdir().unwrap();
    let (mine, other) = (Running::on(data.path()).await, Running::on(data.path()).await);
    let answered = Arc::new(AtomicI64::new(0));
    let readers = (0..6).map(|reader| {
        let client = if reader % 3 == 0 { other.client.clone() } else { mine.client.clone() };
        let answered = Arc::clone(&answered);
        tokio::spawn(async move {
            loop {
                let before = answered.load(Ordering::SeqCst);
                let list = client.get("/api/v1/reports?per_page=10").await.expect(200);
                let total = list.body["meta"]["total"].as_i64().unwrap();
                assert!(total >= before, "{total} after {before}");
                if before == WRITES {
                    return;
                }
            }
        })
    });
    let readers: Vec<_> = readers.collect();
    for number in 1..=WRITES {
        let client = if number % 2 == 0 { &mine.client } else { &other.client };
        client.create("https://shop.example/").await;
        answered.store(number, Ordering::SeqCst);
    }
    for reader in readers {
        reader.await.unwrap();
    }
}

#[tokio::test]
async fn what_is_kept_is_behind_keys_and_limits_and_names_the_address_that_was_asked() {
    let data = tempfile::tempdir().unwrap();
    let trusted = vec!["127.0.0.1/32".parse().unwrap()];
    let proxies = reportdeck::service::Proxies { public_url: None, trusted };
    let running = Running::with(data.path(), Some(20), proxies).await.unwrap();
    running.client.create("https://shop.example/").await;
    let path = "/api/v1/reports";
    let ask = |host: &'static str, scheme: &'static str| {
        let request = running.client.request(Method::GET, path);
        sent(request.header(header::HOST, host).header("x-forwarded-proto", scheme))
    };
    for _ in 0..OFTEN {
        for (host, scheme) in [("localhost:1", "http"), ("127.0.0.1:2", "http"), ("localhost:1", "https")] {
            let answer = ask(host, scheme).await.expect(200);
            assert_eq!(answer.body["meta"]["path"], format!("{scheme}://{host}{path}"));
            assert_eq!(answer.body["links"]["first"], format!("{scheme}://{host}{path}?page=1"));
            assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
            assert_eq!(answer.headers[header::CONTENT_TYPE], "application/json");
        }
    }
    Client::new(&running.service.base_url(), None).get(path).await.expect(401);
    Client::new(&running.service.base_url(), Some("rdk_wrong")).get(path).await.expect(401);
    ask("shop.example", "http").await.expect(403);
    let key = keys::create(data.path(), "other").unwrap();
    let other = Client::new(&running.service.base_url(), Some(key.expose_secret()));
    let left = |answer: &crate::service::Answer| answer.headers["x-ratelimit-remaining"].to_str().unwrap().to_owned();
    for remaining in ["19", "18", "17"] {
        assert_eq!(left(&other.get(path).await.expect(200)), remaining, "each key has its own, also of what is kept");
    }
    keys::revoke(data.path(), "other").unwrap();
    other.get(path).await.expect(401);
    while running.client.get(path).await.status != 429 {}
    let metrics = Client::new(&running.service.base_url(), None).request(Method::GET, "/metrics").send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    let count = |status: &str| -> usize {
        let line = format!("reportdeck_requests_total{{method=\"GET\",route=\"{path}\",status=\"{status}\"}} ");
        let value = metrics.lines().find_map(|text| text.strip_prefix(line.as_str()));
        value.unwrap_or_else(|| panic!("{line} is missing in {metrics}")).parse().unwrap()
    };
    // The first request of the run key was the creation.
    assert_eq!((count("200"), count("401"), count("429"), count("403")), (19 + 3, 3, 1, 1));
}

#[tokio::test]
async fn a_query_that_is_refused_is_refused_each_time() {
    let (running, _data) = Running::start().await;
    for _ in 0..OFTEN {
        assert_eq!(running.client.get("/api/v1/reports?sort=up").await.expect(422).refused(), ["sort"]);
        assert_eq!(
            running.client.get("/api/v1/reports?page=9").await.expect(200).body["data"],
            Value::Array(Vec::new())
        );
    }
}
