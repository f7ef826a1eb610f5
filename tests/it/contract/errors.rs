//! Every error response with its status, body and headers.

use std::sync::atomic::Ordering;

use reqwest::{Method, header};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::embedded_service::{Client, KEY, Running, sent};

const ENDPOINTS: [(Method, &str); 8] = [
    (Method::GET, "/api/v1/reports"),
    (Method::POST, "/api/v1/reports"),
    (Method::GET, "/api/v1/reports/1"),
    (Method::PUT, "/api/v1/reports/1"),
    (Method::PATCH, "/api/v1/reports/1"),
    (Method::DELETE, "/api/v1/reports/1"),
    (Method::GET, "/api/v1/projects"),
    (Method::DELETE, "/api/v1/projects/x"),
];

#[tokio::test]
async fn every_endpoint_requires_a_valid_key() {
    let (running, _data) = Running::start().await;
    let base = running.service.base_url();
    for key in [None, Some("wrong"), Some(""), Some("rdk_for_test"), Some("rdk_for_testss")] {
        for (method, path) in ENDPOINTS {
            let answer = sent(Client::new(&base, key).request(method.clone(), path)).await;
            assert_eq!(answer.body, json!({"message": "Unauthenticated.", "status": 401}), "{method} {path}");
            assert_eq!(answer.status, 401);
            assert_eq!(answer.headers[header::WWW_AUTHENTICATE], "Bearer");
        }
    }
    let basic = Client::new(&base, None).request(Method::GET, "/api/v1/reports").basic_auth("x", Some(KEY));
    sent(basic).await.expect(401);
}

#[tokio::test]
async fn health_needs_no_key_and_reveals_no_names() {
    let (running, _data) = Running::start().await;
    let answer = Client::new(&running.service.base_url(), None).get("/health").await.expect(200);
    assert_eq!(answer.body, json!({"status": 200}));
}

#[tokio::test]
async fn unknown_resources_are_404_with_a_json_body() {
    let (running, _data) = Running::start().await;
    for path in [
        "/",
        "/api/v1",
        "/api/v2/reports",
        "/api/v1/reports/",
        "/api/v1/reports/1",
        "/api/v1/reports/one",
        "/api/v1/reports/-1",
        "/api/v1/reports/%20",
        "/api/v1/reports/%FF",
        "/api/v1/reports/99999999999999999999",
        "/api/v1/reports/1/2",
    ] {
        let answer = running.client.get(path).await.expect(404);
        assert!(answer.body["message"].as_str().unwrap().ends_with("not found."), "{path}");
    }
    for path in ["/api/v1/projects/nobody", "/api/v1/projects/%FF", "/api/v1/reports/7"] {
        running.client.delete(path).await.expect(404);
    }
    running.client.send(Method::PUT, "/api/v1/reports/7", &[("privacy", "9")]).await.expect(404);
}

#[tokio::test]
async fn unsupported_methods_are_405_and_list_the_allowed_ones() {
    let (running, _data) = Running::start().await;
    for (method, path, allowed) in [
        (Method::DELETE, "/api/v1/reports", "GET,HEAD,POST"),
        (Method::POST, "/api/v1/reports/1", "GET,HEAD,PUT,PATCH,DELETE"),
        (Method::POST, "/api/v1/projects", "GET,HEAD"),
        (Method::GET, "/api/v1/projects/x", "DELETE"),
        (Method::POST, "/health", "GET,HEAD"),
        (Method::OPTIONS, "/api/v1/reports", "GET,HEAD,POST"),
    ] {
        let answer = sent(running.client.request(method.clone(), path)).await.expect(405);
        assert_eq!(answer.headers[header::ALLOW], allowed, "{method} {path}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "no CORS headers");
    }
}

#[tokio::test]
async fn bodies_are_form_encoded_uncompressed_and_at_most_64_kib() {
    let (running, _data) = Running::start().await;
    let post = || running.client.request(Method::POST, "/api/v1/reports");
    for content_type in ["application/json", "text/plain", "multipart/form-data; boundary=x", ""] {
        sent(post().header(header::CONTENT_TYPE, content_type).body("url=shop.example")).await.expect(415);
    }
    sent(post().body("url=shop.example")).await.expect(415);
    let form = "application/x-www-form-urlencoded";
    let with_charset = format!("{form}; charset=UTF-8");
    sent(post().header(header::CONTENT_TYPE, with_charset).body("url=shop.example")).await.expect(201);

    let encoded = |coding: &'static str| post().header(header::CONTENT_TYPE, form).header("content-encoding", coding);
    sent(encoded("gzip").body("url=shop.example")).await.expect(415);
    sent(encoded("identity").body("url=shop.example")).await.expect(201);

    let whole = |length: usize| format!("url=shop.example&x={}", "x".repeat(length - 19));
    let fits = post().header(header::CONTENT_TYPE, form).body(whole(64 * 1024));
    sent(fits).await.expect(201);
    let announced = post().header(header::CONTENT_TYPE, form).body(whole(64 * 1024 + 1));
    sent(announced).await.expect(413);
    let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(whole(40 * 1024)), Ok(whole(40 * 1024))]);
    let unannounced = post().header(header::CONTENT_TYPE, form).body(reqwest::Body::wrap_stream(pieces));
    sent(unannounced).await.expect(413);
}

