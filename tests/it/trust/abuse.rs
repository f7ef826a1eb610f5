//! Abuse of the service: overload, partial, oversized and malformed requests, and injected text in every field. Bad
//! requests get an error status, and other clients are still served.

use std::sync::atomic::Ordering;

use reqwest::Method;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::support::embedded_service::{Client, ENGINE, KEY, Running, sent};
use crate::support::own_process::in_own_process;
use crate::support::waiting::until;

/// The default maximum of running and waiting audits.
const AUDITS: usize = 4 + 64;
/// Texts with a special meaning in SQL, HTML, headers or file names.
const HOSTILE: [&str; 12] = [
    "'; DROP TABLE reports; --",
    "\" OR \"1\"=\"1",
    "%' OR 1=1 --",
    "x' UNION SELECT digest FROM keys --",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</textarea><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "../../../../etc/passwd",
    "a\r\nX-Injected: 1",
    "\u{202e}\u{0}\u{1b}[2J",
    "{{7*7}}${7*7}<%= 7*7 %>",
];

/// Sends bytes and reads until the service closes the connection; returns the response.
async fn raw(running: &Running, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(running.service.address()).await.unwrap();
    // The service may close the connection before everything has been sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn is_alive(running: &Running) {
    running.client.get("/api/v1/reports").await.expect(200);
}

#[tokio::test]
async fn excess_audits_are_429_and_lists_keep_working() {
    let (running, _data) = Running::start().await;
    let mut writes = JoinSet::new();
    for number in 0..AUDITS + 12 {
        let client = running.client.clone();
        let url = format!("https://slow.example/{number}");
        writes.spawn(async move { client.send(Method::POST, "/api/v1/reports", &[("url", &url)]).await });
    }
    // The refused ones get their responses while all others wait.
    for _ in 0..12 {
        let refused = writes.join_next().await.unwrap().unwrap().expect(429);
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    }
    is_alive(&running).await;
    running.script.end.add_permits(AUDITS);
    while let Some(made) = writes.join_next().await {
        made.unwrap().expect(201);
    }
    assert_eq!(running.script.begun.load(Ordering::SeqCst), AUDITS, "refused requests are not audited");
    let list = running.client.get("/api/v1/reports?per_page=100").await;
    assert_eq!(list.body["meta"]["total"], AUDITS);
}

/// Returns the number of connections that the limit of open files permits; this test holds both ends of each.
fn connections() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap_or_default();
    let most = line.split_whitespace().nth(3).and_then(|number| number.parse().ok()).unwrap_or(1_024);
    (most / 4).min(1_000)
}

#[test]
fn a_thousand_silent_connections_do_not_block_other_clients() {
    in_own_process(module_path!(), "a_thousand_silent_connections_do_not_block_other_clients", || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(silent_connections());
    });
}

async fn silent_connections() {
    let (running, _data) = Running::start().await;
    is_alive(&running).await;
    let mut silent = Vec::new();
    for number in 0..connections() {
        let mut stream = TcpStream::connect(running.service.address()).await.unwrap();
        // Half of them start a request and never finish it.
        let beginning = if number % 2 == 0 { "" } else { "POST /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " };
        let _ = stream.write_all(beginning.as_bytes()).await;
        silent.push(stream);
    }
    for _ in 0..20 {
        is_alive(&running).await;
    }
    drop(silent);
    // New connections are accepted as soon as the service has noticed.
    let head = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    until("a new connection is accepted", async || raw(&running, head).await.starts_with("HTTP/1.1 200")).await;
}

