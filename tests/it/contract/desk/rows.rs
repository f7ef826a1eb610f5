//! Rows, notes, history and services.

use futures_util::StreamExt as _;
use reportdeck::api::client::Client as ApiClient;
use reportdeck::api::desk::{ChangesRequest, RowWriteFailure};
use reportdeck::api::desk_entry::DeskClients;
use reportdeck::domain::desk::{
    ChangeId, DeskActor, EventDetail, LogPosition, NoteWrite, Role, RowPrecondition, RowWrite, ServiceLookup,
};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;
use reqwest::Method;
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::support::cli_user::CliUser;
use crate::support::desk_team::{change, member, new_key, note, row};
use crate::support::embedded_service::{Running, sent};

/// The desk's own service.
const OWN: i64 = 1;

/// Reads all events from the beginning of the log, without waiting.
fn from_the_beginning() -> ChangesRequest {
    ChangesRequest {
        service: Some(OWN),
        after: LogPosition::default(),
        wait: std::time::Duration::ZERO,
        presence: None,
    }
}

#[tokio::test]
async fn a_write_needs_the_current_version_of_the_row_and_is_applied_once() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let report = ReportId::new("812");
    let claim = row(State::Looking, Some("anna"));
    let first = anna.write_desk_row(OWN, &report, RowPrecondition::Absent, &claim).await.unwrap();
    assert_eq!((first.version, first.state, &*first.set_by.shown()), (1, State::Looking, "anna"));
    let claim_of_ben = row(State::Looking, Some("ben"));
    for stale in [RowPrecondition::Absent, RowPrecondition::Version(7)] {
        let refused = ben.write_desk_row(OWN, &report, stale, &claim_of_ben).await;
        assert_eq!(refused, Err(RowWriteFailure::Conflict(Some(Box::new(first.clone())))));
    }
    let second = ben.write_desk_row(OWN, &report, RowPrecondition::Version(1), &claim_of_ben).await.unwrap();
    assert_eq!((second.version, second.holder.as_ref().unwrap().as_str()), (2, "ben"));
    // The response was lost, and the write is repeated: same response, and no second event.
    let again = anna.write_desk_row(OWN, &report, RowPrecondition::Absent, &claim).await.unwrap();
    assert_eq!(again, first);
    let missing = row(State::Waiting, None);
    let refused = anna.write_desk_row(OWN, &ReportId::new("813"), RowPrecondition::Version(1), &missing).await;
    assert_eq!(refused, Err(RowWriteFailure::Conflict(None)));
    // `New` without a holder: the row stays, and its version increases.
    let cleared = row(State::New, None);
    let third = ben.write_desk_row(OWN, &report, RowPrecondition::Version(2), &cleared).await.unwrap();
    assert_eq!((third.version, third.holder.is_none()), (3, true));
    let rows = anna.desk_rows(OWN, None).await.unwrap();
    assert_eq!((rows.rows, rows.more), (vec![third], false));
    let history = anna.desk_events(OWN, &report, None).await.unwrap();
    let versions: Vec<i64> = history
        .events
        .iter()
        .map(|event| match &event.detail {
            EventDetail::State { after, .. } => after.version,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(versions, [3, 2, 1]);
    let (latest, earlier) = (history.events[0].revision, history.events[1].revision);
    assert_eq!(anna.desk_events(OWN, &report, Some(latest)).await.unwrap().events[0].revision, earlier);
}

#[tokio::test]
async fn automatic_decisions_after_an_audit_are_one_event() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let report = ReportId::new("812");
    let done = |reason: &str| RowWrite {
        reason: Some(Text::from_outside(reason)),
        cause: Some(Text::from_outside("closed 2026-11-22T10:00:00Z")),
        ..row(State::Done, None)
    };
    let (one, other) = (done("good 90"), done("it is good now"));
    let (first, second) = tokio::join!(
        anna.write_desk_row(OWN, &report, RowPrecondition::Absent, &one),
        ben.write_desk_row(OWN, &report, RowPrecondition::Absent, &other),
    );
    assert_eq!(first.unwrap(), second.unwrap(), "the other decisions change the row");
    let history = anna.desk_events(OWN, &report, None).await.unwrap().events;
    assert_eq!((history.len(), history[0].cause.as_ref().unwrap().raw()), (1, "closed 2026-11-22T10:00:00Z"));
    let elsewhere = anna.write_desk_row(OWN, &ReportId::new("9"), RowPrecondition::Absent, &done("good")).await;
    assert_eq!(elsewhere.unwrap().version, 1, "a cause belongs to one report");
}

