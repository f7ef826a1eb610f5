//! Screens on a service with the documented fields alone: what they show, and how they explain what is unknown.

use reqwest::Method;

use super::plain_service;
use crate::support::embedded_service::{Client, KEY};
use crate::support::session::Person;

/// Six reports of two projects, three of them bad.
fn six() -> Vec<(String, &'static str)> {
    let rows = [
        ("shop.example/", "decent"),
        ("shop.example/tea", "bad"),
        ("blog.example/", "good"),
        ("shop.example/cart", "bad"),
        ("blog.example/news", "bad"),
        ("shop.example/about", "good"),
    ];
    rows.map(|(url, result)| (url.to_owned(), result)).into()
}

#[tokio::test]
async fn reports_that_a_refresh_brings_above_the_screen_are_announced() {
    let rows: Vec<(String, &str)> = (0..60).map(|at| (format!("shop.example/page-{at}"), "good")).collect();
    let service = plain_service::start(&rows).await;
    let mut person = Person::at(&service.base, KEY).await;
    person.press("G").await;
    for _ in 0..2 {
        Client::new(&service.base, None).request(Method::POST, "/api/v1/reports").send().await.unwrap();
    }
    person.press("r").await;
    person.sees(&["2 new above (g goes there)", "page-0"]);
    person.press("g").await;
    person.sees(&["new-62", "new-61"]).misses(&["new above"]);
}

#[tokio::test]
async fn states_have_a_column_of_their_own() {
    let service = plain_service::start(&six()).await;
    let mut person = Person::at(&service.base, KEY).await;
    person.misses(&["STATE"]);
    person.press("m down enter").await;
    person.sees(&["RESULT       STATE       URL", "✓ good       waiting     shop.example/about"]);
    person.press("u").await;
    person.misses(&["STATE"]).sees(&["you set waiting"]);
}

#[tokio::test]
async fn the_overview_opens_the_reports_it_counts() {
    let service = plain_service::start(&six()).await;
    let mut person = Person::at(&service.base, KEY).await;
    let asked = service.asked().len();
    person.press("0").await;
    person.sees(&["Overview of all 2 projects", "6 reports", "✗ bad", "3  50 %", "2 of 4", "1 of 2"]);
    person.sees(&["Work: 4 open", "Checks of 3 reports unknown: Enter fetches them", "│ 6 without a score"]);
    assert_eq!(service.asked().len(), asked, "the overview sends no request");
    person.press("down down enter").await;
    person.sees(&["result:bad", "showing 3 of 6"]);
    person.press("esc").await;
    person.sees(&["6 reports"]).misses(&["result:bad"]);
    person.press("0 esc").await;
    person.misses(&["Overview"]);
}

#[tokio::test]
async fn the_filter_is_completed_from_the_rows() {
    let service = plain_service::start(&six()).await;
    let mut person = Person::at(&service.base, KEY).await;
    person.press("/ 'res' tab").await;
    person.sees(&["/ result:"]);
    person.press("'b' tab enter").await;
    person.sees(&["result:bad", "showing 3 of 6"]);
    person.press("esc / 'pro' tab tab enter").await;
    person.sees(&["project:\"shop.example\"", "showing 4 of 6"]);
    person.press("esc / 'check:title'").await;
    person.sees(&["checks unknown: 6 of 6", "0 hits"]);
}

#[tokio::test]
async fn reports_can_be_opened_from_the_history() {
    let service = plain_service::start(&six()).await;
    let mut person = Person::at(&service.base, KEY).await;
    person.press("b V t y esc M esc").await;
    person.press("@").await;
    person.sees(&["History, latest first", "re-ran 3 reports: 3 good"]);
    person.press("enter").await;
    person.sees(&["3 reports marked"]);
    person.press("@ @").await;
    person.sees(&["Requests and responses", "PUT"]);
}
