//! The desk in the OpenAPI description: every operation responds as described, with every documented status.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::contract::openapi::Description;
use crate::support::desk_team::{change, note, row};
use crate::support::embedded_service::{Client, Running, sent};
use reportdeck::domain::triage::State;

const DESK: &str = "/api/v1/desk";
const STATES: &str = "/api/v1/desk/states";
const STATE: &str = "/api/v1/desk/states/{service}/{report}";
const NOTES: &str = "/api/v1/desk/notes";
const REPORT_NOTES: &str = "/api/v1/desk/states/{service}/{report}/notes";
const REPORT_NOTE: &str = "/api/v1/desk/states/{service}/{report}/notes/{id}";
const EVENTS: &str = "/api/v1/desk/states/{service}/{report}/events";
const SERVICES: &str = "/api/v1/desk/services";
const MERGE: &str = "/api/v1/desk/services/{service}/merge";
const CHANGES: &str = "/api/v1/desk/changes";

/// An operation: its documented path, a path that succeeds, one that is not found, and an invalid path or body.
struct Case {
    method: Method,
    described: &'static str,
    path: String,
    missing: Option<String>,
    invalid: Option<String>,
    body: Option<Value>,
    headers: &'static [(&'static str, &'static str)],
}

fn get(described: &'static str, path: &str, missing: Option<&str>, invalid: Option<&str>) -> Case {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let (missing, invalid) = (owned(missing), owned(invalid));
    Case { method: Method::GET, described, path: path.to_owned(), missing, invalid, body: None, headers: &[] }
}

fn write(method: Method, described: &'static str, path: &str, missing: Option<&str>, body: Value) -> Case {
    let missing = missing.map(str::to_owned);
    Case { method, described, path: path.to_owned(), missing, invalid: None, body: Some(body), headers: &[] }
}

fn cases(note_id: i64) -> Vec<Case> {
    let service = json!({ "change": change(), "base": "https://a.example", "label": "a" });
    let state = serde_json::to_value(row(State::Looking, None)).unwrap();
    let noted = serde_json::to_value(note("who?")).unwrap();
    let merge = json!({ "change": change(), "into": 1 });
    let withdraw = format!("{STATES}/1/812/notes/{note_id}?change={}", change());
    let mut put = write(Method::PUT, STATE, &format!("{STATES}/1/1"), Some(&format!("{STATES}/9/1")), state);
    put.headers = &[("if-none-match", "*")];
    vec![
        put,
        write(Method::POST, SERVICES, SERVICES, None, service),
        write(Method::POST, MERGE, &format!("{SERVICES}/2/merge"), Some(&format!("{SERVICES}/9/merge")), merge),
        write(Method::POST, REPORT_NOTES, &format!("{STATES}/1/1/notes"), Some(&format!("{STATES}/9/1/notes")), noted),
        get(DESK, DESK, None, None),
        get(
            STATES,
            &format!("{STATES}?service=1"),
            Some(&format!("{STATES}?service=9")),
            Some(&format!("{STATES}?service=x")),
        ),
        get(NOTES, &format!("{NOTES}?service=1"), Some(&format!("{NOTES}?service=9")), Some(NOTES)),
        get(
            EVENTS,
            &format!("{STATES}/1/1/events"),
            Some(&format!("{STATES}/9/1/events")),
            Some(&format!("{STATES}/1/1/events?before=x")),
        ),
        get(
            CHANGES,
            &format!("{CHANGES}?service=1"),
            Some(&format!("{CHANGES}?service=9")),
            Some(&format!("{CHANGES}?doing=nothing")),
        ),
        Case {
            method: Method::DELETE,
            described: REPORT_NOTE,
            path: withdraw,
            missing: Some(format!("{STATES}/1/812/notes/999?change={}", change())),
            invalid: Some(format!("{STATES}/1/812/notes/{note_id}")),
            body: None,
            headers: &[],
        },
    ]
}

impl Case {
    fn to(&self, client: &Client, path: &str, body: Option<&Value>) -> RequestBuilder {
        let request = match body {
            Some(body) => client.json(self.method.clone(), path, body),
            None => client.request(self.method.clone(), path),
        };
        self.headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
    }
}

#[tokio::test]
async fn every_operation_of_the_desk_responds_as_described_with_every_status() {
    let (running, data) = Running::start().await;
    let limited = Running::with_rate_limit(data.path(), Some(0)).await.unwrap();
    let stranger = Client::new(&running.service.base_url(), None);
    let noted =
        running.client.json(Method::POST, &format!("{STATES}/1/812/notes"), &serde_json::to_value(note("x")).unwrap());
    let note_id = sent(noted).await.expect(200).body["data"]["id"].as_i64().unwrap();
    let mut description = Description::of(&running).await;
    for case in cases(note_id) {
        let (method, described, path, body) = (&case.method, case.described, &case.path, case.body.as_ref());
        let own = |path: &str| case.to(&running.client, path, body);
        // First, while its change id is unused.
        if let Some(missing) = &case.missing {
            description.holds(method, described, &sent(own(missing)).await.expect(404));
        }
        description.holds(method, described, &sent(own(path)).await.expect(200));
        description.holds(method, described, &sent(own(path).header("host", "elsewhere.example")).await);
        let twice = own(path).header("host", "127.0.0.1").header("host", "127.0.0.1");
        description.holds(method, described, &sent(twice).await);
        description.holds(method, described, &sent(case.to(&stranger, path, body)).await.expect(401));
        description.holds(method, described, &sent(case.to(&limited.client, path, body)).await.expect(429));
        if let Some(invalid) = &case.invalid {
            description.holds(method, described, &sent(own(invalid)).await.expect(422));
        }
        if body.is_some() {
            let send = |body: &Value| sent(case.to(&running.client, path, Some(body)));
            description.holds(method, described, &send(&json!({})).await.expect(422));
            description.holds(method, described, &send(&json!("x".repeat(70_000))).await.expect(413));
            let form = running.client.request(method.clone(), path).form(&[("state", "new")]);
            description.holds(method, described, &sent(form).await.expect(415));
        }
        if described == STATE {
            let other = serde_json::to_value(row(State::Waiting, None)).unwrap();
            description.holds(method, described, &sent(case.to(&running.client, path, Some(&other))).await.expect(412));
            let without = running.client.json(method.clone(), path, &other);
            description.holds(method, described, &sent(without).await.expect(428));
        }
    }
    let unseen = description.unseen(true);
    assert!(unseen.is_empty(), "documented but never seen: {unseen:#?}");
}
