//! A desk restored from a backup while a dashboard has unsent decisions for it.

use reportdeck::app::App;
use reportdeck::domain::desk::Role;
use reportdeck::domain::desk::RowPrecondition;
use reportdeck::domain::report::ReportId;
use reportdeck::domain::triage::State;
use reportdeck::service::{Proxies, StoreAddress, backups, keys};
use secrecy::SecretString;

use crate::support::desk_team::dashboards::{Line, later, own_desk, until, until_gone};
use crate::support::desk_team::{api_client, row};
use crate::support::embedded_service::Running;
use crate::support::session::Person;

async fn key_of(data: &std::path::Path, handle: &str) -> SecretString {
    let new = keys::NewKey { role: Role::Triage, person: Some(handle.parse().unwrap()), ..keys::NewKey::admin(handle) };
    keys::create(StoreAddress::Data(data.into()), new).await.unwrap()
}

async fn running_on(data: &std::path::Path) -> Running {
    Running::on_store(StoreAddress::Data(data.into()), None, Proxies::default()).await.unwrap()
}

#[tokio::test]
async fn decisions_for_a_restored_desk_need_confirmation_even_after_a_restart() {
    let (data, restored, state) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let running = running_on(data.path()).await;
    for page in ["tea", "cart", "mugs"] {
        running.client.create(&format!("https://{page}.example/?score=31")).await;
    }
    let (anna_key, ben_key) = (key_of(data.path(), "anna").await, key_of(data.path(), "ben").await);
    let backup = state.path().join("backup.sqlite3");
    backups::backup(data.path().into(), backup.clone(), false).await.unwrap();
    let mut line = Line::to(&running.service.base_url()).await;
    let journal = state.path().join("journal.sqlite");
    let connection = own_desk(&anna_key, &line.base);
    let mut anna = Person::with(Ok(connection.clone()), Some(journal.clone())).await;
    until(&mut anna, &["test · anna"]).await;
    let ben = api_client(&running.service.base_url(), &ben_key);
    let looking = row(State::Looking, Some("ben"));
    ben.write_desk_row(1, &ReportId::new("1"), RowPrecondition::Absent, &looking).await.unwrap();
    until(&mut anna, &["looking ben"]).await;
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    anna.press("Q w esc").await;
    later(&mut anna);
    until(&mut anna, &["1 to send"]).await;
    running.service.shut_down().await;
    backups::restore(restored.path().into(), backup, false).await.unwrap();
    let running = running_on(restored.path()).await;
    line.lead_to(&running.service.base_url());
    until(&mut anna, &["was not sent: X shows it"]).await;
    until_gone(&mut anna, "looking ben").await;
    drop(anna);
    let ben = api_client(&running.service.base_url(), &ben_key);
    assert!(ben.desk_rows(1, None).await.unwrap().rows.is_empty(), "nothing is sent without confirmation");
    // The next start asks for confirmation again.
    let mut anna = Person::with(Ok(connection), Some(journal)).await;
    until(&mut anna, &["was not sent: X shows it"]).await;
    assert!(ben.desk_rows(1, None).await.unwrap().rows.is_empty(), "not after a restart either");
    anna.press("X").await;
    anna.sees(&["theirs: no longer set", "mine: waiting, with anna"]);
    anna.press("j enter").await;
    until(&mut anna, &["waiting you"]).await;
    while ben.desk_rows(1, None).await.unwrap().rows.is_empty() {
        let message = anna.session.next_message().await;
        anna.session.handle(message);
    }
}

#[tokio::test]
async fn the_people_of_a_restored_desk_replace_those_of_an_open_dashboard() {
    let (data, restored, state) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let running = running_on(data.path()).await;
    let anna_key = key_of(data.path(), "anna").await;
    let backup = state.path().join("backup.sqlite3");
    backups::backup(data.path().into(), backup.clone(), false).await.unwrap();
    let mut line = Line::to(&running.service.base_url()).await;
    let mut anna = Person::with(Ok(own_desk(&anna_key, &line.base)), None).await;
    until(&mut anna, &["test · anna"]).await;
    let has_cleo = |app: &App| {
        app.desk.as_ref().is_some_and(|desk| desk.people.iter().any(|person| person.handle.as_str() == "cleo"))
    };
    key_of(data.path(), "cleo").await;
    anna.until(has_cleo).await;
    line.cut();
    until(&mut anna, &["The desk cannot be reached"]).await;
    running.service.shut_down().await;
    backups::restore(restored.path().into(), backup, false).await.unwrap();
    let running = running_on(restored.path()).await;
    line.lead_to(&running.service.base_url());
    until(&mut anna, &["The desk was restored from a backup"]).await;
    assert!(!has_cleo(anna.session.app()), "she was added after the backup");
}
