//! Connecting: slow connections, typed keys, and late replies about the previous service.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reportdeck::app::ctx::Connection;
use reportdeck::domain::bulk::{BulkItem, BulkOperation, ItemState};
use reportdeck::domain::desk::Role;
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::domain::report::ReportId;
use reportdeck::journal::Journal;
use reportdeck::runtime::{Connect, ConnectRequest, ServiceConnection};
use secrecy::ExposeSecret as _;
use tokio::sync::Notify;

use crate::support::desk_team::dashboards::{Line, Team, desk, later, own_desk, until, until_gone, until_sent};
use crate::support::desk_team::{api_client, new_key, two_keys};
use crate::support::embedded_service::{KEY, Running};
use crate::support::scripted_server::{Reply, ScriptedServer};
use crate::support::session::{Person, connected};

/// Handles messages until a service is connected.
async fn until_connected(person: &mut Person) {
    person.until(|app| matches!(app.ctx.connection, Connection::Ready(_))).await;
}

/// Switches to the second profile without waiting.
fn switch(person: &mut Person) {
    for key in ["A", "down", "enter"] {
        person.key(key);
    }
}

fn named(name: &str, base_url: &str) -> ServiceConnection {
    ServiceConnection { name: name.to_owned(), host: name.to_owned(), ..connected(base_url, KEY) }
}

#[tokio::test]
async fn a_slow_connection_does_not_replace_the_service_that_was_switched_to() {
    let (slow, _slow_data) = Running::start().await;
    slow.client.create("https://first.example/").await;
    let (other, _other_data) = Running::start().await;
    other.client.create("https://other.example/").await;
    let (first, second) = (named("slow", &slow.service.base_url()), named("other", &other.service.base_url()));
    let release = Arc::new(Notify::new());
    let released = Arc::clone(&release);
    let connect: Connect = Arc::new(move |request: ConnectRequest| {
        let (first, second, released) = (first.clone(), second.clone(), Arc::clone(&released));
        Box::pin(async move {
            if request.profile.is_some() {
                return Ok(second);
            }
            released.notified().await;
            Ok(first)
        })
    });
    let mut person = Person::with_connections(connect, &["other"], None);
    switch(&mut person);
    until_connected(&mut person).await;
    release.notify_one();
    person.look().await;
    person.press("r").await;
    person.sees(&["other · other", "other.example"]).misses(&["first.example"]);
}

