//! A desk that something in between answers for: a proxy whose server restarts, the login page of a
//! network, a firewall.

use std::path::Path;

use reportdeck::api::client::Client as ApiClient;
use reportdeck::domain::desk::Role;
use reportdeck::domain::triage::State;
use reportdeck::journal::Journal;

use crate::support::desk_team::dashboards::{Line, Team, later, until, until_gone, until_sent};
use crate::support::desk_team::{api_client, new_key};
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::session::Person;

/// A desk, a line to it that can fail, a client that bypasses the line, and the dashboard of `anna` at its end.
async fn anna_on_a_line(journal: Option<&Path>) -> (Team, Line, ApiClient, Person) {
    let team = Team::start().await;
    let base = team.running.service.base_url();
    let line = Line::to(&base).await;
    let key = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    let mut anna = Person::with(Ok(team.through(&line, &key)), journal.map(Path::to_owned)).await;
    until(&mut anna, &["test · anna"]).await;
    let client = api_client(&base, &key);
    (team, line, client, anna)
}

/// Returns the reports of the decisions in the journal.
fn stored_decisions(journal: &Path) -> Vec<String> {
    let stored = Journal::open(journal).unwrap().load_outbox("test").unwrap();
    stored.iter().map(|entry| entry.write.report().raw().to_owned()).collect()
}

#[tokio::test]
async fn notes_are_sent_once_after_something_else_has_answered_for_the_desk() {
    // Without a journal, so that the program alone keeps what is unsent.
    let (team, mut line, client, mut anna) = anna_on_a_line(None).await;
    let mut expected = Vec::new();
    for (text, reply) in [
        ("tea", Reply::html(200, "Welcome to the guest network")),
        ("cart", Reply::head(302, &["Location: http://login.example/"])),
        ("mugs", Reply::html(404, "page not found")),
    ] {
        let between = ScriptedServer::start(move |_| reply.clone()).await;
        line.lead_to(&between.base);
        until(&mut anna, &["The desk cannot be reached"]).await;
        anna.press(&format!("c '{text}' enter")).await;
        later(&mut anna);
        until(&mut anna, &["1 to send"]).await;
        line.lead_to(&team.running.service.base_url());
        until_gone(&mut anna, "desk as of").await;
        until_sent(&mut anna).await;
        expected.push(text);
        let notes = client.desk_notes(1, None).await.unwrap().notes;
        let texts: Vec<_> = notes.iter().map(|note| note.text.raw()).collect();
        assert_eq!(texts, expected);
    }
}

#[tokio::test]
async fn a_decision_that_is_neither_sent_nor_stored_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    std::fs::write(&state, "not a directory").unwrap();
    let (_team, mut line, _client, mut anna) = anna_on_a_line(Some(&state.join("journal.sqlite"))).await;
    let between = ScriptedServer::start(|_| Reply::html(404, "page not found")).await;
    line.lead_to(&between.base);
    until(&mut anna, &["The desk cannot be reached"]).await;
    anna.press("c 'tea' enter").await;
    anna.sees(&["! The journal", "cannot be opened"]);
}

#[tokio::test]
async fn a_decision_whose_response_is_never_readable_is_set_aside_and_does_not_hold_up_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let (_team, line, client, mut anna) = anna_on_a_line(Some(&journal)).await;
    line.intercept("PUT /api/v1/desk/states/1/3 ");
    anna.press("g m down enter c 'asked' enter j m down enter").await;
    anna.until(|app| app.desk.as_ref().is_some_and(|desk| !desk.conflicts.is_empty())).await;
    let screen = anna.look().await;
    assert!(screen.contains("Your decision about mugs.example/?score=31 was set aside: X shows it"), "{screen}");
    until_sent(&mut anna).await;
    let rows = client.desk_rows(1, None).await.unwrap().rows;
    let notes = client.desk_notes(1, None).await.unwrap().notes;
    assert_eq!((rows.len(), rows[0].report.raw(), notes.len()), (1, "2", 1), "{rows:?}");
    // It is stored until the user has chosen; the confirmed ones are deleted after the screen shows them.
    while stored_decisions(&journal) != ["3"] {
        tokio::task::yield_now().await;
    }
    line.intercept("nothing");
    anna.press("X j enter").await;
    until_sent(&mut anna).await;
    let states: Vec<_> = client.desk_rows(1, None).await.unwrap().rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [State::Waiting, State::Waiting]);
}