#[tokio::test]
async fn notes_form_a_thread_and_only_their_author_or_an_admin_can_withdraw_them() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let root = member(&running, data.path(), "root", Role::Admin).await;
    let report = ReportId::new("812");
    let write = note("asked Mona\nshe answers tomorrow");
    let first = anna.write_desk_note(OWN, &report, &write).await.unwrap();
    assert_eq!(anna.write_desk_note(OWN, &report, &write).await.unwrap(), first, "repeated write");
    let second = ben.write_desk_note(OWN, &report, &note("@anna and now?")).await.unwrap();
    assert!(second.id > first.id);
    let refused = ben.withdraw_desk_note(OWN, &report, first.id, change()).await.unwrap_err();
    assert_eq!(refused.status, Some(403), "{refused}");
    let id = change();
    let gone = anna.withdraw_desk_note(OWN, &report, first.id, id).await.unwrap();
    assert_eq!((gone.withdrawn, gone.text.is_empty(), gone.id), (true, true, first.id));
    assert_eq!(anna.withdraw_desk_note(OWN, &report, first.id, id).await.unwrap(), gone, "repeated write");
    let end = anna.desk().await.unwrap().unwrap().position;
    assert_eq!(anna.withdraw_desk_note(OWN, &report, first.id, change()).await.unwrap(), gone, "withdrawn before");
    assert_eq!(anna.desk().await.unwrap().unwrap().position, end, "nothing was logged");
    assert_eq!(anna.desk_notes(OWN, None).await.unwrap().notes, std::slice::from_ref(&second));
    root.withdraw_desk_note(OWN, &report, second.id, change()).await.unwrap();
    assert!(anna.desk_notes(OWN, None).await.unwrap().notes.is_empty());
    let missing = anna.withdraw_desk_note(OWN, &report, 999, change()).await.unwrap_err();
    assert_eq!(missing.status, Some(404), "{missing}");
    let elsewhere = anna.withdraw_desk_note(OWN, &ReportId::new("1"), first.id, change()).await.unwrap_err();
    assert_eq!(elsewhere.status, Some(404), "{elsewhere}");
}

