//! Lists over many pages: all rows once, valid output also where a page fails, and quiet when nobody reads on.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use wiremock::matchers::{method, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::person::Person;

fn rows(ids: std::ops::Range<u32>) -> Vec<Value> {
    ids.map(|id| json!({ "id": id, "url": format!("https://shop.example/{id}"), "result": "good" })).collect()
}

fn page_of(ids: std::ops::Range<u32>, page: u32, last: u32) -> ResponseTemplate {
    let meta = json!({ "current_page": page, "last_page": last });
    ResponseTemplate::new(200).set_body_json(json!({ "data": rows(ids), "meta": meta }))
}

async fn first_page(server: &MockServer, answer: ResponseTemplate) {
    Mock::given(method("GET")).and(query_param_is_missing("page")).respond_with(answer).mount(server).await;
}

async fn further_page(server: &MockServer, page: &str, answer: ResponseTemplate) {
    Mock::given(method("GET")).and(query_param("page", page)).respond_with(answer).with_priority(2).mount(server).await;
}

#[tokio::test]
async fn all_pages_come_once_and_in_the_order_of_making() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..100, 1, 2)).await;
    further_page(&server, "2", page_of(90..130, 2, 2)).await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((ended.code, ended.error.as_str()), (0, ""));
    let ids: Vec<String> = ended.records().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, (0..130).map(|id| id.to_string()).collect::<Vec<_>>());
    let asked = server.received_requests().await.unwrap();
    for request in &asked {
        let query = request.url.query().unwrap();
        assert!(query.contains("sort_by=id&sort=asc&per_page=100"), "{query}");
    }
    assert_eq!(asked.len(), 2);
}

#[tokio::test]
async fn a_limit_asks_for_no_more_than_it_needs() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..25, 1, 9)).await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list", "--limit", "12", "--sort-by", "url"]);
    assert_eq!((ended.code, ended.records().len()), (0, 12));
    let asked = server.received_requests().await.unwrap();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].url.query(), Some("sort_by=url&sort=desc&per_page=25"));
}

#[tokio::test]
async fn what_is_printed_stays_valid_where_a_page_fails() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..100, 1, 2)).await;
    further_page(&server, "2", ResponseTemplate::new(403)).await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list", "--format", "json"]);
    assert_eq!(ended.code, 4);
    let list: Vec<Value> = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(list.len(), 100);
    assert_eq!(ended.problem()["status"], 403);
}

#[tokio::test]
async fn a_service_without_further_pages_is_told_about() {
    let server = MockServer::start().await;
    let mut all = rows(0..50);
    all.push(json!("no row"));
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "data": all })))
        .mount(&server)
        .await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((ended.code, ended.records().len()), (0, 50));
    assert!(ended.error.contains("the service gave 50 reports and no way to ask for more"), "{ended:?}");
    assert!(ended.error.contains("could not be read"), "{ended:?}");
}

#[tokio::test]
async fn a_service_that_asks_to_wait_is_waited_for() {
    let server = MockServer::start().await;
    let wait = ResponseTemplate::new(429).insert_header("retry-after", "0");
    Mock::given(method("GET")).respond_with(wait).up_to_n_times(2).with_priority(1).mount(&server).await;
    first_page(&server, page_of(0..5, 1, 1)).await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((ended.code, ended.records().len()), (0, 5), "{ended:?}");
    assert_eq!(ended.error.matches("too many requests; going on in").count(), 2, "{ended:?}");
}

#[tokio::test]
async fn further_pages_are_asked_for_as_fast_as_the_service_allows() {
    let server = MockServer::start().await;
    let spent = |answer: ResponseTemplate| {
        answer.insert_header("x-ratelimit-remaining", "0").insert_header("x-ratelimit-reset", "2")
    };
    first_page(&server, spent(page_of(0..100, 1, 2))).await;
    further_page(&server, "2", page_of(100..130, 2, 2)).await;
    let started = std::time::Instant::now();
    let ended = Person::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((ended.code, ended.error.as_str(), ended.records().len()), (0, "", 130));
    assert!(started.elapsed() >= std::time::Duration::from_secs(2), "the limit was spent for two seconds");
}

#[tokio::test]
async fn a_service_that_never_stops_asking_to_wait_is_given_up() {
    let server = MockServer::start().await;
    let wait = ResponseTemplate::new(429).insert_header("retry-after", "0");
    Mock::given(method("GET")).respond_with(wait).mount(&server).await;
    let ended = Person::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((ended.code, ended.problem()["kind"].as_str().unwrap()), (1, "rate_limited"));
}

#[tokio::test]
async fn a_reader_that_has_gone_is_no_error() {
    for format in ["jsonl", "json", "csv", "markdown", "table"] {
        let server = MockServer::start().await;
        // More than a pipe holds, so that writing must fail and not only go unread.
        for page in 2..20_u32 {
            further_page(&server, &page.to_string(), page_of(page * 100..page * 100 + 100, page, 19)).await;
        }
        first_page(&server, page_of(0..100, 1, 19)).await;
        let person = Person::with_service(&server.uri());
        let mut command = person.command(&["reports", "list", "--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ended = child.wait_with_output().unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), error.as_str()), (Some(0), ""), "{format}");
    }
}
