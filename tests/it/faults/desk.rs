//! A desk, or a service beside it, that stays silent or fails.

use std::time::Duration;

use jiff::Timestamp;
use reportdeck::api::address::BaseUrl;
use reportdeck::api::desk_entry::DeskClients;
use reportdeck::domain::desk::{LogPosition, ServiceLookup};
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::text::Text;
use reportdeck::runtime::{DeskAccess, ServiceConnection};
use serde_json::{Value, json};

use crate::faults::healthy_service::{Limits, brisk, but, client, impatient};
use crate::support::desk_team::change;
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::session::{Person, connected};
use crate::support::waiting::until;

const DESK: &str = "GET /api/v1/desk";
const SERVICES: &str = "POST /api/v1/desk/services";

/// A desk with these services; it creates service 7.
async fn desk(services: Value) -> ScriptedServer {
    ScriptedServer::start(move |asked| match asked.line().as_str() {
        DESK => Reply::Json(
            200,
            json!({"data": {"service_id": "desk-1", "revision": 0, "change": null, "people": [], "services": services,
                   "me": {"handle": "anna", "actor": "anna", "role": "triage"}, "time": "2026-01-02T00:00:00Z"}}),
        ),
        SERVICES => Reply::Json(200, json!({"data": {"id": 7, "base": null, "service_id": null, "label": "shop"}})),
        _ => Reply::Json(404, json!({"message": "Not found."})),
    })
    .await
}

#[tokio::test]
async fn a_service_that_cannot_tell_its_id_is_not_created_a_second_time() {
    let desk = desk(json!([])).await;
    for (reply, kind) in [
        (Reply::Silence, FailureKind::TimedOut),
        (Reply::Reset, FailureKind::Unreachable),
        (Reply::Json(503, json!({})), FailureKind::Service),
        (Reply::Json(429, json!({})), FailureKind::RateLimited),
        (Reply::Json(401, json!({})), FailureKind::Unauthorised),
    ] {
        let service = but(DESK, reply).await;
        let clients = DeskClients { desk: client(&desk, brisk()).0, service: Some(client(&service, impatient()).0) };
        let overview = clients.desk.desk().await.unwrap().unwrap();
        let failure = clients.service_number(&overview, Some(change())).await.unwrap_err();
        assert_eq!(failure.kind, kind, "{failure}");
    }
    assert_eq!(desk.count(SERVICES), 0);
}

#[tokio::test]
async fn a_service_without_a_desk_is_created_by_its_address() {
    let desk = desk(json!([])).await;
    let replies = [
        Reply::Json(404, json!({})),
        Reply::Json(405, json!({})),
        Reply::Json(403, json!({"message": "Missing Authentication Token"})),
        Reply::Json(501, json!({})),
        Reply::html(200, "Our shop"),
        Reply::head(302, &["Location: /login"]),
    ];
    for (at, reply) in replies.into_iter().enumerate() {
        let service = but(DESK, reply.clone()).await;
        let clients = DeskClients { desk: client(&desk, brisk()).0, service: Some(client(&service, brisk()).0) };
        let overview = clients.desk.desk().await.unwrap().unwrap();
        assert_eq!(clients.service_number(&overview, Some(change())).await.unwrap(), Some(7), "{reply:?}");
        assert_eq!(desk.count(SERVICES), at + 1);
    }
}

#[tokio::test]
async fn a_service_whose_address_the_desk_knows_is_found_while_it_fails() {
    let service = but(DESK, Reply::Json(503, json!({}))).await;
    let desk = desk(json!([{"id": 3, "base": service.base, "service_id": "shop-1", "label": "shop"}])).await;
    let clients = DeskClients { desk: client(&desk, brisk()).0, service: Some(client(&service, brisk()).0) };
    let overview = clients.desk.desk().await.unwrap().unwrap();
    assert_eq!(clients.service_number(&overview, Some(change())).await.unwrap(), Some(3));
    assert_eq!(desk.count(SERVICES), 0);
}

