//! A thousand concurrent long polls of the desk: 400 wait, the others are told when to retry, and all other requests
//! are served. Runs in its own process, because it opens a thousand connections.

use reportdeck::domain::triage::State;
use reqwest::{Method, RequestBuilder};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::sync::mpsc;

use crate::support::desk_team::row;
use crate::support::embedded_service::{Answer, Client, ENGINE, KEY, Running, sent, try_sent};
use crate::support::own_process::in_own_process;

const CLIENTS: usize = 1_000;
/// The service's limit of waiting requests.
const WAITING: usize = 400;
const CHANGES: &str = "/api/v1/desk/changes?service=1&after=0&wait=55";

#[test]
fn a_thousand_waiting_requests_block_no_others_and_are_woken_together() {
    in_own_process(module_path!(), "a_thousand_waiting_requests_block_no_others_and_are_woken_together", || {
        let allowed = getrlimit(Resource::Nofile);
        // This process holds both ends of every connection.
        setrlimit(Resource::Nofile, Rlimit { current: allowed.maximum, ..allowed }).unwrap();
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(crowd());
    });
}

async fn crowd() {
    let (running, _data) = Running::start().await;
    let (answers, mut answered) = mpsc::unbounded_channel();
    for _ in 0..CLIENTS {
        let (client, answers) = (Client::new(&running.service.base_url(), Some(KEY)), answers.clone());
        tokio::spawn(async move {
            // A connection without a request may be closed for a newer one; clients retry.
            let answer = loop {
                if let Ok(answer) = try_sent(client.request(Method::GET, CHANGES)).await {
                    break answer;
                }
            };
            let _ = answers.send(answer);
        });
    }
    for _ in 0..CLIENTS - WAITING {
        let answer = answered.recv().await.unwrap();
        let wait = answer.headers.get("retry-after").and_then(|wait| wait.to_str().ok()?.parse::<u64>().ok());
        match answer.status.as_u16() {
            200 => assert_eq!((wait, answer.body["data"]["pause"].as_u64()), (Some(15), Some(15))),
            503 => assert!(wait.is_some_and(|seconds| seconds > 0), "{answer:?}"),
            _ => panic!("{answer:?}"),
        }
    }
    // Reads and writes are served meanwhile: before the waiting requests end without an event.
    let client = &running.client;
    served(|| client.request(Method::POST, "/api/v1/reports").form(&[("url", "https://shop.example/")]))
        .await
        .expect(201);
    served(|| client.request(Method::GET, "/api/v1/reports")).await.expect(200);
    let write = serde_json::to_value(row(State::Looking, None)).unwrap();
    let put = || client.json(Method::PUT, "/api/v1/desk/states/1/1", &write).header("if-none-match", "*");
    let written = served(put).await.expect(200).body["data"].clone();
    for _ in 0..WAITING {
        let mut answer = answered.recv().await.unwrap();
        if waited_too_long(&answer) {
            answer = served(|| client.request(Method::GET, CHANGES)).await;
        }
        let answer = answer.expect(200);
        assert_eq!(answer.body["data"]["events"][0]["after"], written);
    }
    running.service.shut_down().await;
}

/// Sends a request until it is served.
async fn served(request: impl Fn() -> RequestBuilder) -> Answer {
    loop {
        let answer = sent(request()).await;
        if !waited_too_long(&answer) {
            return answer;
        }
    }
}

/// Whether a request waited too long for a connection to PostgreSQL, as it may on a loaded machine; the client is told to
/// try again. SQLite has no such wait, so a 503 is a failure there.
fn waited_too_long(answer: &Answer) -> bool {
    let waited = answer.status.as_u16() == 503 && std::env::var_os(ENGINE).is_some();
    assert!(!waited || answer.headers.contains_key("retry-after"), "{answer:?}");
    waited
}
