//! Lists of many pages: every row once, failing later pages, rate limits, and closed pipes.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use wiremock::matchers::{method, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::cli_user::{CliUser, page};
use crate::support::scripted_server::{Reply, ScriptedServer};

fn rows(ids: std::ops::Range<u32>) -> Vec<Value> {
    ids.map(|id| json!({ "id": id, "url": format!("https://shop.example/{id}"), "project": format!("p{id}"), "result": "good" })).collect()
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
async fn all_pages_are_printed_once_in_the_order_of_creation() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..100, 1, 2)).await;
    further_page(&server, "2", page_of(100..130, 2, 2)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.error.as_str()), (0, ""));
    let ids: Vec<String> = output.records().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, (0..130).map(|id| id.to_string()).collect::<Vec<_>>());
    let asked = server.received_requests().await.unwrap();
    for request in &asked {
        let query = request.url.query().unwrap();
        assert!(query.contains("sort_by=id&sort=asc&per_page=100"), "{query}");
    }
    assert_eq!(asked.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_many_pages_shows_its_progress_on_a_terminal() {
    let server = MockServer::start().await;
    let first = json!({ "data": rows(0..100), "meta": { "current_page": 1, "last_page": 2, "total": 130 } });
    first_page(&server, ResponseTemplate::new(200).set_body_json(first)).await;
    further_page(&server, "2", page_of(100..130, 2, 2).set_delay(std::time::Duration::from_millis(300))).await;
    let person = CliUser::with_service(&server.uri());
    let mut running = person.terminal(&["reports", "list"]);
    running.wait_for("100 of 130 reports read");
    running.wait_for("shop.example/129");
    assert_eq!(running.wait().exit_code(), 0);
}

#[tokio::test]
async fn json_contains_the_reason_why_a_page_could_not_be_fetched() {
    let server = MockServer::start().await;
    let mut data = rows(1..3);
    data[0]["fetch_error"] = json!("dns");
    data[1]["fetch_error"] = json!(null);
    first_page(&server, ResponseTemplate::new(200).set_body_json(json!({ "data": data, "meta": {} }))).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--format", "json"]);
    assert_eq!((output.code, output.error.as_str()), (0, ""));
    let listed: Vec<Value> = serde_json::from_str(&output.out).unwrap();
    assert_eq!(listed[0]["fetch_error"], "dns");
    assert!(listed[1].get("fetch_error").is_none(), "{}", listed[1]);
}

#[tokio::test]
async fn a_limit_requests_no_more_rows_than_are_printed() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..25, 1, 9)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--limit", "12", "--sort-by", "url"]);
    assert_eq!((output.code, output.records().len()), (0, 12));
    let asked = server.received_requests().await.unwrap();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].url.query(), Some("sort_by=url&sort=desc&per_page=25"));
}

#[tokio::test]
async fn a_failing_later_page_leaves_the_json_array_unclosed() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..100, 1, 2)).await;
    further_page(&server, "2", ResponseTemplate::new(403)).await;
    let person = CliUser::with_service(&server.uri());
    for list in ["reports", "projects"] {
        let output = person.run(&[list, "list", "--format", "json"]);
        assert_eq!((output.code, &output.problem()["status"]), (4, &json!(403)), "{output:?}");
        let error = serde_json::from_str::<Value>(&output.out).unwrap_err();
        assert!(error.is_eof(), "{error}");
    }
    let output = person.run(&["reports", "list", "--format", "json"]);
    let list: Vec<Value> = serde_json::from_str(&format!("{}]", output.out)).unwrap();
    assert_eq!(list.len(), 100, "the received rows are printed");
    for format in ["jsonl", "csv", "markdown", "table"] {
        let output = person.run(&["reports", "list", "--format", format]);
        assert_eq!(output.code, 4, "{output:?}");
        assert_eq!(output.out.matches("shop.example/").count(), 100, "{format}");
    }
}

