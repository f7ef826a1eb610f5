//! The desk's log is kept for a limited time, and readers notice that a desk was restored from a backup.

use reportdeck::domain::desk::{LogPosition, Role, RowPrecondition};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use reportdeck::service::{Proxies, StoreAddress, backups};
use rusqlite::Connection;
use secrecy::ExposeSecret as _;

use reportdeck::api::client::Client as ApiClient;
use reportdeck::api::desk::ChangesRequest;
use reportdeck::domain::desk::DeskChanges;

use crate::support::cli_user::CliUser;
use crate::support::desk_team::{api_client, member, new_key, note, row};
use crate::support::embedded_service::{Running, store_of};
use crate::support::waiting::until;

async fn changes(client: &ApiClient, after: LogPosition) -> DeskChanges {
    let wait = std::time::Duration::ZERO;
    client.desk_changes(&ChangesRequest { service: Some(1), after, wait, presence: None }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_events_are_deleted_and_rows_and_notes_stay() {
    let data = tempfile::tempdir().unwrap();
    let store = store_of(data.path()).await;
    let start = |days| Running::with_desk_retention(store.clone(), None, Proxies::default(), days);
    let running = start(0).await.unwrap();
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let anna = api_client(&running.service.base_url(), &key);
    let report = ReportId::new("1");
    let kept = anna.write_desk_row(1, &report, RowPrecondition::Absent, &row(State::Looking, None)).await.unwrap();
    let noted = anna.write_desk_note(1, &report, &note("who?")).await.unwrap();
    anna.write_desk_note(1, &report, &note("me")).await.unwrap();
    let end = anna.desk().await.unwrap().unwrap().position;
    running.service.shut_down().await;
    // The clock was set back after the state was written: its event is deleted with the later one of the first note, so
    // that the log has no gap. The last event stays as long as it is the last, so that the log has an end.
    let age = "UPDATE desk_events SET at = at - 2 * 24 * 3600 * 1000 WHERE revision <> 3";
    match &store {
        StoreAddress::Data(data) => Connection::open(data.join("reports.sqlite3")).unwrap().execute_batch(age).unwrap(),
        #[cfg(all(unix, feature = "postgres"))]
        StoreAddress::Postgres(url) => {
            crate::support::postgres::sql(secrecy::ExposeSecret::expose_secret(url), age).await;
        }
        #[cfg(not(all(unix, feature = "postgres")))]
        StoreAddress::Postgres(_) => unreachable!("only in the suite on PostgreSQL"),
    }
    let running = start(1).await.unwrap();
    // With the same key: another one would be an event, and might come before the deletion.
    let anna = api_client(&running.service.base_url(), &key);
    // Deleted soon after the start.
    until("the events are deleted", async || changes(&anna, LogPosition::default()).await.reset).await;
    assert_eq!(anna.desk_rows(1, None).await.unwrap().rows, [kept]);
    assert_eq!(anna.desk_notes(1, None).await.unwrap().notes[0], noted);
    let next = changes(&anna, end).await;
    assert!(!next.reset, "a reader at the end of the log continues");
    let history = anna.desk_events(1, &report, None).await.unwrap().events;
    assert!(history.iter().all(|event| event.revision == end.revision), "{history:?}");
    let key = new_key(data.path(), Some("ben"), Role::Viewer).await;
    let ben = CliUser::with_service(&running.service.base_url()).with("REPORTDECK_API_KEY", key.expose_secret());
    let log = ben.run(&["desk", "log", "--since", "30d"]);
    assert!(log.out.contains("\"note\"") && log.records().len() > 1, "the retained log is no empty one: {log:?}");
    let next = row(State::Waiting, None);
    assert_eq!(anna.write_desk_row(1, &report, RowPrecondition::Version(1), &next).await.unwrap().version, 2);
    running.service.shut_down().await;
}

#[tokio::test]
async fn readers_notice_a_desk_restored_from_a_backup_even_after_it_has_grown() {
    let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let start = || Running::with_desk_retention(data.path().into(), None, Proxies::default(), 0);
    let running = start().await.unwrap();
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let backup = other.path().join("backup.sqlite3");
    backups::backup(data.path().into(), backup.clone(), false).await.unwrap();
    let report = ReportId::new("1");
    for text in ["one", "two"] {
        anna.write_desk_note(1, &report, &note(text)).await.unwrap();
    }
    let seen = anna.desk().await.unwrap().unwrap().position;
    running.service.shut_down().await;
    backups::restore(data.path().into(), backup, true).await.unwrap();
    let running = start().await.unwrap();
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let part = changes(&anna, seen).await;
    assert!(part.reset && part.position.revision < seen.revision, "{part:?}");
    for text in ["three", "four", "five"] {
        anna.write_desk_note(1, &report, &note(text)).await.unwrap();
    }
    let part = changes(&anna, seen).await;
    assert!(part.reset && part.position.revision > seen.revision && part.events.is_empty(), "{part:?}");
    running.service.shut_down().await;
}
