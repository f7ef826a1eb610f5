//! The history, timelines and notes, by keys alone, with the embedded service and with a minimal one.

use std::sync::atomic::{AtomicU64, Ordering};

use reportdeck::domain::event_log::{LogEntry, LogKind};
use reportdeck::domain::report::ReportId;
use reportdeck::journal::Journal;
use reportdeck::runtime::ServiceConnection;
use reqwest::Method;
use serde_json::json;

use crate::support::cli_user::CliUser;
use crate::support::embedded_service::{Client, KEY, Running};
use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::session::{Person, connected};

#[tokio::test]
async fn the_history_lists_actions_and_survives_a_restart() {
    let (running, data) = Running::start().await;
    running.script.score.store(31, Ordering::SeqCst);
    for page in 0..4 {
        running.client.create(&format!("https://shop.example/page-{page}")).await;
    }
    running.script.score.store(95, Ordering::SeqCst);
    let journal = data.path().join("journal.sqlite");
    let base_url = running.service.base_url();
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.press("@").await;
    person.sees(&["History, latest first", "Nothing yet"]);
    person.press("esc V t y esc m down enter").await;
    person.press("g c 'told the shop' enter e right right tab 'opensesame' ctrl+s").await;
    person.press("n 'https://blog.example/new' ctrl+s @").await;
    let expected = [
        "created blog.example/new: good 95",
        "privacy of shop.example/page-3: public → password",
        "new password for shop.example/page-3",
        "note on shop.example/page-3: told the shop",
        "set waiting for shop.example/page-3",
        "re-ran 4 of shop.example: 4 good",
        "today",
    ];
    person.sees(&expected).misses(&["opensesame"]);
    person.press("@").await;
    person.sees(&["Requests and responses", "PUT", "Authorization: Bearer ••••"]);
    person.press("esc esc").await;
    drop(person);
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.press("@").await;
    person.sees(&expected);
    // A line with one report opens it, one with several marks them.
    person.press("down down down enter").await;
    person.sees(&["Report 4", "Timeline 6", "you noted: told the shop", "you changed privacy: public", "→ password"]);
    person.sees(&["you set waiting", "✓ you re-ran it: bad 31 →", "good 95 · repaired title", "✗ audited: bad 31"]);
    // A search moves the cursor; going back returns to the line where it began.
    person.press("2 @ / 'page-3'").await;
    person.sees(&["/ page-3", "1 of 4 hits", "↓ next hit"]);
    person.press("' NOTE'").await;
    person.sees(&["/ page-3 NOTE", "1 of 1 hit"]);
    person.press("' nowhere'").await;
    person.sees(&["0 hits"]);
    person.press("esc enter").await;
    person.sees(&["Report 5", "blog.example/new"]);
    person.press("2 @ / 'note' enter enter").await;
    person.sees(&["Report 4", "you noted: told the shop"]);
    person.press("2 @ G enter").await;
    person.sees(&["4 reports marked"]);
    person.press("0").await;
    person.sees(&["you    re-ran 4 of shop.example: 4 good", "you    set waiting for shop.example/page-3"]);
}

#[tokio::test]
async fn deleted_reports_and_undone_states_are_in_the_history() {
    let (running, data) = Running::start().await;
    for page in 0..3 {
        running.client.create(&format!("https://shop.example/page-{page}")).await;
    }
    let mut person = Person::with_journal(&data.path().join("journal.sqlite"), &running.service.base_url(), KEY).await;
    person.press("space space D y esc").await;
    person.press("m enter u @").await;
    let screen = person.screen();
    person.sees(&[
        "deleted 2 of shop.example",
        "set looking for shop.example/page-0",
        "set new for shop.example/page-0",
    ]);
    assert!(screen.find("set new").unwrap() < screen.find("set looking").unwrap(), "{screen}");
    person.press("G enter").await;
    person.sees(&["None of these reports is loaded"]);
}

#[tokio::test]
async fn without_a_journal_the_history_covers_the_current_session() {
    let (running, _data) = Running::start().await;
    running.client.create("https://shop.example/tea").await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    person.press("t m enter 3").await;
    person.sees(&["Timeline 3", "you set looking", "you re-ran it"]);
    person.press("@").await;
    person.sees(&["set looking for shop.example/tea", "re-ran shop.example/tea", "Kept until you quit"]);
}