#[tokio::test]
async fn a_typed_key_is_used_for_every_connection_until_the_profile_is_switched() {
    let (running, _data) = Running::start().await;
    running.client.create("https://shop.example/tea").await;
    let base_url = running.service.base_url();
    let attempts = Arc::new(AtomicUsize::new(0));
    let connect: Connect = Arc::new(move |request: ConnectRequest| {
        let attempt = attempts.fetch_add(1, Ordering::SeqCst);
        let (profile, key) = (request.profile.unwrap_or_default(), request.key);
        let key = key.map_or_else(|| "none".to_owned(), |key| key.expose_secret().to_owned());
        let failed = || Failure::new(FailureKind::Local, format!("{attempt}: {profile} with {key}"), "");
        let connection = if attempt == 2 { Ok(named("shop", &base_url)) } else { Err(failed()) };
        Box::pin(async move { connection })
    });
    let mut person = Person::with_connections(connect, &["other"], None);
    person.look().await;
    person.sees(&["0:  with none"]);
    person.press(&format!("K '{KEY}' enter")).await;
    person.sees(&[&format!("1:  with {KEY}")]);
    person.press("r").await;
    person.sees(&["shop.example/tea"]);
    switch(&mut person);
    person.look().await;
    person.sees(&["3: other with none"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_typed_key_is_also_used_for_the_desk_of_the_service() {
    let team = Team::start().await;
    let mut person = team.joins("anna", Role::Triage).await;
    let key = new_key(team.data.path(), Some("ben"), Role::Triage).await;
    person.press(&format!("K '{}' enter", key.expose_secret())).await;
    until(&mut person, &["test · ben"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_stored_copy_of_a_desk_does_not_decide_whose_key_is_used() {
    let team = Team::start().await;
    let base_url = team.instance().service.base_url();
    let folder = tempfile::tempdir().unwrap();
    let (anna_key, ben_key) = two_keys(team.data.path()).await;
    let journal = Some(folder.path().join("journal.sqlite"));
    let mut person = Person::with(Ok(own_desk(&anna_key, &base_url)), journal.clone()).await;
    until(&mut person, &["test · anna"]).await;
    person.press(&format!("K '{}' enter", ben_key.expose_secret())).await;
    until(&mut person, &["test · ben"]).await;
    drop(person);
    let mut person = Person::with(Ok(own_desk(&anna_key, &base_url)), journal).await;
    until(&mut person, &["test · anna"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unsent_decision_waits_for_a_key_of_the_person_who_made_it() {
    let team = Team::start().await;
    let line = Line::to(&team.running.service.base_url()).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = Some(folder.path().join("journal.sqlite"));
    let (anna_key, ben_key) = two_keys(team.data.path()).await;
    let mut anna = Person::with(Ok(own_desk(&anna_key, &line.base)), journal.clone()).await;
    until(&mut anna, &["test · anna"]).await;
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    anna.press("Q w esc").await;
    later(&mut anna);
    until(&mut anna, &["1 to send"]).await;
    drop(anna);
    line.mend();

    let mut ben = Person::with(Ok(own_desk(&ben_key, &line.base)), journal.clone()).await;
    until(&mut ben, &["was not sent, because the key belongs to ben: X shows it"]).await;
    ben.press("X").await;
    ben.sees(&["send it as ben: waiting, with anna", "leave it to anna"]);
    ben.press("enter").await;
    ben.sees(&["1 conflict"]);
    drop(ben);
    let client = api_client(&team.running.service.base_url(), &ben_key);
    assert!(client.desk_rows(1, None).await.unwrap().rows.is_empty(), "nothing is sent in ben's name");

    let mut anna = Person::with(Ok(own_desk(&anna_key, &line.base)), journal).await;
    until(&mut anna, &["test · anna"]).await;
    until_sent(&mut anna).await;
    let [row] = &client.desk_rows(1, None).await.unwrap().rows[..] else { panic!("one row") };
    assert_eq!(row.set_by.person().map(ToString::to_string).as_deref(), Some("anna"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_that_the_desk_has_received_is_not_asked_about_when_the_key_is_another_persons() {
    let team = Team::start().await;
    let line = Line::to(&team.running.service.base_url()).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = Some(folder.path().join("journal.sqlite"));
    let (anna_key, ben_key) = two_keys(team.data.path()).await;
    let mut anna = Person::with(Ok(own_desk(&anna_key, &line.base)), journal.clone()).await;
    until(&mut anna, &["test · anna"]).await;
    line.drop_next_response();
    anna.press("Q w esc").await;
    while line.lost() == 0 {
        tokio::task::yield_now().await;
    }
    line.cut();
    drop(anna);
    line.mend();
    let mut ben = Person::with(Ok(own_desk(&ben_key, &line.base)), journal).await;
    until(&mut ben, &["test · ben", "waiting anna"]).await;
    until_sent(&mut ben).await;
    ben.look().await;
    ben.misses(&["was not sent", "conflict"]);
}

/// A dashboard with a key of this person and role that shows the stored copy of the desk, because the desk cannot be
/// reached. The copy was stored with a key of anna's of the role triage.
async fn on_the_stored_copy_of_anna(person: &str, role: Role) -> (Team, Line, tempfile::TempDir, Person) {
    let team = Team::start().await;
    let line = Line::to(&team.running.service.base_url()).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = Some(folder.path().join("journal.sqlite"));
    let former = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    let new = new_key(team.data.path(), Some(person), role).await;
    let mut anna = Person::with(Ok(team.through(&line, &former)), journal.clone()).await;
    until(&mut anna, &["test · anna"]).await;
    drop(anna);
    line.cut();
    let mut person = Person::with(Ok(team.through(&line, &new)), journal).await;
    until(&mut person, &["test · anna"]).await;
    (team, line, folder, person)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_made_under_the_name_of_the_stored_copy_is_asked_about_once_the_desk_knows_the_key() {
    let (_team, line, _folder, mut person) = Box::pin(on_the_stored_copy_of_anna("ben", Role::Triage)).await;
    person.press("Q w esc").await;
    line.mend();
    until(&mut person, &["test · ben", "because the key belongs to ben: X shows it"]).await;
    person.press("X j j enter X up enter").await;
    until(&mut person, &["waiting anna"]).await;
    until_sent(&mut person).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn decisions_before_and_after_the_desk_told_a_new_role_are_different_ones() {
    let (_team, line, _folder, mut anna) = Box::pin(on_the_stored_copy_of_anna("anna", Role::Admin)).await;
    anna.press("Q w esc").await;
    line.mend();
    anna.until(|app| app.desk.as_ref().is_some_and(|desk| desk.role == Role::Admin)).await;
    until_sent(&mut anna).await;
    anna.press("Q l esc").await;
    until_sent(&mut anna).await;
    until(&mut anna, &["looking you", "waiting you"]).await;
}

#[tokio::test]
async fn late_replies_of_the_journal_about_the_previous_service_are_dropped() {
    let (first, _first_data) = Running::start().await;
    let (other, _other_data) = Running::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    let item = |id: &str| BulkItem {
        id: ReportId::new(id),
        url: String::new(),
        before: String::new(),
        audited_at: None,
        failing: None,
        change: None,
        state: ItemState::Waiting,
    };
    let items = ["1", "2"].map(item);
    journal.insert_run(&first.service.base_url(), &BulkOperation::Delete, &items).unwrap();
    drop(journal);
    let (one, two) = (named("first", &first.service.base_url()), named("other", &other.service.base_url()));
    let connect: Connect = Arc::new(move |request: ConnectRequest| {
        let connection = if request.profile.is_some() { two.clone() } else { one.clone() };
        Box::pin(async move { Ok(connection) })
    });
    let mut person = Person::with_connections(connect, &["other"], Some(file.clone()));
    until_connected(&mut person).await;
    switch(&mut person);
    person.look().await;
    person.sees(&["other · other"]).misses(&["Interrupted run"]);
    drop(person);
    // It is offered at the next start.
    let journal = Journal::open(&file).unwrap();
    assert_eq!(journal.load_interrupted_runs(&first.service.base_url()).unwrap().len(), 1);
}

#[tokio::test]
async fn a_desk_that_no_longer_exists_is_left_although_a_copy_of_it_is_stored() {
    let team = Team::start().await;
    let key = new_key(team.data.path(), Some("anna"), Role::Triage).await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let mut line = Line::to(&team.running.service.base_url()).await;
    let mut person = Person::with(Ok(own_desk(&key, &line.base)), Some(journal.clone())).await;
    until(&mut person, &["test · anna"]).await;
    drop(person);
    let without = ScriptedServer::start(|asked| match asked.path() {
        "/api/v1/reports" | "/api/v1/projects" => Reply::text(r#"{"data": []}"#),
        _ => Reply::head(404, &[]),
    })
    .await;
    line.lead_to(&without.base);
    let mut person = Person::with(Ok(own_desk(&key, &line.base)), Some(journal)).await;
    until_gone(&mut person, "test · anna").await;
}

#[tokio::test]
async fn unreadable_cached_rows_of_one_service_do_not_hide_those_of_the_next() {
    let (running, _data) = Running::start().await;
    let base_url = running.service.base_url();
    running.client.create("https://shop.example/tea").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    drop(Person::with(Ok(named("first", &base_url)), Some(file.clone())).await);
    let nowhere = "http://127.0.0.1:1";
    let database = rusqlite::Connection::open(&file).unwrap();
    database.pragma_update(None, "foreign_keys", false).unwrap();
    database.execute("UPDATE last_rows SET service = ?1 WHERE service = ?2", [nowhere, &base_url]).unwrap();
    database.execute("UPDATE row_parts SET service = ?1", [nowhere]).unwrap();
    let broken = "INSERT INTO last_rows (service, scope, taken_at) VALUES (?1, CAST(x'ff' AS TEXT), 1)";
    database.execute(broken, [&base_url]).unwrap();
    database.execute("INSERT INTO row_parts (service, part, content) VALUES (?1, 0, x'00')", [&base_url]).unwrap();
    drop(database);
    let (readable, unreadable) = (named("other", nowhere), named("first", &base_url));
    let connect: Connect = Arc::new(move |request: ConnectRequest| {
        let connection =
            if request.profile.as_deref() == Some("first") { unreadable.clone() } else { readable.clone() };
        Box::pin(async move { Ok(connection) })
    });
    let mut person = Person::with_connections(connect, &["first", "other"], Some(file));
    person.look().await;
    person.press("A down enter").await;
    person.sees(&["first · first", "shop.example/tea"]);
    person.press("A down enter").await;
    person.sees(&["other · other", "shop.example/tea"]);
}

#[tokio::test]
async fn a_read_only_dashboard_adds_no_service_to_the_desk() {
    let (running, data) = Running::start().await;
    let service = ScriptedServer::start(|_| Reply::text(r#"{"data": []}"#)).await;
    let key = new_key(data.path(), Some("anna"), Role::Triage).await;
    let desk = Some(desk(&key, &running.service.base_url(), false));
    let connection = ServiceConnection { desk, read_only: true, ..connected(&service.base, "a-key") };
    let mut person = Person::with(Ok(connection), None).await;
    until(&mut person, &["The desk does not know this service yet"]).await;
    let overview = api_client(&running.service.base_url(), &key).desk().await.unwrap().unwrap();
    assert_eq!(overview.services.len(), 1);
}

#[tokio::test]
async fn columns_hidden_while_switching_are_not_stored_for_the_former_service() {
    let (running, _data) = Running::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let base_url = running.service.base_url();
    let first = named("first", &base_url);
    let connect: Connect = Arc::new(move |request: ConnectRequest| {
        let first = first.clone();
        let answer = async move {
            match request.profile {
                None => Ok(first),
                Some(_) => Err(Failure::new(FailureKind::Local, "The command of the key failed", "")),
            }
        };
        Box::pin(answer)
    });
    let mut person = Person::with_connections(connect, &["other"], Some(file.clone()));
    until_connected(&mut person).await;
    switch(&mut person);
    person.look().await;
    person.sees(&["The command of the key failed"]);
    person.press("C space esc").await;
    assert!(person.session.app().reports.columns.shown.is_some(), "a column is hidden on the screen");
    drop(person);
    assert_eq!(Journal::open(&file).unwrap().load_columns(&base_url).unwrap(), None);
}