#[tokio::test]
async fn a_change_id_identifies_one_write() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let ben = member(&running, data.path(), "ben", Role::Triage).await;
    let write = row(State::Looking, None);
    anna.write_desk_row(OWN, &ReportId::new("1"), RowPrecondition::Absent, &write).await.unwrap();
    for (who, report) in [(&anna, "2"), (&ben, "1")] {
        let reused = who.write_desk_row(OWN, &ReportId::new(report), RowPrecondition::Absent, &write).await;
        let Err(RowWriteFailure::Failed(failure)) = reused else { panic!("{reused:?}") };
        assert_eq!((failure.status, failure.fields[0].field.as_str()), (Some(422), "change"));
    }
    // The same person and report do not make another kind of write the same one.
    let root = member(&running, data.path(), "root", Role::Admin).await;
    let used = write.change;
    let report = ReportId::new("1");
    let noted = anna.write_desk_note(OWN, &report, &note("who?")).await.unwrap();
    let (gone, withdrawal) = (anna.write_desk_note(OWN, &report, &note("gone")).await.unwrap(), change());
    anna.withdraw_desk_note(OWN, &report, gone.id, withdrawal).await.unwrap();
    let lookup = |base: &str, change| ServiceLookup {
        change,
        base: Text::from_outside(base),
        service_id: None,
        label: Text::from_outside("a"),
    };
    let other = anna.desk_service(&lookup("https://a.example", change())).await.unwrap().id;
    let reused_note = NoteWrite { change: used, ..note("me") };
    let reused_row = RowWrite { change: reused_note_id(&anna, &report).await, ..row(State::Waiting, None) };
    // Nor do they make other contents the same write.
    let other_state = RowWrite { change: used, ..row(State::Waiting, None) };
    let mut other_result = write.clone();
    other_result.baseline.score = Some(7);
    let other_holder = RowWrite { holder: Some("anna".parse().unwrap()), ..write.clone() };
    let other_reason = RowWrite { reason: Some(Text::from_outside("known")), ..write.clone() };
    for reused in [reused_row, other_state, other_result, other_holder, other_reason] {
        let answer = anna.write_desk_row(OWN, &report, RowPrecondition::Version(1), &reused).await;
        let Err(RowWriteFailure::Failed(failure)) = answer else { panic!("{reused:?}: {answer:?}") };
        assert_eq!((failure.status, failure.fields[0].field.as_str()), (Some(422), "change"), "{failure}");
    }
    let other_text = NoteWrite { change: reused_note_id(&anna, &report).await, ..note("else") };
    for failure in [
        anna.write_desk_note(OWN, &report, &other_text).await.unwrap_err(),
        anna.write_desk_note(OWN, &report, &reused_note).await.unwrap_err(),
        anna.withdraw_desk_note(OWN, &report, noted.id, used).await.unwrap_err(),
        anna.withdraw_desk_note(OWN, &report, noted.id, withdrawal).await.unwrap_err(),
        anna.desk_service(&lookup("https://b.example", used)).await.unwrap_err(),
        root.merge_desk_services(other, OWN, used).await.unwrap_err(),
    ] {
        assert_eq!((failure.status, failure.fields[0].field.as_str()), (Some(422), "change"), "{failure}");
    }
    assert_eq!(anna.desk_rows(OWN, None).await.unwrap().rows[0].version, 1, "nothing was written");
    assert_eq!(anna.desk_notes(OWN, None).await.unwrap().notes.len(), 3);
    assert_eq!(anna.desk().await.unwrap().unwrap().services.len(), 2);
}

#[tokio::test]
async fn a_repeated_write_may_have_the_time_of_its_decision() {
    let (running, _data) = Running::start().await;
    let mut body = serde_json::to_value(row(State::Looking, None)).unwrap();
    body["baseline"]["generated_at"] = json!("2026-11-20T10:00:00.123456789Z");
    let put = async |body: &serde_json::Value| {
        let request = running.client.json(Method::PUT, "/api/v1/desk/states/1/812", body);
        sent(request.header("if-none-match", "*")).await.expect(200).body["data"].clone()
    };
    let first = put(&body).await;
    body["decided_at"] = json!("2026-11-20T10:05:00Z");
    assert_eq!(put(&body).await, first);
}

/// Adds a note and returns the id of this write.
async fn reused_note_id(client: &ApiClient, report: &ReportId) -> ChangeId {
    let write = note("again");
    client.write_desk_note(OWN, report, &write).await.unwrap();
    write.change
}

