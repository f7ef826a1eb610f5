//! Exports and messages to customers, by keys alone, with the embedded service and with a minimal one.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::history::plain_service;
use crate::support::embedded_service::{KEY, Running};
use crate::support::session::Person;

/// Returns the text of the only file whose name contains this.
fn file(folder: &Path, part: &str) -> String {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<_> = files.filter(|path| path.to_string_lossy().contains(part)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    std::fs::read_to_string(&found[0]).unwrap()
}

#[tokio::test]
async fn an_export_contains_state_notes_and_the_previous_result() {
    let (running, _data) = Running::start().await;
    running.script.score.store(31, Ordering::SeqCst);
    running.client.create("https://shop.example/tea").await;
    running.script.score.store(95, Ordering::SeqCst);
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(folder.path(), &running.service.base_url(), KEY).await;
    person.press("t m down enter c 'told the shop' enter ctrl+s enter").await;
    person.sees(&["1 report, ", " columns → "]);
    let csv = file(folder.path(), ".csv");
    let (head, row) = csv.trim_end().split_once('\n').unwrap();
    assert!(head.contains(",state,") && head.ends_with(",notes,result_before,score_before"), "{head}");
    assert!(row.contains(",waiting,") && row.ends_with(" told the shop,bad,31"), "{row}");
}

#[tokio::test]
async fn an_export_of_a_minimal_service_contains_state_notes_and_previous_result() {
    let service = plain_service().await;
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(folder.path(), &service.base, KEY).await;
    person.press("t c 'told the shop' enter ctrl+s enter").await;
    let csv = file(folder.path(), ".csv");
    assert!(csv.trim_end().ends_with(" told the shop,bad,"), "the previous score is unknown: {csv}");
}

#[tokio::test]
async fn a_message_lists_improvements() {
    let (running, _data) = Running::start().await;
    running.script.score.store(31, Ordering::SeqCst);
    running.client.create("https://shop.example/tea").await;
    running.script.score.store(95, Ordering::SeqCst);
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(folder.path(), &running.service.base_url(), KEY).await;
    person.press("t 3 y j j j j enter j enter").await;
    person.sees(&["Message about 1 report → "]);
    let text = file(folder.path(), "message-");
    assert!(text.contains("https://shop.example/tea\nResult: good, 95 of 100 points (before: bad 31)"), "{text}");
    assert!(text.contains("Improved since the last check:\n- Title\n"), "{text}");
    let requests = ["should be fixed", "when this is done"];
    assert!(!requests.iter().any(|request| text.contains(request)), "nothing remains to be done: {text}");
}

#[tokio::test]
async fn a_message_about_unknown_checks_says_so() {
    let service = plain_service().await;
    let folder = tempfile::tempdir().unwrap();
    let mut person = Person::exporting_into(folder.path(), &service.base, KEY).await;
    person.press("3 y j j j j enter").await;
    person.sees(&["Message about 1 report (checks of 1 report unknown)"]);
    person.press("j enter").await;
    let text = file(folder.path(), "message-");
    assert!(text.contains("The exact problems are not known yet."), "{text}");
}