#[tokio::test]
async fn requests_to_a_desk_end_with_the_time_limit_of_all_attempts() {
    let desk = ScriptedServer::start(|_| Reply::Silence).await;
    let attempt = Duration::from_millis(400);
    let limits = Limits { idle: attempt, read: attempt, write: attempt, whole_read: Some(attempt * 3 / 2), ..brisk() };
    let (client, _) = client(&desk, limits);
    let failure = client.desk().await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut);
    let (base, label) = (Text::from_outside("https://shop.example"), Text::from_outside("shop"));
    let lookup = ServiceLookup { change: change(), base, service_id: None, label };
    let failure = client.desk_service(&lookup).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::TimedOut);
    // Without the limit there would be a third attempt.
    assert!(desk.count(DESK) <= 2 && desk.count(SERVICES) <= 2, "{:?}", desk.asked());
}

#[tokio::test]
async fn a_desk_that_asks_to_wait_for_hours_is_asked_again_within_a_minute() {
    let service = but(DESK, Reply::head(503, &["Retry-After: 7200"])).await;
    let (journal, base) = (tempfile::tempdir().unwrap(), BaseUrl::parse(&service.base, false).unwrap());
    let desk = Some(DeskAccess { base, key: "key".into(), is_own: true, presence: false });
    let connection = ServiceConnection { desk, ..connected(&service.base, "key") };
    let mut person = Person::with(Ok(connection), Some(journal.path().join("journal.sqlite"))).await;
    until("the reply of the desk", async || {
        person.session.settle().await;
        person.session.app().ctx.activity.iter().any(|exchange| exchange.status == Some(503))
    })
    .await;
    assert_eq!(service.count(DESK), 1);
    tokio::time::pause();
    tokio::time::advance(Duration::from_mins(1)).await;
    tokio::time::resume();
    until("the next request", async || service.count(DESK) == 2).await;
}

/// A row of a desk.
fn row(report: &str, reason: &str) -> Value {
    json!({"report": report, "state": "looking", "holder": null, "baseline": {}, "reason": reason, "version": 1,
           "set_by": "anna", "set_at": "2026-01-02T03:04:05Z"})
}

/// A page of rows and of notes, with more to follow.
fn endless_page(rows: &[Value], notes: &[i64]) -> Reply {
    let note = |id: &i64| {
        json!({"id": id, "report": "1", "author": "anna", "text": "asked", "at": "2026-01-02T03:04:05Z",
               "withdrawn": false})
    };
    let notes: Vec<Value> = notes.iter().map(note).collect();
    Reply::Json(200, json!({"data": {"revision": 1, "change": null, "rows": rows, "notes": notes, "more": true}}))
}

#[tokio::test]
async fn reading_a_desk_ends_although_its_pages_do_not() {
    let repeating = ScriptedServer::start(|_| endless_page(&[row("1", "")], &[1])).await;
    // The usual limit would take 43 pages of 6 MB.
    let small = Limits { desk: 16 * 1024 * 1024, ..brisk() };
    let reason = "x".repeat(60_000);
    let growing = ScriptedServer::start(move |asked| {
        let rows: Vec<Value> = (0..100).map(|at| row(&format!("{}-{at}", asked.before), &reason)).collect();
        endless_page(&rows, &[])
    })
    .await;
    for desk in [repeating, growing] {
        let clients = DeskClients { desk: client(&desk, small).0, service: None };
        let failure = clients.read_all(1).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::TooLarge, "{failure}");
        assert!(failure.message.starts_with("Reading the desk failed: "), "{failure}");
    }
    let repeating = ScriptedServer::start(|_| endless_page(&[], &[1])).await;
    let clients = DeskClients { desk: client(&repeating, brisk()).0, service: None };
    assert_eq!(clients.read_notes(1).await.unwrap_err().kind, FailureKind::TooLarge);
}

/// A page of the log of a desk: one long note with more to follow, or a reset.
fn log_page(revision: usize, reset: bool) -> Reply {
    let (change, at) = (format!("{revision:08x}-0000-4000-8000-000000000000"), "2026-01-02T03:04:05Z");
    let note = json!({"id": revision, "report": "1", "author": "anna", "text": "x".repeat(60_000), "at": at,
                      "withdrawn": false});
    let event = json!({"revision": revision, "change": change, "service": 1, "report": "1", "person": "anna", "at": at,
                       "kind": "note", "before": null, "after": note});
    let events = if reset { Vec::new() } else { vec![event] };
    Reply::Json(
        200,
        json!({"data": {"revision": revision, "change": change, "reset": reset, "events": events, "present": [],
               "more": true}}),
    )
}

