//! More concurrent requests of every kind than the service can handle: each response is the normal one, a 429 or a 503,
//! and the service is unchanged afterwards. Runs in its own process, because it opens a thousand connections.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Method;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::support::embedded_service::{Client, ENGINE, KEY, Running};
use crate::support::own_process::in_own_process;

/// Number of concurrent clients for each kind of request.
const CALLERS: usize = 100;
/// Time limit of every wait, even on a busy machine.
const HANG: Duration = Duration::from_mins(2);

/// The request of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RequestKind {
    List,
    Create,
    SetPassword,
    Guess,
    Page,
}

fn request(client: &Client, anonymous: &Client, kind: RequestKind, number: usize) -> reqwest::RequestBuilder {
    let (report, slow) = (number % 20 + 1, format!("https://slow.example/{number}"));
    let url = if number.is_multiple_of(2) { slow } else { format!("https://shop.example/{number}") };
    match kind {
        RequestKind::List => client.request(Method::GET, "/api/v1/reports?sort_by=url"),
        RequestKind::Create => client.request(Method::POST, "/api/v1/reports").form(&[("url", url)]),
        RequestKind::SetPassword => {
            client.request(Method::PUT, &format!("/api/v1/reports/{report}")).form(&[("password", "tea")])
        }
        RequestKind::Guess => {
            anonymous.request(Method::POST, &format!("/reports/{report}")).form(&[("password", "coffee")])
        }
        RequestKind::Page => anonymous.request(Method::GET, &format!("/reports/{report}")),
    }
}

#[test]
fn overload_gives_429_or_503_and_leaves_the_service_unchanged() {
    in_own_process(module_path!(), "overload_gives_429_or_503_and_leaves_the_service_unchanged", || {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap()
            .block_on(overload());
    });
}

async fn overload() {
    let (running, _data) = Running::start().await;
    for number in 0..20 {
        let url = format!("https://shop.example/{number}");
        let form = [("url", url.as_str()), ("privacy", "2"), ("password", "tea")];
        running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    }
    let anonymous = Client::new(&running.service.base_url(), None);
    let mut asked = JoinSet::new();
    for number in 0..CALLERS {
        for kind in
            [RequestKind::List, RequestKind::Create, RequestKind::SetPassword, RequestKind::Guess, RequestKind::Page]
        {
            let request = request(&running.client, &anonymous, kind, number);
            asked.spawn(async move {
                let answer = request.send().await.unwrap();
                (kind, answer.status().as_u16(), answer.headers().get("retry-after").cloned())
            });
        }
    }
    // The slow audits finish while the other requests are running.
    running.script.end.add_permits(CALLERS);
    let is_on_postgres = std::env::var_os(ENGINE).is_some();
    let mut statuses: BTreeMap<(RequestKind, u16), usize> = BTreeMap::new();
    let all = async {
        while let Some(answer) = asked.join_next().await {
            let (kind, status, wait) = answer.unwrap();
            let wait = wait.and_then(|wait| wait.to_str().ok()?.parse::<u64>().ok());
            let expected: &[u16] = match kind {
                // On PostgreSQL a read waits up to eight seconds for a connection.
                RequestKind::List | RequestKind::Page if is_on_postgres => &[200, 503],
                RequestKind::List | RequestKind::Page => &[200],
                RequestKind::Create => &[201, 429, 503],
                RequestKind::SetPassword => &[200, 503],
                RequestKind::Guess => &[403, 429, 503],
            };
            assert!(expected.contains(&status), "{kind:?}: {status}");
            assert_eq!(wait.is_some_and(|seconds| seconds > 0), matches!(status, 429 | 503), "{kind:?}: {status}");
            *statuses.entry((kind, status)).or_default() += 1;
        }
    };
    tokio::time::timeout(HANG, all).await.unwrap();
    println!("{statuses:?}");
    // Acknowledged writes are stored, and nothing else.
    let created = statuses.get(&(RequestKind::Create, 201)).copied().unwrap_or_default();
    let list = running.client.get("/api/v1/reports").await.expect(200);
    assert_eq!(list.body["meta"]["total"], created + 20);
    let begun = Instant::now();
    running.client.send(Method::PUT, "/api/v1/reports/1", &[("password", "tea")]).await.expect(200);
    running.client.create("https://shop.example/after").await;
    println!("afterwards a password and a report take {:?}", begun.elapsed());
}

/// Sends bytes and reads the response; `None` if the connection ended without one.
async fn answered(running: &Running, bytes: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(running.service.address()).await.unwrap();
    // The service may close the connection before everything has been sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(HANG, stream.read_to_end(&mut answer)).await.unwrap();
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}

#[tokio::test]
async fn slightly_oversized_input_is_rejected_with_its_limit() {
    let (running, _data) = Running::start().await;
    let head = |path: &str, more: &str| {
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{more}\r\n").into_bytes()
    };
    let headers = |count: usize| "X: y\r\n".repeat(count);
    let post = |length: usize, body: &str| {
        let fields = format!("Authorization: Bearer {KEY}\r\nContent-Type: application/x-www-form-urlencoded\r\n");
        let head = format!("POST /api/v1/reports HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{fields}");
        format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
    };
    // A head is rejected when the next part of it does not fit, so that up to 128 KiB may be accepted.
    let kib = 1024;
    for (what, request, expected) in [
        ("a long address", head(&format!("/reports/1?{}", "a".repeat(8 * kib)), ""), 404),
        ("a too long address", head(&format!("/reports/1?{}", "a".repeat(130 * kib)), ""), 431),
        ("a long header", head("/health", &format!("X: {}\r\n", "a".repeat(60 * kib))), 200),
        ("a too long header", head("/health", &format!("X: {}\r\n", "a".repeat(130 * kib))), 431),
        ("many headers", head("/health", &headers(90)), 200),
        ("too many headers", head("/health", &headers(120)), 431),
        ("a body announced too long", post(64 * kib + 1, ""), 413),
        ("a body announced endless", post(usize::MAX >> 1, ""), 413),
        ("a body that is too long", post(64 * kib + 1, &"a".repeat(64 * kib + 1)), 413),
    ] {
        let status = answered(&running, &request).await;
        assert_eq!(status, Some(expected), "{what}");
    }
    running.client.get("/api/v1/reports").await.expect(200);
}
