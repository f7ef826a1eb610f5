//! Reads that fail on the network: refused, reset, truncated, silent, 5xx. After three attempts the error is shown
//! beside the old rows.

use std::time::Duration;

use reportdeck::api::limits::Limits;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::report::ReportId;
use serde_json::json;

use crate::faults::healthy_service::{
    LIST, brisk, but, client, healthy, impatient, impatient_person, list, list_answered, person,
};
use crate::support::cli_user::CliUser;
use crate::support::embedded_service::Running;
use crate::support::scripted_server::{Reply, ScriptedServer};

#[tokio::test]
async fn a_failing_read_is_tried_three_times() {
    let table = [
        (Reply::Json(500, json!({"message": "Boom."})), brisk(), FailureKind::Service),
        (Reply::html(502, "Bad Gateway"), brisk(), FailureKind::Service),
        (Reply::Reset, brisk(), FailureKind::Unreachable),
        (Reply::Raw(Vec::new()), brisk(), FailureKind::Unreachable),
        (
            Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\": [".to_vec()),
            brisk(),
            FailureKind::Unreachable,
        ),
        (Reply::Raw(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()), brisk(), FailureKind::Unreachable),
        (Reply::Silence, impatient(), FailureKind::TimedOut),
    ];
    for (reply, limits, kind) in table {
        let service = but(LIST, reply.clone()).await;
        let (client, exchanges) = client(&service, limits);
        let failure = list(&client).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{reply:?}");
        assert_eq!(service.count(LIST), 3, "{reply:?}");
        let tries: Vec<u32> = exchanges.lock().unwrap().iter().map(|exchange| exchange.attempt).collect();
        assert_eq!(tries, [1, 2, 3], "{reply:?}");
        assert!(!failure.advice.is_empty(), "{failure}");
    }
}

#[tokio::test]
async fn a_rate_limited_read_is_not_retried_too_early() {
    let service = but(LIST, Reply::head(503, &["Retry-After: 900"])).await;
    let (client, _) = client(&service, brisk());
    let failure = list(&client).await.unwrap_err();
    assert_eq!((failure.kind, service.count(LIST)), (FailureKind::Service, 1));
    assert_eq!(failure.advice, "The service asks to wait 900 s");
    // The rate budget of a failing service does not say when the service will recover.
    let service = but(LIST, Reply::head(500, &["X-RateLimit-Reset: 900"])).await;
    let (client, _) = crate::faults::healthy_service::client(&service, brisk());
    assert_eq!(list(&client).await.unwrap_err().retry_after, None);
    assert_eq!(service.count(LIST), 3);
}

#[tokio::test]
async fn a_read_that_fails_twice_succeeds_on_the_third_try() {
    let service = ScriptedServer::start(|asked| if asked.before < 2 { Reply::Reset } else { healthy(asked) }).await;
    let (client, _) = client(&service, brisk());
    assert_eq!(list(&client).await.unwrap().rows.len(), 3);
    assert!(client.show_report(&ReportId::new("3")).await.is_ok());
}

/// After a sleep of the machine, or in another network, every idle connection is dead.
#[tokio::test]
async fn a_read_succeeds_on_its_second_attempt_if_all_idle_connections_are_dead() {
    for (reply, limits) in [(Reply::Reset, brisk()), (Reply::Silence, impatient())] {
        let service = ScriptedServer::start(healthy).await;
        let (client, _) = client(&service, limits);
        futures_util::future::join_all((0..8).map(|_| list(&client))).await;
        let opened = service.asked().iter().map(|asked| asked.connection + 1).max().unwrap();
        assert!(opened > 3, "{opened}");
        let dead = reply.clone();
        service.now(move |asked| if asked.connection < opened { dead.clone() } else { healthy(asked) });
        let before = service.count(LIST);
        assert!(list(&client).await.is_ok(), "{reply:?}");
        assert_eq!(service.count(LIST) - before, 2, "{reply:?}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_reported_with_its_address() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let person = crate::support::session::Person::with_limits(brisk(), &gone, "key").await;
    person.sees(&["no connection to 127.0.0.1:", "Check the network and the base URL", "r retries"]);
}

/// A connection to a full accept queue is neither accepted nor refused, like one through a firewall that drops packets.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_without_any_response_is_reported_as_such() {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    let _full = socket.listen(1).unwrap();
    let _queued = [std::net::TcpStream::connect(address).unwrap(), std::net::TcpStream::connect(address).unwrap()];
    let limits = Limits { connect: Duration::from_millis(200), ..brisk() };
    let person = crate::support::session::Person::with_limits(limits, &format!("http://{address}"), "key").await;
    person.sees(&["no connection to 127.0.0.1:", "(no response)", "Check the network and the base URL"]);
}

#[tokio::test]
async fn a_failed_refresh_keeps_the_old_rows_and_shows_the_error() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    service.now(|_| Reply::Json(500, json!({"message": "Boom."})));
    let before = service.count(LIST);
    person.press("r").await;
    assert_eq!(service.count(LIST) - before, 3);
    person.sees(&["the service reported an error", "Boom", "shop.example/tea", "(r retries)"]);
    // Keys still work, and the loaded rows can be sorted and opened.
    person.press("j").await;
    assert_eq!(person.session.app().reports.at, 1);
    person.press("/ 'cart' enter").await;
    person.sees(&["shop.example/cart"]);
    service.now(healthy);
    person.press("esc r").await;
    person.sees(&["3 reports"]).misses(&["Listing reports failed"]);
}

