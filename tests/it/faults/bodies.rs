//! Successful responses with unusable bodies: HTML, truncated, empty, wrong types, endless, or decompression bombs.

use std::io::Write as _;
use std::time::Duration;

use reportdeck::api::client::Priority;
use reportdeck::api::decode::RowDetail;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::list::paging::PageToken;
use reportdeck::domain::list::query::{ProjectQuery, ReportQuery};
use reportdeck::domain::report::ReportId;
use serde_json::json;

use crate::faults::healthy_service::{
    LIST, Limits, brisk, but, client, healthy, impatient, impatient_person, list, list_answered, person,
};
use crate::support::scripted_server::{Reply, ScriptedServer};

/// Bodies that are not JSON of the reports API, and what the error message must mention.
fn nonsense() -> Vec<(Reply, &'static str)> {
    vec![
        (Reply::text("<html><head><title>Log in</title>"), "Log in"),
        (Reply::html(200, "Down for maintenance"), "HTML titled “Down for maintenance”"),
        (Reply::text("\u{feff}<!doctype html><title>Hello</title>"), "HTML titled “Hello”"),
        (Reply::text("{\"data\": [{\"id\": 1"), "cut off"),
        (Reply::text(""), "empty"),
        (Reply::head(204, &[]), "empty"),
        (Reply::text("   \n"), "empty"),
        (Reply::text("null"), "no list"),
        (Reply::text("3"), "no list"),
        (Reply::text("\"ok\""), "no list"),
        (Reply::Json(200, json!({"status": 200})), "no list"),
        (Reply::Json(200, json!({"data": "none"})), "no list"),
        (Reply::Json(200, json!({"data": null})), "no list"),
        (Reply::Json(200, json!({"data": 7, "meta": []})), "no list"),
        (Reply::Json(200, json!({"status": "error", "message": "Who?"})), "it contains no list (Who?)"),
        (Reply::text("OK"), "not JSON"),
        (Reply::Full(200, vec!["Content-Encoding: deflate".into()], b"x\x9c\xabV".to_vec()), "encoded as deflate"),
        (Reply::text(&"[".repeat(100_000)), "not JSON"),
    ]
}

#[tokio::test]
async fn a_body_that_is_not_a_list_is_an_error_and_never_an_empty_list() {
    for (reply, expected) in nonsense() {
        let failure = list_answered(reply.clone(), brisk()).await.unwrap_err();
        assert!(matches!(failure.kind, FailureKind::Unreadable | FailureKind::WrongAddress), "{failure:?}");
        assert!(failure.message.contains(expected), "{expected}: {failure}");
    }
}

#[tokio::test]
async fn json_that_is_called_html_is_json_and_an_empty_body_is_no_web_page() {
    let called_html = |body: &str| {
        let kind = "Content-Type: text/html; charset=UTF-8".to_owned();
        Reply::Full(200, vec![kind], body.as_bytes().to_vec())
    };
    for body in
        [r#"{"data": [{"id": 1, "url": "shop.example/one"}]}"#, "\n[{\"id\": 1, \"url\": \"shop.example/one\"}]"]
    {
        let page = list_answered(called_html(body), brisk()).await.unwrap();
        assert_eq!(page.rows.len(), 1, "{body}");
    }
    for body in ["", r#"{"deleted": true}"#] {
        let service = but("DELETE /api/v1/reports/3", called_html(body)).await;
        client(&service, brisk()).0.delete_report(&ReportId::new("3")).await.unwrap();
        assert_eq!(service.asked().len(), 1, "deleted, so nothing is looked up");
    }
    let failure = list_answered(called_html("Please log in"), brisk()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::WrongAddress, "{failure}");
}

#[tokio::test]
async fn an_unreadable_list_keeps_the_rows_and_shows_the_error() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    for (reply, expected) in nonsense() {
        service.now(move |_| reply.clone());
        person.press("r").await;
        person.sees(&[expected, "shop.example/tea", "shop.example/cart"]).misses(&["No reports yet"]);
    }
}

#[tokio::test]
async fn an_unreadable_report_is_reported_in_its_pane() {
    for body in ["[]", "{}", "null", "{\"data\": []}", "{\"data\": {\"id\": 3", "", "{\"message\": \"hm\"}"] {
        let service = but("GET /api/v1/reports/3", Reply::text(body)).await;
        let person = person(&service).await;
        person.sees(&["! Reading the report failed", "shop.example/tea"]);
        assert_eq!(service.count("GET /api/v1/reports/3"), 1, "not retried");
    }
}

#[tokio::test]
async fn an_empty_list_is_not_an_error() {
    for body in ["[]", "{\"data\": []}", "{\"data\": {}, \"meta\": {\"current_page\": 1, \"last_page\": 1}}"] {
        let page = list_answered(Reply::text(body), brisk()).await.unwrap();
        assert!(page.rows.is_empty() && page.unreadable == 0, "{body}");
    }
}

