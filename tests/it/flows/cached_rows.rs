//! Starting with cached rows: they are shown before the service responds, and while it is unreachable.

use std::path::Path;

use reportdeck::api::address::BaseUrl;
use reportdeck::app::ctx::Connection as Connected;
use reportdeck::domain::failure::{Failure, FailureKind};
use reportdeck::journal::Journal;
use reportdeck::runtime::ServiceConnection;

use super::THREE;
use crate::support::embedded_service::{KEY, Running};
use crate::support::session::Person;

/// Opens a dashboard on the service at this address, which changes with each start of the service.
async fn open(base_url: &str, journal: &Path) -> Person {
    let base = BaseUrl::parse(base_url, false).unwrap();
    let connection = ServiceConnection {
        name: "test".into(),
        host: String::new(),
        base,
        key: KEY.into(),
        read_only: false,
        accent: None,
        directory: None,
        desk: None,
    };
    Person::with_known_service(Ok(connection), journal, "test").await
}

/// The header's age of rows cached today.
fn age() -> String {
    jiff::Timestamp::now().strftime("cached, as of %Y-").to_string()
}

#[tokio::test]
async fn cached_rows_can_be_browsed_until_the_service_replaces_them() {
    let (running, data) = Running::start().await;
    let journal = data.path().join("journal.sqlite");
    for url in THREE {
        running.client.create(url).await;
    }
    let address = running.service.base_url();
    let mut person = open(&address, &journal).await;
    person.sees(&["3 reports"]).misses(&["cached"]);
    person.press("q").await;
    person.session.finish().await;
    running.service.shut_down().await;

    let mut person = open(&address, &journal).await;
    person.sees(&[&age(), "3 cached", "shop.example/tea", "blog.example/?score=60", "not loaded (r retries)"]);
    person.press("b").await;
    person.sees(&["showing 1 of 3 cached", "shop.example/cart"]).misses(&["blog.example/?"]);
    for key in ["e", "t", "D", "n"] {
        person.press(key).await;
        person.sees(&["Cached rows are read-only: ", "no connection to"]);
        assert!(person.session.app().overlays.is_empty(), "{key}");
    }
    person.press("esc r").await;
    person.sees(&[&age(), "3 cached"]);
    person.press("q").await;
    person.session.finish().await;

    let running = Running::on(data.path()).await;
    running.client.create("https://news.example/?score=70").await;
    let mut person = open(&running.service.base_url(), &journal).await;
    person.sees(&["4 reports", "news.example"]).misses(&["cached"]);
    person.press("b e").await;
    person.sees(&["shop.example/cart"]).misses(&["cached"]);
    assert!(person.session.app().form().is_some());
}

#[tokio::test]
async fn cached_rows_can_be_browsed_while_the_service_does_not_start() {
    let (running, data) = Running::start().await;
    let journal = data.path().join("journal.sqlite");
    running.client.create(THREE[0]).await;
    let mut person = open(&running.service.base_url(), &journal).await;
    person.press("q").await;
    person.session.finish().await;

    let failure = Failure::new(FailureKind::Local, "The embedded service did not start: no room", "");
    let mut person = Person::with_known_service(Err(failure.clone()), &journal, "test").await;
    person.sees(&[&age(), "shop.example/tea", "no service"]);
    person.press("/ 'nothing.like.this' enter").await;
    person.sees(&["The only cached report does not match the filter."]);
    person.press("esc g").await;
    person.sees(&["1 cached, just now"]);
    person.press("t").await;
    person.sees(&["The embedded service did not start: no room"]);

    let person = Person::with_known_service(Err(failure), &journal, "another").await;
    person.sees(&["No reports could be loaded."]).misses(&["shop.example/tea"]);
}

#[tokio::test]
async fn a_triage_state_is_stored_for_its_service_even_after_a_quick_profile_switch() {
    let (running, data) = Running::start().await;
    let file = data.path().join("journal.sqlite");
    for url in THREE {
        running.client.create(url).await;
    }
    let mut person = Person::with_two_profiles(&file, &running.service.base_url(), KEY, "other").await;
    // Another window is writing: decisions made now are queued, the second behind the first.
    let window = rusqlite::Connection::open(&file).unwrap();
    window.execute_batch("BEGIN IMMEDIATE").unwrap();
    for key in ["m", "enter", "j", "m", "enter", "A", "j", "enter"] {
        person.key(key);
    }
    person.until(|app| matches!(&app.ctx.connection, Connected::Ready(ready) if ready.name == "other")).await;
    window.execute_batch("ROLLBACK").unwrap();
    person.look().await;
    let journal = Journal::open(&file).unwrap();
    assert_eq!((journal.load_states("test").unwrap().len(), journal.load_states("other").unwrap().len()), (2, 0));
}