#[tokio::test]
async fn a_service_that_offers_no_further_pages_is_reported_as_incomplete() {
    let server = MockServer::start().await;
    let mut all = rows(0..50);
    all.push(json!("no row"));
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "data": all })))
        .mount(&server)
        .await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len(), &output.problem()["kind"]), (7, 50, &json!("incomplete")));
    assert!(output.error.contains("the service returned 50 reports and no next page"), "{output:?}");
    assert!(output.error.contains("; 1 report could not be read"), "{output:?}");
}

#[tokio::test]
async fn a_list_without_a_readable_row_is_a_failure() {
    let server = MockServer::start().await;
    let all: Vec<Value> = (0..3).map(|_| json!({ "name": "no report" })).collect();
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": all }));
    Mock::given(method("GET")).respond_with(answer).mount(&server).await;
    for format in ["json", "csv"] {
        let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--format", format]);
        assert_eq!((output.code, output.out.as_str()), (1, ""), "{output:?}");
        assert!(output.error.contains("3 reports could not be read"), "{output:?}");
    }
}

#[tokio::test]
async fn a_page_of_unreadable_rows_does_not_end_the_list() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..10, 1, 3)).await;
    let meta = json!({ "current_page": 2, "last_page": 3 });
    let unreadable = json!({ "data": [{ "name": "no report" }, { "name": "none" }], "meta": meta });
    further_page(&server, "2", ResponseTemplate::new(200).set_body_json(unreadable)).await;
    further_page(&server, "3", page_of(20..30, 3, 3)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len()), (7, 20), "{output:?}");
    assert!(output.error.contains("incomplete: 2 reports could not be read"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_list_of_more_than_a_hundred_thousand_rows_is_printed_whole() {
    let service = ScriptedServer::start(|asked| {
        let page: u32 = asked.parameter("page").map_or(1, |page| page.parse().unwrap());
        // Rows are as small as possible, and a page may have any size.
        let rows = ((page - 1) * 40_000..page * 40_000).map(|id| format!("{{\"id\":{id}}}"));
        let rows = rows.collect::<Vec<_>>().join(",");
        Reply::text(&format!("{{\"data\":[{rows}],\"meta\":{{\"current_page\":{page},\"last_page\":4}}}}"))
    })
    .await;
    let output = CliUser::with_service(&service.base).run(&["reports", "list", "--format", "csv"]);
    assert_eq!((output.code, output.error.as_str(), output.out.lines().count()), (0, "", 160_001));
}

#[tokio::test]
async fn a_limit_does_not_change_the_order() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..5, 1, 1)).await;
    let person = CliUser::with_service(&server.uri());
    for (list, order) in [("reports", "sort_by=id&sort=asc"), ("projects", "sort_by=created_at&sort=asc")] {
        assert_eq!(person.run(&[list, "list", "--limit", "3"]).records().len(), 3);
        let asked = server.received_requests().await.unwrap();
        let query = asked.last().unwrap().url.query().unwrap();
        assert!(query.contains(order), "{query}");
        let help = person.run(&[list, "list", "--help"]).out;
        assert!(help.contains("oldest first") && help.contains("the order stays the same"), "{help}");
    }
}

#[tokio::test]
async fn a_rate_limited_list_waits_as_long_as_the_service_asks() {
    let server = MockServer::start().await;
    let wait = ResponseTemplate::new(429).insert_header("retry-after", "0");
    Mock::given(method("GET")).respond_with(wait).up_to_n_times(2).with_priority(1).mount(&server).await;
    first_page(&server, page_of(0..5, 1, 1)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len()), (0, 5), "{output:?}");
    assert_eq!(output.error.matches("too many requests; continuing in").count(), 2, "{output:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn reads_and_writes_wait_at_most_a_minute() {
    let cases = [
        (429, &["reports", "list"][..], "too many requests"),
        (503, &["reports", "list"], "the service is busy"),
        (503, &["reports", "show", "1"], "the service is busy"),
        (429, &["reports", "create", "shop.example"], "too many requests"),
        (429, &["reports", "delete", "1", "--yes"], "too many requests"),
        (429, &["projects", "delete", "shop.example", "--yes"], "too many requests"),
    ];
    // Concurrently, because each takes seconds.
    for case in cases.map(|(status, command, words)| tokio::spawn(waits_at_most_a_minute(status, command, words))) {
        case.await.unwrap();
    }
}