#[tokio::test]
async fn an_empty_list_with_an_error_is_a_failure() {
    for (body, reason) in [
        (json!({"success": false, "message": "Account suspended.", "data": []}), "is false (Account suspended)"),
        (json!({"data": [], "error": "Index offline."}), "sent `error` (Index offline)"),
        (json!({"reports": [], "projects": [], "ok": false}), "`ok` is false"),
        (json!({"data": {}, "message": "Server Error", "status": 500}), "its `status` is 500 (Server Error)"),
        (json!({"data": [], "status": "error"}), "its `status` is \"error\""),
    ] {
        let service = ScriptedServer::start(move |_| Reply::Json(200, body.clone())).await;
        let client = client(&service, brisk()).0;
        let reports = |detail| {
            let client = &client;
            async move { client.list_reports(&ReportQuery::default(), &PageToken::First, detail, Priority::Person).await }
        };
        let failures = [
            reports(RowDetail::Row).await.unwrap_err(),
            reports(RowDetail::Everything).await.unwrap_err(),
            client.list_projects(&ProjectQuery::default(), &PageToken::First).await.unwrap_err(),
        ];
        for failure in failures {
            assert!(failure.message.contains(reason), "{reason}: {failure}");
        }
        person(&service).await.sees(&["Listing reports failed"]).misses(&["No reports yet"]);
    }
    for body in [json!({"data": [], "status": 200, "errors": []}), json!({"data": [], "status": "ok", "success": true})]
    {
        assert!(list_answered(Reply::Json(200, body), brisk()).await.unwrap().rows.is_empty());
    }
    let body = json!({"data": [{"id": 1, "url": "shop.example/one"}], "error": "One index is offline."});
    assert_eq!(list_answered(Reply::Json(200, body), brisk()).await.unwrap().rows.len(), 1, "rows are shown");
}

#[tokio::test]
async fn one_invalid_number_or_character_does_not_fail_the_list() {
    let bodies = [
        r#"{"data": [{"id": 1, "url": "shop.example/one", "score": 1e999}]}"#.to_owned(),
        r#"{"data": [{"id": 1, "url": "shop.example/one", "score": NaN}]}"#.to_owned(),
        r#"{"data": [{"id": 1, "url": "shop.example/one", "score": -Infinity}]}"#.to_owned(),
        r#"{"data": [{"id": 1, "url": "shop.example/one", "title": "\ud83d"}]}"#.to_owned(),
        "{\"data\": [{\"id\": 1, \"url\": \"shop.example/one\", \"title\": \"two\r\n\tlines\"}]}".to_owned(),
    ];
    for body in bodies {
        let page =
            list_answered(Reply::text(&body), brisk()).await.unwrap_or_else(|failure| panic!("{body}: {failure}"));
        assert_eq!(page.rows[0].url.raw(), "shop.example/one");
    }
    let latin = b"{\"data\": [{\"id\": 1, \"url\": \"shop.example/caf\xe9\"}]}".to_vec();
    let page = list_answered(Reply::Full(200, Vec::new(), latin), brisk()).await.unwrap();
    assert_eq!(page.rows[0].url.raw(), "shop.example/caf\u{fffd}");
}

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"data\": [";

/// Limits of size, with the usual ones of time: a busy machine may pause for longer than short ones.
fn one_mebibyte() -> Limits {
    Limits { body: 1024 * 1024, ..brisk() }
}

#[tokio::test]
async fn an_endless_body_is_bounded() {
    let flood = Reply::Endless(HEAD.to_vec(), vec![b' '; 64 * 1024], Duration::ZERO);
    let service = but(LIST, flood).await;
    let failure = list(&client(&service, one_mebibyte()).0).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TooLarge);
    assert!(failure.message.contains("1 MiB"), "{failure}");
    assert_eq!(service.count(LIST), 1, "not retried");
}

#[tokio::test]
async fn a_slow_body_is_given_up_after_the_total_timeout() {
    let drip = Reply::Endless(HEAD.to_vec(), b" ".to_vec(), Duration::from_millis(20));
    let service = but(LIST, drip).await;
    let failure = list(&client(&service, impatient()).0).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut);
}

#[tokio::test]
async fn a_stalled_body_is_given_up() {
    let stuck = Reply::Endless(HEAD.to_vec(), b" ".to_vec(), Duration::from_hours(1));
    let failure = list(&client(&but(LIST, stuck).await, impatient()).0).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut);
}

fn bomb() -> Reply {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        packed.write_all(&vec![b' '; 1024 * 1024]).unwrap();
    }
    let headers = ["Content-Type: application/json", "Content-Encoding: gzip"].map(str::to_owned).to_vec();
    Reply::Full(200, headers, packed.finish().unwrap())
}

#[tokio::test]
async fn a_decompression_bomb_is_bounded_by_its_decoded_size() {
    let service = but(LIST, bomb()).await;
    let failure = list(&client(&service, one_mebibyte()).0).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TooLarge);
}

#[tokio::test]
async fn an_endless_body_keeps_the_old_rows_and_leaves_keys_responsive() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = impatient_person(&service).await;
    service.now(|_| Reply::Endless(HEAD.to_vec(), b" ".to_vec(), Duration::from_millis(20)));
    person.press("r").await;
    person.sees(&["did not respond in time", "shop.example/tea"]);
    service.now(healthy);
    person.press("j r").await;
    person.sees(&["3 reports"]);
    assert_eq!(person.session.app().reports.at, 1);
}
