//! Long polling for changes. Each wait is ended by an event, never by a clock of the test.

use std::path::Path;
use std::time::Duration;

use reportdeck::api::client::Client as ApiClient;
use reportdeck::api::desk::ChangesRequest;
use reportdeck::domain::desk::{DeskChanges, LogPosition, PresenceActivity, Role, RowPrecondition};
use reportdeck::domain::failure::Failure;
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use reportdeck::service::{StoreAddress, keys};
#[cfg(all(unix, feature = "postgres"))]
use secrecy::ExposeSecret as _;
use tokio::task::JoinHandle;

use crate::support::desk_team::{change, member, note, row};
use crate::support::embedded_service::{Running, store_of};
use crate::support::waiting::until;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(50);

fn request(after: LogPosition, wait: Duration) -> ChangesRequest {
    ChangesRequest { service: Some(1), after, wait, presence: None }
}

async fn end_of_log(client: &ApiClient) -> LogPosition {
    client.desk().await.unwrap().unwrap().position
}

/// Starts a waiting request in its own task.
fn waiting(client: &ApiClient, request: ChangesRequest) -> JoinHandle<Result<DeskChanges, Failure>> {
    let client = client.clone();
    tokio::spawn(async move { client.desk_changes(&request).await })
}

#[tokio::test]
async fn a_wait_ends_with_the_next_event_of_another_client_or_another_instance() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let other = Running::on(data.path()).await;
    let far = member(&other, data.path(), "carla", Role::Triage).await;
    let mut position = end_of_log(&anna).await;
    for (number, writer) in [&ben, &far, &ben].into_iter().enumerate() {
        let wait = waiting(&anna, request(position, LONG));
        tokio::task::yield_now().await;
        let report = ReportId::new(&number.to_string());
        let written =
            writer.write_desk_row(1, &report, RowPrecondition::Absent, &row(State::Looking, None)).await.unwrap();
        let part = wait.await.unwrap().unwrap();
        assert_eq!((part.events.len(), part.reset, part.more), (1, false, false));
        assert_eq!(part.position.revision, part.events[0].revision);
        let json = serde_json::to_value(&part.events[0]).unwrap();
        assert_eq!(json["after"], serde_json::to_value(&written).unwrap());
        position = part.position;
    }
}

#[tokio::test]
async fn a_wait_without_events_ends_with_an_empty_response() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Viewer).await;
    let position = end_of_log(&anna).await;
    let part = anna.desk_changes(&request(position, Duration::from_secs(1))).await.unwrap();
    assert_eq!((part.position, part.events.len(), part.reset, part.pause), (position, 0, false, 0));
    let unknown = ChangesRequest { service: Some(9), ..request(position, LONG) };
    assert_eq!(anna.desk_changes(&unknown).await.unwrap_err().status, Some(404));
}

#[tokio::test]
async fn a_replaced_log_is_reported_at_once() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let position = end_of_log(&anna).await;
    // The log is shorter than before: an older backup was restored.
    let ahead = LogPosition { revision: position.revision + 5, change: None };
    let part = anna.desk_changes(&request(ahead, LONG)).await.unwrap();
    assert_eq!((part.reset, part.position, part.events.len()), (true, position, 0));
    // A restored log has grown past the reader's position: that revision is now another change.
    let elsewhere = LogPosition { change: Some(change()), ..position };
    anna.write_desk_note(1, &ReportId::new("1"), &note("x")).await.unwrap();
    assert!(anna.desk_changes(&request(elsewhere, LONG)).await.unwrap().reset);
    assert!(!anna.desk_changes(&request(position, LONG)).await.unwrap().reset);
}

