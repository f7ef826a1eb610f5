//! What is stored on this machine and used after a restart: views, columns, logged results. And lists that are too long
//! to be arranged within a frame.

use std::sync::atomic::Ordering;

use reportdeck::app::message::Message;
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::list::cached_rows::CachedRows;
use reportdeck::domain::triage::changes::ListScope;

use super::THREE;
use crate::support::embedded_service::{KEY, Running};
use crate::support::session::Person;
use crate::support::{generated_rows, states};

#[tokio::test]
async fn views_and_columns_are_the_same_after_a_restart() {
    let (running, data) = Running::start().await;
    for url in THREE {
        running.client.create(url).await;
    }
    let (journal, base_url) = (data.path().join("journal.sqlite"), running.service.base_url());
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.press("b W 'worst' enter b W 'mild' enter b W 'best' enter esc").await;
    person.sees(&["GENERATED↓  PRIVACY"]);
    // Privacy is hidden, the time moves before the URL, and gets wider.
    person.press("C down down down down space up up K K + + + esc : 'delete view mild' enter").await;
    person.sees(&["View mild deleted"]).misses(&["PRIVACY"]);
    person.press("q").await;
    person.session.finish().await;

    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.misses(&["PRIVACY"]);
    let screen = person.screen();
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}\n{screen}"));
    let (time, url) = (at("GENERATED↓"), at("URL"));
    assert!(time < url && screen[time..url].chars().count() == 15, "{screen}");
    person.press(": 'view'").await;
    person.sees(&["view best", "view worst"]).misses(&["view mild"]);
    person.press("esc ]").await;
    person.sees(&["View best", "result:good", "tea?score=90"]);
    person.press("] W ctrl+u 'worst of all' enter C x esc q").await;
    person.session.finish().await;

    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.sees(&["PRIVACY"]);
    person.press(": 'view worst of' enter").await;
    person.sees(&["View worst of all", "result:bad", "cart?score=31"]);
}

#[tokio::test]
async fn undo_and_redo_leave_a_view_that_another_dashboard_saved_meanwhile() {
    let (running, data) = Running::start().await;
    for url in THREE {
        running.client.create(url).await;
    }
    let (journal, base_url) = (data.path().join("journal.sqlite"), running.service.base_url());
    let mut one = Person::with_journal(&journal, &base_url, KEY).await;
    one.press("W 'x' enter b W ctrl+u 'x' enter").await;
    one.sees(&["View x replaced"]);
    let mut other = Person::with_journal(&journal, &base_url, KEY).await;
    other.press("b b W 'x' enter").await;
    one.press("u").await;
    one.sees(&["The view x was not restored: another dashboard has changed it since"]);
    one.press("U").await;
    one.sees(&["The view x was not restored"]);
    one.press("]").await;
    other.press("r").await;
    for person in [&one, &other] {
        person.sees(&["view x"]);
    }
    let line = |person: &Person| person.session.app().reports.views[0].line.clone();
    assert_eq!(line(&one), line(&other));
    // A view that was deleted and saved again by another dashboard stays too.
    one.press(": 'delete view x' enter").await;
    other.press("r b W 'x' enter").await;
    one.press("u").await;
    one.sees(&["The view x was not restored: another dashboard has changed it since"]);
}

#[tokio::test]
async fn without_a_connection_a_view_is_not_called_saved() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal.sqlite");
    let failure = Failure::new(FailureKind::Local, "The command of the key failed", "");
    let mut person = Person::with(Err(failure), Some(journal)).await;
    person.press("W 'worst' enter").await;
    person.sees(&["Not stored: the service is not connected yet"]).misses(&["saved"]);
}

#[tokio::test]
async fn what_the_journal_cannot_store_is_not_called_saved_and_is_stored_once_it_can_be_opened() {
    let (running, data) = Running::start().await;
    running.client.create("https://shop.example/tea").await;
    let (folder, base_url) = (data.path().join("state"), running.service.base_url());
    std::fs::write(&folder, "not a directory").unwrap();
    let journal = folder.join("journal.sqlite");
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    for keys in ["W 'worst' enter", "m enter", "c 'a note' enter"] {
        person.press(keys).await;
        person.sees(&["! The journal", "cannot be opened"]).misses(&["saved"]);
    }
    std::fs::remove_file(&folder).unwrap();
    person.press("W ctrl+u 'best' enter").await;
    person.sees(&["View best saved"]).misses(&["cannot be opened"]);
    person.press("q").await;
    person.session.finish().await;
    let mut person = Person::with_journal(&journal, &base_url, KEY).await;
    person.press(": 'view'").await;
    person.sees(&["view best"]);
}

