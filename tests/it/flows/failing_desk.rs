//! A desk that something in between answers for: a proxy whose server restarts, the login page of a network.

use reportdeck::domain::desk::Role;

use crate::support::desk_team::dashboards::{Line, Team, later, until, until_gone, until_sent};
use crate::support::desk_team::{api_client, new_key};
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::session::Person;

#[tokio::test]
async fn notes_are_sent_once_after_something_else_has_answered_for_the_desk() {
    let team = Team::start().await;
    let mut line = Line::to(&team.running.service.base_url()).await;
    let key = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    // Without a journal, so that the program alone keeps what is unsent.
    let mut anna = Person::with(Ok(team.through(&line, &key)), None).await;
    until(&mut anna, &["test · anna"]).await;
    let client = api_client(&team.running.service.base_url(), &key);
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