#[tokio::test]
async fn reading_the_log_of_a_desk_ends_although_its_pages_do_not() {
    let small = Limits { desk: 1024 * 1024, ..brisk() };
    let growing = ScriptedServer::start(|asked| log_page(asked.before + 1, false)).await;
    let restored = ScriptedServer::start(|asked| log_page(1, asked.before % 2 == 1)).await;
    for desk in [growing, restored] {
        let clients = DeskClients { desk: client(&desk, small).0, service: None };
        let page = async |after| clients.desk.desk_log(1, after).await;
        let failure = clients.read_events((1, Timestamp::UNIX_EPOCH), page).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::TooLarge);
        assert!(failure.advice.contains("a shorter time with --since"), "{failure}");
    }
}

/// A log with one event per minute until noon, of which the first are no longer retained.
#[tokio::test]
async fn recent_events_of_a_long_log_are_read_without_the_older_ones() {
    const END: i64 = 400_000;
    let noon: Timestamp = "2026-01-02T12:00:00Z".parse().unwrap();
    let time = |revision: i64| noon - jiff::SignedDuration::from_mins(END - revision);
    let desk = ScriptedServer::start(|_| Reply::Silence).await;
    let clients = DeskClients { desk: client(&desk, brisk()).0, service: None };
    for (pruned, hours, found) in [(0, 1, 61), (0, 9, 541), (0, 30, 1_801), (399_990, 1, 10), (399_200, 15, 800)] {
        let pages = std::cell::Cell::new(0);
        let page = async |after: Option<LogPosition>| {
            pages.set(pages.get() + 1);
            let after = after.map_or(pruned, |after| after.revision);
            let last = END.min(after + 500);
            let event = |revision: i64| {
                let change = format!("{revision:08x}-0000-4000-8000-000000000000");
                json!({"revision": revision, "change": change, "service": 1, "report": null, "person": "anna",
                       "at": time(revision).to_string(), "kind": "merged", "from": 2, "into": 1})
            };
            let events: Vec<Value> = (after + 1..=last).map(event).collect();
            let reset = after < pruned;
            let events = if reset { Vec::new() } else { events };
            let body = json!({"revision": last, "change": null, "reset": reset, "events": events, "present": [],
                              "more": !reset && last < END});
            Ok((serde_json::from_value(body).unwrap(), 100_000))
        };
        let since = noon - jiff::SignedDuration::from_hours(hours);
        let events = clients.read_events((END, since), page).await.unwrap();
        assert_eq!((events.len(), events.last().unwrap().revision), (found, END), "{pruned} {hours}");
        assert!(pages.get() <= 10, "{} pages for {found} events", pages.get());
    }
}

#[tokio::test]
async fn texts_of_a_desk_are_bounded() {
    let reason = "x".repeat(100_000);
    let desk = ScriptedServer::start(move |_| endless_page(&[row("1", &reason)], &[])).await;
    let clients = DeskClients { desk: client(&desk, brisk()).0, service: None };
    let rows = clients.desk.desk_rows(1, None).await.unwrap().rows;
    assert_eq!((rows[0].report.raw(), &rows[0].reason), ("1", &None));
}

#[tokio::test]
async fn a_response_that_is_not_of_a_desk_is_described_without_names_of_types() {
    for (reply, expected) in [
        (json!([]), "invalid length 0"),
        (json!({"data": "x"}), "invalid type: string \"x\""),
        (json!({"status": 200}), "missing field `data`"),
    ] {
        let service = but(DESK, Reply::Json(200, reply)).await;
        let failure = client(&service, brisk()).0.desk().await.unwrap_err();
        assert!(failure.message.contains(expected), "{failure}");
        assert!(!failure.message.contains("struct"), "{failure}");
    }
}