#[tokio::test]
async fn a_journal_that_cannot_be_opened_is_not_shown_as_an_empty_one() {
    let (running, data) = Running::start().await;
    running.client.create("https://shop.example/tea").await;
    let (folder, base_url) = (data.path().join("state"), running.service.base_url());
    std::fs::write(&folder, "not a directory").unwrap();
    let journal = folder.join("journal.sqlite");
    let mut person = Person::with_journal_exporting_into(&journal, data.path(), &base_url, KEY).await;
    person.sees(&["! The journal", "cannot be opened"]);
    for (keys, claim) in
        [("]", "No view is saved yet"), ("L", "First visit"), ("esc @", "Nothing yet"), ("esc 0", "First visit")]
    {
        person.press(keys).await;
        person.sees(&["the journal cannot be read"]).misses(&[claim]);
    }
    person.press("esc ctrl+s enter").await;
    person.sees(&["1 report, ", "earlier results are missing"]);
    // Loading everything again tries again to open it.
    std::fs::remove_file(&folder).unwrap();
    person.press("R ]").await;
    person.sees(&["No view is saved yet"]).misses(&["the journal cannot be read"]);
}

#[tokio::test]
async fn an_export_names_the_result_before_a_change_of_an_earlier_run() {
    let (running, data) = Running::start().await;
    let [changed, unchanged] = ["https://shop.example/cart", "https://shop.example/tea"];
    running.client.create(changed).await;
    running.client.create(unchanged).await;
    let (journal, base_url) = (data.path().join("journal.sqlite"), running.service.base_url());
    let files = tempfile::tempdir().unwrap();
    let mut person = Person::with_journal_exporting_into(&journal, files.path(), &base_url, KEY).await;
    for score in [12, 95, 95] {
        running.script.score.store(score, Ordering::SeqCst);
        person.press("G t").await;
    }
    person.press("q").await;
    person.session.finish().await;

    let mut person = Person::with_journal_exporting_into(&journal, files.path(), &base_url, KEY).await;
    person.press("ctrl+s enter").await;
    person.sees(&["2 reports, "]);
    let file = std::fs::read_dir(files.path()).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines().map(fields);
    let heading = lines.next().unwrap();
    let place = |name: &str| heading.iter().position(|field| field == name).unwrap();
    let before: Vec<_> = lines
        .map(|line| [place("url"), place("result_before"), place("score_before")].map(|at| line[at].clone()))
        .collect();
    let expected = [[changed, "bad", "12"], [unchanged, "", ""]];
    assert_eq!(before, expected, "the latest change, not the latest re-run:\n{text}");
}

#[tokio::test]
async fn a_long_list_is_sorted_and_completed_beside_the_screen() {
    let failure = Failure::new(FailureKind::Local, "No service", "");
    let mut person = Person::with(Err(failure), None).await;
    person.press("s j j enter").await;
    person.sees(&["· score ↑"]);
    let rows = generated_rows::rows(6_000);
    let expected = rows.iter().filter(|row| row.project.raw() == "docs4.example").count();
    let cached = CachedRows { rows, scope: ListScope::default(), taken_at: states::now(), total: None, next: None };
    person.session.handle(Message::CachedRows(Some(cached)));
    person.sees(&["6,000 cached", "Sorting …"]);
    person.look().await;
    let scores = |person: &Person| {
        let reports = &person.session.app().reports;
        (0..reports.shown.len()).filter_map(|at| reports.shown_row(at)?.score).collect::<Vec<_>>()
    };
    assert!(scores(&person).len() == 6_000 && scores(&person).is_sorted());
    person.press("S").await;
    assert!(scores(&person).iter().rev().is_sorted());
    // The values come from all rows.
    person.press("/ 'project:docs4'").await;
    person.sees(&["docs4.example"]);
    person.press("tab enter").await;
    let shown = scores(&person);
    assert!(shown.len() == expected && shown.iter().rev().is_sorted(), "{} of {expected}", shown.len());
}