async fn waits_at_most_a_minute(status: u16, command: &'static [&'static str], words: &'static str) {
    let put_off = |status: u16, seconds: u32| {
        let head = vec![format!("Retry-After: {seconds}"), "Content-Type: application/json".into()];
        Reply::Full(status, head, b"{}".to_vec())
    };
    // Without Retry-After a read waits less than three seconds.
    let wait = if status == 503 { 3 } else { 1 };
    let service = ScriptedServer::start(move |asked| match (asked.before, asked.method.as_str(), asked.path()) {
        (0, ..) => put_off(status, wait),
        (_, "DELETE", _) => Reply::head(204, &[]),
        (_, "GET", "/api/v1/reports") => Reply::Json(200, json!({ "data": rows(1..2) })),
        _ => Reply::Json(200, json!({ "data": rows(1..2)[0] })),
    })
    .await;
    let person = CliUser::with_service(&service.base);
    let output = tokio::task::block_in_place(|| person.run(command));
    assert_eq!((output.code, output.records().len(), service.asked().len()), (0, 1, 2), "{command:?} {output:?}");
    let note = format!("note: {words}; continuing in {wait} s, as the service requests\n");
    assert_eq!(output.error, note, "{command:?}");
    service.now(move |_| put_off(status, 61));
    let output = tokio::task::block_in_place(|| person.run(command));
    assert_eq!((output.code, output.out.as_str()), (1, ""), "{command:?} {output:?}");
    assert_eq!(service.asked().len(), 3, "{command:?}: no wait exceeds a minute");
    assert!(output.error.contains("61 s"), "{command:?} {output:?}");
}

#[tokio::test]
async fn further_pages_are_requested_as_fast_as_the_rate_limit_allows() {
    let server = MockServer::start().await;
    let spent = |answer: ResponseTemplate| {
        answer.insert_header("x-ratelimit-remaining", "0").insert_header("x-ratelimit-reset", "2")
    };
    first_page(&server, spent(page_of(0..100, 1, 2))).await;
    further_page(&server, "2", page_of(100..130, 2, 2)).await;
    let started = std::time::Instant::now();
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.error.as_str(), output.records().len()), (0, "", 130));
    assert!(started.elapsed() >= std::time::Duration::from_secs(2), "the rate budget was exhausted for two seconds");
}

#[tokio::test]
async fn a_list_that_stays_rate_limited_is_given_up() {
    let server = MockServer::start().await;
    let wait = ResponseTemplate::new(429).insert_header("retry-after", "0");
    Mock::given(method("GET")).respond_with(wait).mount(&server).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.problem()["kind"].as_str().unwrap()), (1, "rate_limited"));
}

