//! 429: the length of the wait, the countdown, and which requests are retried automatically.

use std::time::{Duration, Instant, SystemTime};

use jiff::{SignedDuration, Timestamp};
use reportdeck::app::message::Message;
use reportdeck::app::panes::reports::listing::LoadState;
use reportdeck::domain::failure::FailureKind;
use serde_json::json;

use crate::faults::healthy_service::{CREATE, LIST, brisk, healthy, list_answered, person};
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::session::Person;
use crate::support::waiting::PATIENCE;

fn limited(headers: &[String]) -> Reply {
    Reply::Full(429, headers.to_vec(), br#"{"message": "Slow down."}"#.to_vec())
}

fn retry_after(value: impl std::fmt::Display) -> Reply {
    limited(&[format!("Retry-After: {value}")])
}

async fn waits(reply: Reply) -> Duration {
    let failure = list_answered(reply, brisk()).await.unwrap_err();
    assert_eq!((failure.kind, failure.status), (FailureKind::RateLimited, Some(429)));
    failure.retry_after.unwrap()
}

/// Whether a wait is what is left of these seconds since `begun`; dates are in whole seconds.
fn is_left_of(seconds: u64, wait: Duration, begun: Instant) -> bool {
    let whole = Duration::from_secs(seconds);
    wait <= whole + Duration::from_secs(1) && wait + begun.elapsed() + Duration::from_secs(2) >= whole
}

fn epoch_in(seconds: u64) -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() + seconds
}

#[tokio::test]
async fn a_429_gives_its_wait_in_seconds() {
    assert_eq!(waits(retry_after(30)).await, Duration::from_secs(30));
}

#[tokio::test]
async fn a_429_gives_its_wait_as_a_date() {
    let begun = Instant::now();
    let at = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
    let wait = waits(retry_after(at)).await;
    assert!(is_left_of(90, wait, begun), "{wait:?}");
}

#[tokio::test]
async fn a_429_gives_its_wait_as_a_reset_time() {
    let wait = waits(limited(&["X-RateLimit-Reset: 45".into()])).await;
    assert_eq!(wait, Duration::from_secs(45));
    let begun = Instant::now();
    let wait = waits(limited(&[format!("X-RateLimit-Reset: {}", epoch_in(45))])).await;
    assert!(is_left_of(45, wait, begun), "{wait:?}");
}

#[tokio::test]
async fn a_429_without_a_hint_waits_a_minute_at_most() {
    for reply in [limited(&[]), retry_after("soon"), retry_after("-5"), retry_after("")] {
        let wait = waits(reply).await;
        assert!((48..=60).contains(&wait.as_secs()), "{wait:?}");
    }
}

#[tokio::test]
async fn a_429_with_an_extreme_wait_is_clamped() {
    let past = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(1));
    for reply in [retry_after(0), retry_after(past), limited(&["X-RateLimit-Reset: 0".into()])] {
        assert!(waits(reply).await >= Duration::from_secs(1), "otherwise the request is repeated without a pause");
    }
    for endless in [u64::MAX, 10_000_000_000] {
        assert!(waits(retry_after(endless)).await <= Duration::from_hours(24));
    }
}

fn page(asked: &RecordedRequest, second: Reply) -> Reply {
    match (asked.line().as_str(), asked.parameter("page")) {
        (LIST, Some(_)) => second,
        (LIST, None) => {
            let row = json!({"id": 3, "url": "shop.example/tea", "result": "good"});
            Reply::Json(200, json!({"data": [row], "meta": {"current_page": 1, "last_page": 2}}))
        }
        _ => healthy(asked),
    }
}

fn after(person: &mut Person, seconds: i64) {
    person.session.handle_at(Message::Tick, Timestamp::now() + SignedDuration::from_secs(seconds));
}

