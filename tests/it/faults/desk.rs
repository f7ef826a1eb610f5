//! A desk, or a service beside it, that stays silent or fails.

use std::time::Duration;

use reportdeck::api::desk_entry::DeskClients;
use reportdeck::domain::desk::ServiceLookup;
use reportdeck::domain::failure::FailureKind;
use reportdeck::domain::text::Text;
use serde_json::{Value, json};

use crate::faults::healthy_service::{Limits, brisk, but, client, impatient};
use crate::support::desk_team::change;
use crate::support::scripted_server::{Reply, ScriptedServer};

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