#[tokio::test]
async fn a_closed_pipe_is_not_an_error() {
    for format in ["jsonl", "json", "csv", "markdown", "table"] {
        let server = MockServer::start().await;
        // More than a pipe buffers, so that writing fails.
        for page in 2..20_u32 {
            further_page(&server, &page.to_string(), page_of(page * 100..page * 100 + 100, page, 19)).await;
        }
        first_page(&server, page_of(0..100, 1, 19)).await;
        let person = CliUser::with_service(&server.uri());
        let mut command = person.command(&["reports", "list", "--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{format}");
    }
}

/// A service of 200 reports; the first one is deleted before every second page, for as many deletions as given.
async fn shrinking(deletions: u32) -> MockServer {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    let (server, deleted) = (MockServer::start().await, AtomicU32::new(0));
    let lists = Mock::given(method("GET")).respond_with(move |request: &wiremock::Request| {
        let is_second = request.url.query_pairs().any(|(name, value)| name == "page" && value == "2");
        if is_second && deleted.load(SeqCst) < deletions {
            deleted.fetch_add(1, SeqCst);
        }
        let gone = deleted.load(SeqCst);
        let (ids, page) = if is_second { (100 + gone..200, 2) } else { (gone..100 + gone, 1) };
        let meta = json!({ "current_page": page, "last_page": 2, "total": 200 - gone });
        ResponseTemplate::new(200).set_body_json(json!({ "data": rows(ids), "meta": meta }))
    });
    lists.mount(&server).await;
    server
}

#[tokio::test]
async fn a_row_missed_between_two_pages_is_printed() {
    let server = shrinking(1).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len()), (0, 200), "{}", output.error);
    assert_eq!(output.records().last().unwrap()["id"], "100", "the row that moved");
    assert!(output.error.contains("the list changed while it was read"), "{}", output.error);
}

#[tokio::test]
async fn a_row_that_moves_to_a_later_page_is_printed_once() {
    let server = MockServer::start().await;
    first_page(&server, page_of(0..100, 1, 2)).await;
    further_page(&server, "2", page_of(90..130, 2, 2)).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len()), (7, 130), "{}", output.error);
}

#[tokio::test]
async fn a_constantly_changing_list_is_incomplete() {
    let server = shrinking(200).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--format", "json"]);
    assert_eq!((output.code, &output.problem()["kind"]), (7, &json!("incomplete")), "{}", output.error);
    assert!(
        output.error.contains("the list changed while it was read; some reports may be missing"),
        "{}",
        output.error
    );
}

#[tokio::test]
async fn a_list_read_by_cursor_is_complete_while_rows_are_inserted_and_deleted() {
    let server = MockServer::start().await;
    let lists = Mock::given(method("GET")).respond_with(|request: &wiremock::Request| {
        let cursor = request.url.query_pairs().find(|(name, _)| name == "cursor").map(|(_, value)| value.into_owned());
        // After the first page three of its reports are deleted.
        let (ids, next, total) = match cursor.as_deref() {
            None => (0..100, Some("behind 99"), 200),
            Some("behind 99") => (100..200, None, 197),
            Some(other) => panic!("{other}"),
        };
        // Page numbers are sent beside the cursor, and ignored.
        let meta = json!({ "current_page": 1, "last_page": 2, "total": total, "next_cursor": next });
        let meta = if next.is_some() { meta } else { json!({ "total": total, "next_cursor": null }) };
        ResponseTemplate::new(200).set_body_json(json!({ "data": rows(ids), "meta": meta }))
    });
    lists.mount(&server).await;
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list"]);
    assert_eq!((output.code, output.records().len(), output.error.as_str()), (0, 200, ""));
    assert_eq!(server.received_requests().await.unwrap().len(), 2, "no second reading");
    let output = CliUser::with_service(&server.uri()).run(&["reports", "list", "--sort-by", "generated_at"]);
    assert!(output.error.contains("the list changed while it was read"), "a report may have moved: {}", output.error);
}

#[test]
fn the_results_of_a_project_are_documented_fields() {
    let (person, page) = (CliUser::new(), page());
    assert_eq!(person.run(&["reports", "create", &page]).code, 0);
    let listed = person.run(&["projects", "list"]).records();
    let counts = |counted: &Value| ["good", "decent", "bad"].map(|result| counted[result].as_u64());
    assert_eq!((counts(&listed[0]), &listed[0]["reports"]), ([Some(0), Some(1), Some(0)], &json!(1)), "{listed:?}");
    assert_eq!(counts(&listed[0]["extra"]), counts(&listed[0]), "scripts of earlier versions read them here");
    let cells = person.run(&["projects", "list", "--format", "csv"]);
    assert!(cells.out.contains("127.0.0.1,1,0,1,0,"), "{cells:?}");
}