#[tokio::test]
async fn stopping_the_service_or_revoking_the_key_ends_a_wait_at_once() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Viewer).await;
    let listed = keys::list(store_of(data.path()).await).await.unwrap();
    let name = listed.last().unwrap().name.clone();
    let ben = member(&running, data.path(), "ben", Role::Viewer).await;
    let position = end_of_log(&anna).await;
    let here = ChangesRequest { presence: Some((None, PresenceActivity::Viewing)), ..request(position, LONG) };
    let (revoked, kept) = (waiting(&anna, here), waiting(&ben, request(position, LONG)));
    // Anna is visible once her request waits; revoked earlier, the key would be rejected without a wait.
    while ben.desk_changes(&request(position, Duration::ZERO)).await.unwrap().present.is_empty() {}
    keys::revoke(store_of(data.path()).await, &name).await.unwrap();
    // A revoked key receives nothing, not even the event of its revocation.
    assert_eq!(revoked.await.unwrap().unwrap_err().status, Some(401));
    let position = kept.await.unwrap().unwrap().position;
    let kept = waiting(&ben, request(position, LONG));
    // Once a later request has been answered, the waiting one is in progress; stopping earlier would refuse it.
    let watched = waiting(&ben, request(LogPosition { revision: position.revision + 1, change: None }, LONG));
    assert!(watched.await.unwrap().unwrap().reset);
    running.service.shut_down().await;
    let ended = kept.await.unwrap();
    assert!(ended.is_ok_and(|part| part.events.is_empty() && part.position == position));
}

/// Lets a key expire, in the database: no key can be created that expires within a moment.
async fn expire(data: &Path, name: &str) {
    let sql = format!("UPDATE keys SET expires_at = 1 WHERE name = '{name}'");
    match store_of(data).await {
        StoreAddress::Data(folder) => {
            rusqlite::Connection::open(folder.join("reports.sqlite3")).unwrap().execute_batch(&sql).unwrap();
        }
        #[cfg(all(unix, feature = "postgres"))]
        StoreAddress::Postgres(url) => crate::support::postgres::sql(url.expose_secret(), &sql).await,
        #[cfg(not(all(unix, feature = "postgres")))]
        StoreAddress::Postgres(_) => unreachable!("tests without PostgreSQL use a folder"),
    }
}

#[tokio::test]
async fn a_key_that_expires_during_a_wait_receives_nothing_more() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Viewer).await;
    let name = keys::list(store_of(data.path()).await).await.unwrap().pop().unwrap().name;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let position = end_of_log(&anna).await;
    let here = ChangesRequest { presence: Some((None, PresenceActivity::Viewing)), ..request(position, LONG) };
    let expired = waiting(&anna, here);
    while ben.desk_changes(&request(position, Duration::ZERO)).await.unwrap().present.is_empty() {}
    expire(data.path(), &name).await;
    ben.write_desk_note(1, &ReportId::new("1"), &note("x")).await.unwrap();
    assert_eq!(expired.await.unwrap().unwrap_err().status, Some(401));
}

#[tokio::test]
async fn presence_is_sent_to_others_with_the_next_response() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let position = end_of_log(&anna).await;
    let at = |report: &str, doing| ChangesRequest {
        presence: Some((Some(ReportId::new(report)), doing)),
        ..request(position, Duration::ZERO)
    };
    let alone = anna.desk_changes(&at("812", PresenceActivity::Viewing)).await.unwrap();
    assert!(alone.present.is_empty(), "presence excludes the requester");
    let seen = ben.desk_changes(&at("9", PresenceActivity::Writing)).await.unwrap().present;
    assert_eq!((seen.len(), seen[0].handle.as_str(), seen[0].doing), (1, "anna", PresenceActivity::Viewing));
    assert_eq!(seen[0].report, Some(ReportId::new("812")));
    let hidden = anna.desk_changes(&request(position, Duration::ZERO)).await.unwrap().present;
    assert_eq!((hidden[0].handle.as_str(), hidden[0].doing), ("ben", PresenceActivity::Writing));
    // Not on another service, and not in any log or table.
    let elsewhere = ChangesRequest { service: None, ..request(position, Duration::ZERO) };
    assert!(anna.desk_changes(&elsewhere).await.unwrap().present.is_empty());
}

#[tokio::test]
async fn a_wait_ends_when_a_colleague_starts_writing() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let position = end_of_log(&anna).await;
    let at = |doing| ChangesRequest {
        presence: Some((Some(ReportId::new("812")), doing)),
        ..request(position, Duration::ZERO)
    };
    let wait = waiting(&ben, ChangesRequest { wait: LONG, ..at(PresenceActivity::Viewing) });
    // Ben is visible as soon as his request waits.
    until("Ben is visible", async || {
        !anna.desk_changes(&at(PresenceActivity::Viewing)).await.unwrap().present.is_empty()
    })
    .await;
    anna.desk_changes(&at(PresenceActivity::Writing)).await.unwrap();
    let part = wait.await.unwrap().unwrap();
    assert_eq!((part.events.len(), part.present[0].doing), (0, PresenceActivity::Writing));
}