#[tokio::test]
async fn a_decision_that_the_desk_always_fails_is_set_aside_once_another_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let (_team, line, client, mut anna) = anna_on_a_line(Some(&journal)).await;
    // Two of the three rows. The second one is tried first, and is no evidence that the desk can write.
    line.fail(&["PUT /api/v1/desk/states/1/3 ", "PUT /api/v1/desk/states/1/2 "]);
    anna.press("g m down enter j m down enter j m down enter").await;
    anna.until(|app| app.desk.as_ref().is_some_and(|desk| !desk.conflicts.is_empty())).await;
    let screen = anna.look().await;
    assert!(screen.contains("Your decision about mugs.example/?score=31 was set aside: X shows it"), "{screen}");
    assert!(screen.contains("Writing to the desk failed"), "{screen}");
    let rows = client.desk_rows(1, None).await.unwrap().rows;
    assert_eq!(rows.iter().map(|row| row.report.raw()).collect::<Vec<_>>(), ["1"]);
    // Both are stored, and the second one is sent again.
    assert_eq!(stored_decisions(&journal), ["3", "2"]);
    line.fail(&[]);
    until_sent(&mut anna).await;
    anna.press("X j enter").await;
    until_sent(&mut anna).await;
    let states: Vec<_> = client.desk_rows(1, None).await.unwrap().rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [State::Waiting; 3]);
}

#[tokio::test]
async fn no_decision_is_set_aside_while_a_desk_fails_every_write() {
    let (_team, line, _client, mut anna) = anna_on_a_line(None).await;
    line.fail(&["PUT ", "POST "]);
    anna.press("g m down enter c 'asked' enter j m down enter").await;
    // Four rounds of three attempts; in the last one another write is tried as well.
    while line.intercepted() < 3 * 5 {
        let message = anna.session.next_message().await;
        anna.session.handle(message);
    }
    let desk = anna.session.app().desk.as_ref().unwrap();
    assert_eq!((desk.outbox.len(), desk.conflicts.len()), (3, 0));
    line.fail(&[]);
    until_sent(&mut anna).await;
    let desk = anna.session.app().desk.as_ref().unwrap();
    assert_eq!((desk.conflicts.len(), desk.content.rows.len(), desk.content.notes.len()), (0, 2, 1));
}

#[tokio::test]
async fn a_firewall_that_forbids_some_writes_does_not_end_the_connection() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let (_team, line, client, mut anna) = anna_on_a_line(Some(&journal)).await;
    line.forbid(&["POST ", "PUT /api/v1/desk/states/1/3 "]);
    anna.press("g c '<script>' enter m down enter j m down enter").await;
    anna.until(|app| app.desk.as_ref().is_some_and(|desk| !desk.conflicts.is_empty())).await;
    until_sent(&mut anna).await;
    let rows = client.desk_rows(1, None).await.unwrap().rows;
    assert_eq!(rows.iter().map(|row| row.report.raw()).collect::<Vec<_>>(), ["2"]);
    // The text of the note is kept for another attempt.
    anna.press("k c").await;
    until(&mut anna, &["<script>"]).await;
    anna.press("esc").await;
    line.forbid(&[]);
    anna.press("X j enter").await;
    until_sent(&mut anna).await;
    assert_eq!(client.desk_rows(1, None).await.unwrap().rows.len(), 2);
}
