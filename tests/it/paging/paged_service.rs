//! A service with many reports and one paging style, and a dashboard on it.

use std::collections::HashMap;
use std::time::Duration;

use reportdeck::api::limits::Limits;
use reportdeck::app::panes::reports::listing::LoadState;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::session::Person;

pub const KEY: &str = "key-of-these-tests";

/// The query of a request.
pub struct Query(HashMap<String, String>);

impl Query {
    pub fn of(request: &Request) -> Self {
        Self(request.url.query_pairs().into_owned().collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }

    /// Returns the requested page; the first one if the query names none.
    pub fn page(&self) -> usize {
        self.number("page").unwrap_or(1)
    }
}

/// Rows `from` to `to` of a service with `all` reports.
pub fn rows(from: usize, to: usize, all: usize) -> Vec<Value> {
    (from + 1..=to.min(all)).map(|id| json!({"id": id, "url": format!("shop.example/{id}"), "result": "bad"})).collect()
}

/// The rows of a page.
pub fn page_of(page: usize, size: usize, all: usize) -> Vec<Value> {
    rows((page - 1) * size, page * size, all)
}

pub fn json_answer(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

/// Starts a service whose lists of reports follow a script; all other requests succeed and return nothing.
pub async fn serve_pages(script: impl Fn(&Query) -> ResponseTemplate + Send + Sync + 'static) -> MockServer {
    let server = MockServer::start().await;
    replace_pages(&server, script).await;
    server
}

/// Replaces the script of a service.
pub async fn replace_pages(server: &MockServer, script: impl Fn(&Query) -> ResponseTemplate + Send + Sync + 'static) {
    server.reset().await;
    let lists = Mock::given(method("GET")).and(path("/api/v1/reports"));
    lists.respond_with(move |request: &Request| script(&Query::of(request))).mount(server).await;
    let projects = Mock::given(method("GET")).and(path("/api/v1/projects"));
    projects.respond_with(json_answer(&json!({"data": []}))).mount(server).await;
    let reports = Mock::given(method("GET")).respond_with(|request: &Request| {
        let id = request.url.path().rsplit('/').next().unwrap().to_owned();
        json_answer(&json!({"data": {"id": id, "url": format!("shop.example/{id}"), "result": "bad"}}))
    });
    reports.with_priority(9).mount(server).await;
}

/// Returns the queries of all requests for lists of reports since the script was set.
pub async fn asked(server: &MockServer) -> Vec<Query> {
    let requests = server.received_requests().await.unwrap();
    requests.iter().filter(|request| request.url.path() == "/api/v1/reports").map(Query::of).collect()
}

/// A dashboard that has loaded everything the service offers.
pub async fn person(server: &MockServer) -> Person {
    let limits = Limits { first_pause: Duration::from_millis(1), ..Limits::default() };
    Person::with_limits(limits, &server.uri(), KEY).await
}

/// Returns the loading state and the number of rows.
pub fn state(person: &Person) -> (LoadState, usize) {
    let listing = person.session.app().reports.loading();
    (listing.load.clone(), listing.loaded())
}