#[tokio::test]
async fn oversized_or_malformed_requests_close_only_their_own_connection() {
    let (running, _data) = Running::start().await;
    let key = format!("Host: 127.0.0.1\r\nAuthorization: Bearer {KEY}\r\n");
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let end = "Connection: close\r\n\r\n";
    let endless = format!("{:x}\r\n{}\r\n", 1 << 16, "a".repeat(1 << 16)).repeat(32);
    let requests = [
        (format!("GET /{} HTTP/1.1\r\n{key}{end}", "a".repeat(1 << 20)), "4"),
        (format!("GET /health HTTP/1.1\r\n{key}X: {}\r\n{end}", "a".repeat(1 << 20)), "4"),
        (format!("GET /health HTTP/1.1\r\n{key}{}{end}", "X: y\r\n".repeat(10_000)), "4"),
        (format!("POST /api/v1/reports HTTP/1.1\r\n{key}{form}Content-Length: 99999999999\r\n{end}url=x"), "413"),
        (format!("POST /api/v1/reports HTTP/1.1\r\n{key}{form}Transfer-Encoding: chunked\r\n{end}{endless}"), "413"),
        (format!("POST /api/v1/reports HTTP/1.1\r\n{key}{form}Content-Length: -1\r\n{end}"), "400"),
        (
            format!(
                "POST /api/v1/reports HTTP/1.1\r\n{key}{form}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n{end}0\r\n\r\n"
            ),
            "4",
        ),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\x7c\x03\x03\r\n\r\n".to_owned(), "400"),
        (format!("GET /health HTTP/9.9\r\n{key}{end}"), "400"),
        (format!("BREW /health HTTP/1.1\r\n{key}{end}"), "405"),
        (format!("GET /reports/\x00 HTTP/1.1\r\n{key}{end}"), "400"),
        (format!("GET /reports/%00%ff%2e%2e HTTP/1.1\r\n{key}{end}"), "404"),
    ];
    for (request, status) in requests {
        let answer = raw(&running, request.as_bytes()).await;
        let shortened: String = request.chars().take(80).collect();
        let answered = answer.split(' ').nth(1).unwrap_or_default();
        // A client that is disconnected while sending may see only the end of the connection.
        assert!(answer.is_empty() || answered.starts_with(status), "{shortened}: {answer}");
        is_alive(&running).await;
    }
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn hostile_texts_in_any_field_are_treated_as_text() {
    let (running, _data) = Running::start().await;
    let kept = running.client.create("https://shop.example/").await;
    let mut ids = Vec::new();
    // The host of a page cannot contain NUL. The project of a scripted audit can, but only SQLite stores it.
    let is_postgres = std::env::var_os(ENGINE).is_some();
    let hostile: Vec<&str> = HOSTILE.into_iter().filter(|text| !(is_postgres && text.contains('\0'))).collect();
    for text in &hostile {
        let project: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        ids.push(running.client.create(&format!("https://evil.example/?project={project}&x={text}")).await);
    }
    let encoded =
        |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    let anonymous = Client::new(&running.service.base_url(), None);
    for (text, id) in hostile.iter().copied().zip(&ids) {
        let escaped = encoded(text);
        let listed = running.client.get(&format!("/api/v1/reports?project={escaped}")).await.expect(200);
        assert_eq!(listed.ids(), [*id], "{text}");
        assert_eq!(listed.texts("project"), [text]);
        for query in ["search", "sort_by", "sort", "result", "per_page", "page", "search_by", "unknown"] {
            let answer = running.client.get(&format!("/api/v1/reports?{query}={escaped}")).await;
            assert!(matches!(answer.status.as_u16(), 200 | 422), "{query}={text}: {answer:?}");
            assert!(!answer.headers.contains_key("x-injected"));
        }
        for path in [format!("/api/v1/reports/{escaped}"), format!("/api/v1/reports/{escaped}/link")] {
            running.client.get(&path).await.expect(404);
        }
        for field in ["url", "privacy", "password", "results"] {
            let answer = running.client.send(Method::PUT, &format!("/api/v1/reports/{kept}"), &[(field, text)]).await;
            assert!(matches!(answer.status.as_u16(), 200 | 422), "{field}={text}: {answer:?}");
        }
        let bearer =
            anonymous.request(Method::GET, "/api/v1/reports").header("authorization", format!("Bearer {escaped}"));
        sent(bearer).await.expect(401);
        for path in [format!("/reports/{id}"), format!("/reports/{id}?pass={escaped}"), format!("/reports/{escaped}")] {
            let page = anonymous.request(Method::GET, &path).send().await.unwrap();
            assert!(!page.headers().contains_key("x-injected"));
            let html = page.text().await.unwrap();
            assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<svg/"), "{text}: {html}");
            assert!(
                !html.contains("href=\"javascript:") && !html.contains('\u{202e}') && !html.contains('\u{1b}'),
                "{text}"
            );
        }
    }
    // Deleting a project by name deletes nothing else.
    for text in hostile {
        running.client.delete(&format!("/api/v1/projects/{}", encoded(text))).await.expect(200);
    }
    let left = running.client.get("/api/v1/reports").await.expect(200);
    assert_eq!(left.ids(), [kept]);
}

#[tokio::test]
async fn forged_links_and_links_of_other_services_open_nothing() {
    let ((running, _data), (other, _other_data)) = (Running::start().await, Running::start().await);
    let mut links = Vec::new();
    for service in [&running, &other] {
        let form = [("url", "https://shop.example/"), ("privacy", "1")];
        let id = service.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201).body["data"]["id"]
            .to_string();
        let answer = service.client.get(&format!("/api/v1/reports/{id}/link")).await.expect(200);
        let link = answer.body["data"]["url"].as_str().unwrap().to_owned();
        links.push(link.split_once("?pass=").unwrap().1.to_owned());
    }
    let (genuine, foreign) = (&links[0], &links[1]);
    let (expires, signature) = genuine.split_once('.').unwrap();
    let forged = [
        foreign.clone(),
        format!("{}.{signature}", i64::MAX),
        format!("{}.{signature}", i64::MIN),
        format!("-{expires}.{signature}"),
        format!("+{expires}.{signature}x"),
        format!("{expires}."),
        format!("{expires}.{}", "0".repeat(64)),
        format!("{expires}.{}", signature.repeat(2)),
        format!("{expires}.{}", "\u{ff11}".repeat(64)),
        format!("{expires}.{signature}&pass={foreign}x"),
        "99999999999999999999999.00".to_owned(),
        ".".to_owned(),
        String::new(),
    ];
    let anonymous = Client::new(&running.service.base_url(), None);
    let status = async |pass: &str| {
        let address = anonymous.request(Method::GET, "/reports/1").query(&[("pass", pass)]);
        address.send().await.unwrap().status().as_u16()
    };
    assert_eq!(status(genuine).await, 200);
    for pass in &forged {
        assert_eq!(status(pass).await, 404, "{pass}");
    }
}