#[tokio::test]
async fn a_silent_service_is_reported_beside_the_old_rows() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = impatient_person(&service).await;
    service.now(|_| Reply::Silence);
    person.press("r").await;
    person.sees(&["did not respond in time", "Try again", "shop.example/tea"]);
}

#[tokio::test]
async fn a_failed_report_is_reported_in_its_pane_and_can_be_opened_again() {
    let service = but("GET /api/v1/reports/3", Reply::Reset).await;
    let mut person = person(&service).await;
    assert_eq!(service.count("GET /api/v1/reports/3"), 3);
    person.sees(&["! Reading the report failed", "shop.example/tea"]);
    service.now(healthy);
    person.press("enter").await;
    person.misses(&["Reading the report failed"]);
}

#[tokio::test]
async fn reloading_the_list_reads_a_failed_report_again() {
    for key in ["r", "R"] {
        let service = but("GET /api/v1/reports/3", Reply::Reset).await;
        let mut person = person(&service).await;
        person.sees(&["! Reading the report failed", "shop.example/tea"]);
        service.now(healthy);
        person.press(key).await;
        person.misses(&["Reading the report failed"]);
    }
}

#[tokio::test]
async fn an_https_address_of_a_service_without_tls_is_named_as_such() {
    let (running, _data) = Running::start().await;
    let address = running.service.base_url().replace("http:", "https:");
    let list = move || CliUser::with_service(&address).run(&["reports", "list"]);
    let output = tokio::task::spawn_blocking(list).await.unwrap();
    assert_eq!(output.code, 6, "{output:?}");
    assert!(output.error.contains("(it does not use TLS: its address may begin with http://)"), "{output:?}");
}

#[tokio::test]
async fn a_response_that_is_not_http_points_to_the_base_url() {
    // Another program on that port, and a service that expects TLS.
    for reply in [&b"SSH-2.0-OpenSSH_9.2\r\n"[..], b"\x15\x03\x01\0\x02\x02\x46"] {
        let failure = list_answered(Reply::Raw(reply.to_vec()), brisk()).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unreachable, "{failure}");
        assert!(failure.message.contains("is not valid HTTP"), "{failure}");
        assert!(failure.advice.contains("port of the base URL"), "{failure}");
    }
}

#[tokio::test]
async fn failing_projects_do_not_affect_the_reports() {
    let service = but("GET /api/v1/projects", Reply::Json(500, json!({}))).await;
    let mut person = person(&service).await;
    person.sees(&["Projects ! not loaded", "Listing projects failed", "shop.example/tea"]);
    service.now(healthy);
    person.press("1 r").await;
    person.sees(&["Projects 1"]).misses(&["Listing projects failed"]);
}

#[tokio::test]
async fn an_endless_response_head_is_given_up() {
    let pause = std::time::Duration::from_millis(5);
    let slow = Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-More: and more\r\n".to_vec(), pause);
    let service = but(LIST, slow).await;
    let failure = list(&client(&service, impatient()).0).await.unwrap_err();
    assert!(matches!(failure.kind, FailureKind::TimedOut | FailureKind::Unreachable), "{failure:?}");
}

#[test]
fn the_default_limits_are_the_documented_ones() {
    let limits = Limits::default();
    let seconds = [limits.connect, limits.idle, limits.read, limits.write].map(|limit| limit.as_secs());
    assert_eq!((seconds, limits.body), ([5, 15, 30, 120], 64 * 1024 * 1024));
}

#[tokio::test]
async fn a_key_that_is_invalid_in_a_header_is_an_error_and_nothing_is_sent() {
    let service = ScriptedServer::start(healthy).await;
    let person = crate::support::session::Person::with_limits(brisk(), &service.base, "line\nbreak").await;
    person.sees(&["API key"]).misses(&["the connection to"]);
    assert!(service.asked().is_empty());
}