#[tokio::test]
async fn a_service_is_found_by_its_id_or_address_and_two_spellings_can_be_merged() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let root = member(&running, data.path(), "root", Role::Admin).await;
    let lookup = |base: &str, id: Option<&str>| ServiceLookup {
        change: change(),
        base: Text::from_outside(base),
        service_id: id.map(Text::from_outside),
        label: Text::from_outside("the shop's"),
    };
    let own = anna.desk().await.unwrap().unwrap();
    let found = anna.desk_service(&lookup("https://desk.example", Some(own.service_id.raw()))).await.unwrap();
    assert_eq!(found.id, OWN, "found by its id, whatever the address");
    let one = anna.desk_service(&lookup("https://Reports.example/api/v1/", None)).await.unwrap();
    assert_eq!((one.id, one.base.as_ref().unwrap().raw()), (2, "https://reports.example"));
    assert_eq!(anna.desk_service(&lookup("https://reports.example", None)).await.unwrap(), one);
    let other = anna.desk_service(&lookup("https://www.reports.example", None)).await.unwrap();
    assert_eq!(other.id, 3);
    let (both, single) = (ReportId::new("1"), ReportId::new("2"));
    let write = |state| row(state, None);
    anna.write_desk_row(one.id, &both, RowPrecondition::Absent, &write(State::Looking)).await.unwrap();
    let later = anna.write_desk_row(other.id, &both, RowPrecondition::Absent, &write(State::Waiting)).await.unwrap();
    let moved = anna.write_desk_row(other.id, &single, RowPrecondition::Absent, &write(State::WontFix)).await.unwrap();
    let noted = anna.write_desk_note(other.id, &both, &note("who?")).await.unwrap();
    let merge = async |from: i64, into: i64| {
        let body = json!({ "change": change(), "into": into });
        let path = format!("/api/v1/desk/services/{from}/merge");
        sent(running.client.json(Method::POST, &path, &body)).await
    };
    for (from, into) in [(OWN, one.id), (one.id, one.id)] {
        merge(from, into).await.expect(422);
    }
    merge(9, one.id).await.expect(404);
    merge(other.id, one.id).await.expect(200);
    merge(other.id, one.id).await.expect(200);
    // What was merged is no service any more.
    merge(one.id, other.id).await.expect(404);
    let rows = anna.desk_rows(one.id, None).await.unwrap().rows;
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].state, rows[0].version), (later.state, 2), "the later row, with a version above both");
    assert_eq!(rows[1], moved);
    assert_eq!(anna.desk_notes(one.id, None).await.unwrap().notes, [noted]);
    assert_eq!(anna.desk_rows(other.id, None).await.unwrap_err().status, Some(404));
    assert_eq!(anna.desk_service(&lookup("https://www.reports.example", None)).await.unwrap().id, one.id);
    let services = root.desk().await.unwrap().unwrap().services;
    assert_eq!(services.iter().map(|service| service.id).collect::<Vec<_>>(), [OWN, one.id]);
    // Another service at the same address is another one; without an id the newer one is found.
    let replaced = anna.desk_service(&lookup("https://moved.example", Some("old"))).await.unwrap();
    let new = anna.desk_service(&lookup("https://moved.example", Some("new"))).await.unwrap();
    assert_ne!(replaced.id, new.id);
    assert_eq!(anna.desk_service(&lookup("https://moved.example", None)).await.unwrap(), new);
    // What was merged before follows.
    merge(one.id, new.id).await.expect(200);
    assert_eq!(anna.desk_service(&lookup("https://www.reports.example", None)).await.unwrap(), new);
    let events = anna.desk_changes(&from_the_beginning()).await.unwrap().events;
    assert!(events.iter().any(|event| event.detail == EventDetail::Merged { from: other.id, into: one.id }));
    let by = |event: &reportdeck::domain::desk::DeskEvent| event.person.clone();
    assert!(events.iter().any(|event| by(event) == DeskActor::Operator), "the log contains keys too");
}

#[tokio::test]
async fn the_id_of_a_merged_service_finds_the_service_it_was_merged_into() {
    let (running, data) = Running::start().await;
    let root = member(&running, data.path(), "root", Role::Admin).await;
    let find = async |base: &str, id: Option<&str>| {
        let (base, service_id) = (Text::from_outside(base), id.map(Text::from_outside));
        let lookup = ServiceLookup { change: change(), base, service_id, label: Text::from_outside("the shop's") };
        root.desk_service(&lookup).await
    };
    // Another service at the address of one that was merged is another one.
    let old = find("https://old.example", None).await.unwrap();
    let tea = find("https://tea.example", Some("tea")).await.unwrap();
    root.merge_desk_services(old.id, tea.id, change()).await.unwrap();
    assert_eq!(find("https://old.example", None).await.unwrap(), tea);
    let other = find("https://old.example", Some("coffee")).await.unwrap();
    assert_eq!(other.service_id.as_ref().map(Text::raw), Some("coffee"));
    assert_ne!(other.id, tea.id);
    let plain = find("https://reports.example", None).await.unwrap();
    let named = find("https://www.reports.example", Some("shop")).await.unwrap();
    root.merge_desk_services(named.id, plain.id, change()).await.unwrap();
    assert_eq!(find("https://www.reports.example", Some("shop")).await.unwrap(), plain);
}

