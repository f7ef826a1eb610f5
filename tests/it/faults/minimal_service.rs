//! Screens on a service that sends only the documented fields.

use serde_json::json;

use super::healthy_service::{person, plain, serve};
use crate::support::scripted_server::ScriptedServer;

/// Five reports, three of them bad.
async fn minimal() -> ScriptedServer {
    let rows = [
        plain(&json!(5), "shop.example/product/1", "bad"),
        plain(&json!(4), "shop.example/product/2", "bad"),
        plain(&json!(3), "shop.example/cart", "bad"),
        plain(&json!(2), "shop.example/tea", "good"),
        plain(&json!(1), "shop.example/", "decent"),
    ];
    ScriptedServer::start(move |asked| serve(asked, &rows)).await
}

#[tokio::test]
async fn without_checks_causes_are_projects_and_url_patterns() {
    let service = minimal().await;
    let mut person = person(&service).await;
    person.press("w").await;
    person.sees(&["Causes of 3 bad reports", "Checks of 3 reports unknown: the service does not send them"]);
    person.sees(&["shop.example", "3 of 5  60 %", "shop.example/product/…", "Unknown without the checks"]);
    person.press("tab t").await;
    person.sees(&["Re-run 3 reports?", "bad → re-run"]);
    person.press("y esc").await;
    person.sees(&["Causes of 3 bad reports"]);
    person.press("enter").await;
    person.sees(&["result:bad project:\"shop.example\"", "showing 3 of 5"]);
    person.press("esc").await;
    person.sees(&["5 reports"]);
}