#[tokio::test]
async fn a_429_on_a_page_counts_down_and_retries_automatically() {
    let service = ScriptedServer::start(|asked| page(asked, retry_after(30))).await;
    let mut person = person(&service).await;
    person.sees(&["shop.example/tea", "asks to wait", "(Esc stops)"]);
    assert_eq!(service.count(LIST), 2);
    let LoadState::Waiting(until, _) = person.session.app().reports.loading().load.clone() else {
        panic!("the dashboard does not wait")
    };
    person.session.handle_at(Message::Tick, until - SignedDuration::from_secs(20));
    person.sees(&["the service asks to wait 20 s"]);
    let wake = person.session.app().wake_at().unwrap();
    assert!(wake <= Timestamp::now() + SignedDuration::from_secs(11), "each second of the countdown is drawn");
    assert_eq!(service.count(LIST), 2);
    service.now(|asked| {
        let row = json!({"id": 2, "url": "shop.example/cart", "result": "bad"});
        page(asked, Reply::Json(200, json!({"data": [row], "meta": {"current_page": 2, "last_page": 2}})))
    });
    after(&mut person, 31);
    person.look().await;
    person.sees(&["shop.example/tea", "shop.example/cart", "2 reports"]).misses(&["asks to wait"]);
    assert_eq!(service.count(LIST), 3);
}

#[tokio::test]
async fn esc_stops_a_wait_and_r_resumes_it() {
    let service = ScriptedServer::start(|asked| page(asked, retry_after(30))).await;
    let mut person = person(&service).await;
    person.press("esc").await;
    after(&mut person, 3_600);
    person.look().await;
    person.sees(&["stopped at 1 (r resumes)"]);
    assert_eq!(service.count(LIST), 2);
    person.press("r").await;
    assert_eq!(service.asked_for(LIST)[2].parameter("page").as_deref(), Some("2"));
}

#[tokio::test]
async fn a_429_on_projects_or_a_report_retries_automatically() {
    for line in ["GET /api/v1/projects", "GET /api/v1/reports/3"] {
        let service =
            ScriptedServer::start(move |asked| if asked.line() == line { retry_after(30) } else { healthy(asked) })
                .await;
        let mut person = person(&service).await;
        assert_eq!(service.count(line), 1);
        after(&mut person, 10);
        person.look().await;
        assert_eq!(service.count(line), 1, "{line} too early");
        service.now(healthy);
        after(&mut person, 31);
        person.look().await;
        assert_eq!(service.count(line), 2, "{line}");
        person.misses(&["too many requests", "not loaded"]);
    }
}

#[tokio::test]
async fn a_429_on_a_write_is_reported_and_not_retried() {
    let service =
        ScriptedServer::start(|asked| if asked.method == "GET" { healthy(asked) } else { retry_after(7) }).await;
    let mut person = person(&service).await;
    person.press("n 'shop.example/new' ctrl+s").await;
    person.sees(&["New report", "too many requests", "asks to wait 7 s"]);
    after(&mut person, 3_600);
    person.press("esc t").await;
    person.sees(&["too many requests"]);
    after(&mut person, 7_200);
    person.press("D y").await;
    person.sees(&["too many requests", "shop.example/tea"]);
    assert_eq!((service.count(CREATE), service.count("PUT /api/v1/reports/3")), (1, 1));
    assert_eq!(service.count("DELETE /api/v1/reports/3"), 1);
}

#[tokio::test]
async fn a_cancelled_read_is_not_retried() {
    let service = ScriptedServer::start(healthy).await;
    let mut person = person(&service).await;
    person.key("r");
    person.key("esc");
    // No further message arrives: a cancelled read reports nothing.
    let looked = tokio::time::timeout(PATIENCE, person.look()).await;
    assert!(looked.is_ok(), "it waits for a response that never arrives:\n{}", person.screen());
}

#[tokio::test]
async fn a_429_without_a_time_does_not_say_that_the_service_asks_for_one() {
    let service = ScriptedServer::start(|asked| page(asked, Reply::Json(429, json!({})))).await;
    let mut person = person(&service).await;
    person.sees(&["too many requests (429). Try again in ", "too many requests: waiting ", "(Esc stops)"]);
    person.misses(&["asks to wait"]);
    let LoadState::Waiting(until, _) = person.session.app().reports.loading().load.clone() else {
        panic!("the dashboard does not wait")
    };
    person.session.handle_at(Message::Tick, until - SignedDuration::from_secs(20));
    person.sees(&["too many requests: waiting 20 s"]);
}