#[tokio::test]
async fn all_invalid_parameters_of_a_list_are_reported_together() {
    let (running, _data) = Running::start().await;
    let wrong = [
        ("search_by", "title"),
        ("result", "excellent"),
        ("result", "Good"),
        ("sort_by", "score"),
        ("sort", "up"),
        ("per_page", "20"),
        ("per_page", "-1"),
        ("per_page", "ten"),
        ("page", "0"),
        ("page", "-1"),
        ("page", "two"),
        ("page", "1.5"),
    ];
    for (name, value) in wrong {
        let answer = running.client.get(&format!("/api/v1/reports?{name}={value}")).await.expect(422);
        assert_eq!(answer.refused(), [name]);
        assert!(answer.body["errors"][name][0].as_str().unwrap().contains(name));
    }
    for (name, value) in [("search_by", "url"), ("sort_by", "id"), ("sort", "x"), ("per_page", "11"), ("page", "0")] {
        let answer = running.client.get(&format!("/api/v1/projects?{name}={value}")).await.expect(422);
        assert_eq!(answer.refused(), [name]);
    }
    let all = "/api/v1/reports?search_by=x&result=x&sort_by=x&sort=x&per_page=x&page=x&unknown=x";
    let answer = running.client.get(all).await.expect(422);
    let mut refused = answer.refused();
    refused.sort_unstable();
    assert_eq!(refused, ["page", "per_page", "result", "search_by", "sort", "sort_by"]);
}

/// The fields of a form.
type Sent<'a> = &'a [(&'a str, &'a str)];

#[tokio::test]
async fn a_write_is_validated_completely_before_a_page_is_audited() {
    let (running, _data) = Running::start().await;
    let long = "x".repeat(129);
    let table: [(Sent<'_>, &[&str]); 6] = [
        (&[], &["url"]),
        (&[("url", ""), ("privacy", "7")], &["url", "privacy"]),
        (&[("url", "https://slow.example/"), ("privacy", "2")], &["password"]),
        (&[("url", "https://slow.example/"), ("password", "tea")], &["password"]),
        (&[("url", "https://slow.example/"), ("privacy", "2"), ("password", &long)], &["password"]),
        (&[("url", "gopher://slow.example/"), ("privacy", "x"), ("password", &long)], &["url", "privacy", "password"]),
    ];
    for (form, expected) in table {
        let answer = running.client.send(Method::POST, "/api/v1/reports", form).await.expect(422);
        assert_eq!(answer.refused(), expected, "{form:?}");
        assert!(!answer.body.to_string().contains(&long), "no response contains a password");
    }
    let id = running.client.create("https://shop.example/").await;
    let path = format!("/api/v1/reports/{id}");
    let form = [("results", "1"), ("privacy", "2")];
    let answer = running.client.send(Method::PUT, &path, &form).await.expect(422);
    assert_eq!(answer.refused(), ["password"]);
    let answer = running.client.send(Method::PUT, &path, &[("results", "2"), ("privacy", "x")]).await.expect(422);
    assert_eq!(answer.refused(), ["privacy", "results"]);
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 1, "only the created report was audited");
}