/// A service with the documented fields alone: no scores, no checks, no history. Each re-run improves the report.
pub(super) async fn plain_service() -> ScriptedServer {
    let audits = AtomicU64::new(0);
    ScriptedServer::start(move |asked: &RecordedRequest| {
        if asked.method == "PUT" {
            audits.fetch_add(1, Ordering::SeqCst);
        }
        let made = audits.load(Ordering::SeqCst);
        let result = if made > 0 { "good" } else { "bad" };
        let row = json!({"id": 7, "url": "shop.example/tea", "project": "shop.example", "result": result,
                         "generated_at": format!("2026-01-02T09:15:{made:02}Z"), "privacy": 0, "password": null});
        match (asked.method.as_str(), asked.path()) {
            ("GET", "/api/v1/reports") => Reply::Json(200, json!({"data": [row], "meta": {"total": 1}})),
            ("GET", "/api/v1/projects") => Reply::Json(200, json!({"data": [], "meta": {"total": 0}})),
            (_, "/api/v1/reports/7") => Reply::Json(200, json!({"data": row})),
            _ => Reply::Json(404, json!({})),
        }
    })
    .await
}

#[tokio::test]
async fn timelines_also_work_with_a_minimal_service() {
    let service = plain_service().await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &service.base, KEY).await;
    person.press("3").await;
    person.misses(&["Timeline"]);
    person.press("c 'told the shop' enter t").await;
    person.sees(&["Timeline 2", "you noted: told the shop", "you re-ran it: bad → good"]);
    drop(person);
    let mut person = Person::with_journal(&journal, &service.base, KEY).await;
    person.press("3").await;
    person.sees(&["Timeline 2", "you re-ran it: bad → good"]);
    person.press("@").await;
    person.sees(&["re-ran shop.example/tea: bad → good", "note on shop.example/tea: told the shop"]);
}

#[tokio::test]
async fn an_audit_by_somebody_else_is_in_the_timeline() {
    let service = plain_service().await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    drop(Person::with_journal(&journal, &service.base, KEY).await);
    Client::new(&service.base, None).request(Method::PUT, "/api/v1/reports/7").send().await.unwrap();
    for _ in 0..2 {
        let mut person = Person::with_journal(&journal, &service.base, KEY).await;
        person.press("3").await;
        person.sees(&["Timeline 1", "audited: bad → good"]);
        person.press("@").await;
        person.sees(&["Nothing yet"]);
    }
}

#[tokio::test]
async fn notes_can_be_changed_deleted_and_undone_by_keys_alone() {
    let service = plain_service().await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &service.base, KEY).await;
    person.press("c 'one' enter c 'two' ctrl+s").await;
    person.press("c down ' and a half' enter").await;
    person.sees(&["Note about shop.example/tea updated · u undoes", "two and a half"]);
    person.press("c down down ctrl+u enter").await;
    person.sees(&["Note about shop.example/tea deleted"]).misses(&["just now: one"]);
    drop(person);
    let mut person = Person::with_journal(&journal, &service.base, KEY).await;
    person.sees(&["just now: two and a half"]).misses(&["just now: one"]);
    person.press("c 'three' enter u").await;
    person.sees(&["Undone: the note about shop.example/tea is removed"]).misses(&["just now: three"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_note_is_shown_once_wherever_it_was_added() {
    let (running, _data) = Running::start().await;
    running.client.create("https://shop.example/tea").await;
    let base_url = running.service.base_url();
    let script = CliUser::new().with("REPORTDECK_BASE_URL", &base_url).with("REPORTDECK_API_KEY", KEY);
    let added = script.run(&["reports", "note", "1", "--add", "told the shop"]);
    assert_eq!(added.code, 0, "{added:?}");
    let journal = script.home().join(".local/state/reportdeck/journal.sqlite");
    // As earlier versions logged it.
    let written_at = added.records()[0]["written_at"].as_str().unwrap().parse().unwrap();
    let former = LogEntry {
        report: Some(ReportId::new("1")),
        detail: "told the shop".to_owned(),
        ..LogEntry::new(LogKind::Note, written_at)
    };
    Journal::open(&journal).unwrap().append_events(&base_url, &[former]).unwrap();
    let connection = ServiceConnection { host: "shop".to_owned(), ..connected(&base_url, KEY) };
    let mut person = Person::with(Ok(connection), Some(journal)).await;
    person.press("3 c 'asked again' enter").await;
    person.sees(&["Timeline 3", "you noted: told the shop", "you noted: asked again"]);
    person.press("@").await;
    for text in ["told the shop", "asked again"] {
        let line = format!("note on shop.example/tea: {text}");
        assert_eq!(person.screen().matches(&line).count(), 1, "{}", person.screen());
    }
    drop(person);
    let changes = script.run(&["changes"]).records();
    let notes: Vec<&str> =
        changes.iter().filter(|change| change["kind"] == "note").map(|note| note["detail"].as_str().unwrap()).collect();
    assert_eq!(notes, ["told the shop", "asked again"]);
}