#[tokio::test]
async fn a_write_repeated_after_a_merge_is_found_in_the_service_it_was_merged_into() {
    let (running, data) = Running::start().await;
    let root = member(&running, data.path(), "root", Role::Admin).await;
    let new_service = async |base: &str| {
        let label = Text::from_outside("a");
        let lookup = ServiceLookup { change: change(), base: Text::from_outside(base), service_id: None, label };
        root.desk_service(&lookup).await.unwrap().id
    };
    let (from, into) = (new_service("https://a.example").await, new_service("https://b.example").await);
    let (report, write, noted) = (ReportId::new("1"), row(State::Looking, None), note("who?"));
    let first = root.write_desk_row(from, &report, RowPrecondition::Absent, &write).await.unwrap();
    let kept = root.write_desk_note(from, &report, &noted).await.unwrap();
    let (gone, withdrawal) = (root.write_desk_note(from, &report, &note("gone")).await.unwrap(), change());
    root.withdraw_desk_note(from, &report, gone.id, withdrawal).await.unwrap();
    root.merge_desk_services(from, into, change()).await.unwrap();
    let repeated = root.write_desk_row(from, &report, RowPrecondition::Absent, &write).await;
    let Err(RowWriteFailure::Failed(failure)) = repeated else { panic!("{repeated:?}") };
    let note_failure = root.write_desk_note(from, &report, &noted).await.unwrap_err();
    let withdrawal_failure = root.withdraw_desk_note(from, &report, gone.id, withdrawal).await.unwrap_err();
    for failure in [failure, note_failure, withdrawal_failure] {
        assert_eq!(failure.status, Some(404), "the service is gone, as for a new write: {failure}");
    }
    assert_eq!(root.write_desk_row(into, &report, RowPrecondition::Absent, &write).await.unwrap(), first);
    assert_eq!(root.write_desk_note(into, &report, &noted).await.unwrap(), kept);
    root.withdraw_desk_note(into, &report, gone.id, withdrawal).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_notes_and_events_are_paged() {
    let (running, data) = Running::start().await;
    let anna = member(&running, data.path(), "anna", Role::Triage).await;
    let write = |number: usize| {
        let anna = &anna;
        async move {
            let report = ReportId::new(&format!("r{number:04}"));
            anna.write_desk_row(OWN, &report, RowPrecondition::Absent, &row(State::Looking, None)).await.unwrap();
            anna.write_desk_note(OWN, &report, &note("x")).await.unwrap();
        }
    };
    futures_util::stream::iter(0..510).for_each_concurrent(8, write).await;
    let first = anna.desk_rows(OWN, None).await.unwrap();
    assert_eq!((first.rows.len(), first.more), (500, true));
    let second = anna.desk_rows(OWN, Some(&first.rows[499].report)).await.unwrap();
    assert_eq!((second.rows.len(), second.more), (10, false));
    assert_eq!(second.rows[9].report.raw(), "r0509");
    let first = anna.desk_notes(OWN, None).await.unwrap();
    assert_eq!((first.notes.len(), first.more), (500, true));
    assert_eq!(anna.desk_notes(OWN, Some(first.notes[499].id)).await.unwrap().notes.len(), 10);
    let mut request = from_the_beginning();
    let mut revisions = Vec::new();
    loop {
        let part = anna.desk_changes(&request).await.unwrap();
        revisions.extend(part.events.iter().map(|event| event.revision));
        request.after = part.position;
        if !part.more {
            break;
        }
    }
    assert!(revisions.iter().copied().eq(1..=request.after.revision));
    assert!(revisions.len() >= 1020);
    // Clients read all pages.
    let own_desk = DeskClients { desk: anna.clone(), service: None };
    let content = own_desk.read_all(OWN).await.unwrap();
    assert_eq!((content.rows.len(), content.notes.len()), (510, 510));
    let key = new_key(data.path(), Some("anna"), Role::Viewer).await;
    let script = CliUser::with_service(&running.service.base_url()).with("REPORTDECK_API_KEY", key.expose_secret());
    let log = script.run(&["desk", "log", "--since", "1h"]);
    assert!(log.records().len() >= revisions.len(), "{} of {}", log.records().len(), revisions.len());
}