#[tokio::test]
async fn a_forbidden_url_is_422_and_a_panicking_audit_is_500() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    let post = |url: &'static str| async move { client.send(Method::POST, "/api/v1/reports", &[("url", url)]).await };
    let refused = post("https://refused.example/").await.expect(422);
    assert_eq!(refused.body["errors"], json!({"url": ["This address may not be fetched."]}));
    for _ in 0..6 {
        let failed = post("https://panics.example/").await.expect(500);
        assert!(!failed.body.to_string().contains("script"), "no internals: {failed:?}");
    }
    post("https://shop.example/").await.expect(201);
    assert_eq!(client.get("/api/v1/reports").await.data().len(), 1, "a failed write stores nothing");
}

#[tokio::test]
async fn an_unfinished_audit_stores_nothing_and_keeps_the_previous_result() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    let id = client.create("https://shop.example/?score=85").await;
    let path = format!("/api/v1/reports/{id}");
    let before = client.get(&path).await.expect(200);
    running.script.unfinished.store(true, Ordering::SeqCst);
    let created = client.send(Method::POST, "/api/v1/reports", &[("url", "https://other.example/")]).await.expect(503);
    let again = client.send(Method::PUT, &path, &[("results", "1"), ("privacy", "0")]).await.expect(503);
    for (answer, message) in [(created, "Nothing was stored"), (again, "The previous result is kept")] {
        assert_eq!(answer.headers[header::RETRY_AFTER], "60");
        assert!(answer.body["message"].as_str().unwrap().contains(message), "{}", answer.body);
    }
    assert_eq!(client.get("/api/v1/reports").await.data().len(), 1);
    assert_eq!(client.get(&path).await.expect(200).body, before.body);
}

#[tokio::test]
async fn every_response_forbids_caching() {
    let (running, _data) = Running::start().await;
    for path in ["/api/v1/reports", "/nothing", "/api/v1/reports/1", "/health"] {
        let answer = running.client.get(path).await;
        assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store", "{path}");
        assert_eq!(answer.headers[header::CONTENT_TYPE], "application/json", "{path}");
    }
}

/// Sends a raw request that no client library would send; returns the status.
async fn raw(running: &Running, head: &str) -> String {
    let mut stream = TcpStream::connect(running.service.address()).await.unwrap();
    let request = format!("{head}Authorization: Bearer {KEY}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn only_requests_with_a_local_host_header_are_served() {
    let (running, _data) = Running::start().await;
    for (host, status) in [
        ("127.0.0.1", "200"),
        ("localhost:8750", "200"),
        ("[::1]:1", "200"),
        ("example.org", "403"),
        ("127.0.0.1.example.org", "403"),
        ("", "403"),
        ("a b", "403"),
    ] {
        for path in ["/api/v1/reports", "/health"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n");
            assert_eq!(raw(&running, &head).await, status, "{host} {path}");
        }
    }
    for twice in ["Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", "Host: 127.0.0.1\r\nhost: example.org\r\n"] {
        assert_eq!(raw(&running, &format!("GET /health HTTP/1.1\r\n{twice}")).await, "400", "{twice}");
    }
    assert_eq!(raw(&running, "GET /health HTTP/1.0\r\n").await, "403");
    assert_eq!(raw(&running, "GET http://example.org/health HTTP/1.1\r\nHost: localhost\r\n").await, "403");
}

#[tokio::test]
async fn a_body_with_invalid_framing_is_malformed() {
    let (running, _data) = Running::start().await;
    let head = "POST /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\
        Content-Type: application/x-www-form-urlencoded\r\n";
    let sent = async |body: &str| {
        let mut stream = TcpStream::connect(running.service.address()).await.unwrap();
        let request = format!("{head}Authorization: Bearer {KEY}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(sent("15\r\nurl=https://a.example\r\n0\r\n\r\n").await, "201");
    for body in
        ["15\nurl=https://a.example\n0\n\n", "15\r\nurl=https://a.exampleX\r\n0\r\n\r\n", "zz\r\nurl=a\r\n0\r\n\r\n"]
    {
        assert_eq!(sent(body).await, "400", "{body:?}");
    }
    assert_eq!(running.client.get("/api/v1/reports").await.data().len(), 1);
}
