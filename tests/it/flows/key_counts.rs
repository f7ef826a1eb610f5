//! The number of keys that the two most frequent jobs take, from the start of the dashboard to the result, not counting
//! typed texts.

use std::path::Path;
use std::sync::atomic::Ordering;

use reportdeck::domain::list::columns::Column;
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::StateKind;
use reportdeck::journal::Journal;

use super::plain_service;
use crate::support::embedded_service::{KEY, Running};
use crate::support::scripted_server::RecordedRequest;
use crate::support::session::Person;
use crate::support::states::to_column;

/// URLs in four projects, three bad ones of every four; the shop is not the first project.
fn pages() -> Vec<(String, &'static str)> {
    let hosts = ["app.example", "blog.example", "shop.example", "wiki.example"];
    let results = ["bad", "good", "bad", "bad"];
    let page = |host: &str, at: usize| (format!("{host}/page-{at}"), results[at]);
    hosts.iter().flat_map(|host| (0..4).map(|at| page(host, at))).collect()
}

/// Twenty URLs: the first ten are bad, the others alternate between decent and good.
fn ten_bad() -> Vec<(String, &'static str)> {
    let result = |at: usize| match at {
        0..10 => "bad",
        _ if at.is_multiple_of(2) => "decent",
        _ => "good",
    };
    (0..20).map(|at| (format!("shop.example/page-{at}"), result(at))).collect()
}

/// The embedded service with these pages, all of which are repaired after their first audit.
async fn embedded(pages: &[(String, &str)]) -> (Running, tempfile::TempDir) {
    let (running, data) = Running::start().await;
    for (url, result) in pages {
        let score = match *result {
            "bad" => 31,
            "decent" => 64,
            _ => 92,
        };
        running.script.score.store(score, Ordering::SeqCst);
        running.client.create(&format!("https://{url}")).await;
    }
    running.script.score.store(95, Ordering::SeqCst);
    (running, data)
}

/// Re-runs the bad reports of the shop in at most eleven keys.
async fn re_run_the_shop(person: &mut Person) {
    person.press("1 j j j enter").await;
    person.sees(&["Reports 4 · shop.example"]);
    person.press("b V t").await;
    person.sees(&["Re-run 3 reports?"]);
    person.press("y").await;
    person.sees(&["re-run: improved 3, same 0, worse 0", "3/3"]);
    assert!(person.pressed <= 11, "{} keys", person.pressed);
}

#[tokio::test]
async fn all_bad_reports_of_a_project_are_re_run_in_eleven_keys() {
    let (running, _data) = embedded(&pages()).await;
    let mut person = Person::at(&running.service.base_url(), KEY).await;
    re_run_the_shop(&mut person).await;
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 16 + 3, "nothing else was re-run");
    for (at, (url, result)) in pages().iter().enumerate() {
        let report = running.client.get(&format!("/api/v1/reports/{}", at + 1)).await.expect(200);
        let expected = if url.starts_with("shop") { "good" } else { result };
        assert_eq!(report.body["data"]["result"], expected, "{url}");
    }
}

#[tokio::test]
async fn all_bad_reports_of_a_project_are_re_run_in_eleven_keys_on_a_plain_service() {
    let service = plain_service::start(&pages()).await;
    let mut person = Person::at(&service.base, KEY).await;
    re_run_the_shop(&mut person).await;
    let asked = service.asked();
    let mut sent: Vec<&str> = asked.iter().filter(|asked| asked.method == "PUT").map(RecordedRequest::path).collect();
    sent.sort_unstable();
    assert_eq!(sent, ["/api/v1/reports/11", "/api/v1/reports/12", "/api/v1/reports/9"]);
}

/// Sets a state and a note for the ten most urgent reports, in at most twenty keys. They are the reports 1 to 10.
async fn decide_on_ten(person: &mut Person, journal: &Path) {
    person.press(&format!("s {} enter", to_column(Column::Urgency))).await;
    person.sees(&["most urgent first"]);
    let first = |at| person.session.app().reports.shown_row(at).unwrap().id.clone();
    let mut urgent: Vec<ReportId> = (0..10).map(first).collect();
    person.press("space space space space space space space space space space m down 'told the shop' enter").await;
    person.sees(&["10 marked", "waiting ✎"]);
    assert!(person.pressed <= 20, "{} keys", person.pressed);
    let journal = Journal::open(journal).unwrap();
    let (states, notes) = (journal.load_states("test").unwrap(), journal.load_notes("test").unwrap());
    urgent.sort_by_key(|id| id.raw().parse::<u32>().unwrap());
    assert_eq!(urgent, (1..=10).map(|id| ReportId::new(&id.to_string())).collect::<Vec<_>>(), "the bad ones");
    assert_eq!(states.len(), 10);
    for id in &urgent {
        assert_eq!(states.kind(id), StateKind::Waiting, "{id:?}");
        let texts: Vec<&str> = notes.of(id).iter().map(|note| note.text.raw()).collect();
        assert_eq!(texts, ["told the shop"], "{id:?}");
    }
}

#[tokio::test]
async fn the_ten_most_urgent_reports_get_state_and_note_in_twenty_keys() {
    let (running, data) = embedded(&ten_bad()).await;
    let journal = data.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &running.service.base_url(), KEY).await;
    decide_on_ten(&mut person, &journal).await;
}

#[tokio::test]
async fn the_ten_most_urgent_reports_get_state_and_note_in_twenty_keys_on_a_plain_service() {
    let service = plain_service::start(&ten_bad()).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &service.base, KEY).await;
    decide_on_ten(&mut person, &journal).await;
    assert!(service.asked().iter().all(|asked| asked.method == "GET"), "the service receives no states");
}
