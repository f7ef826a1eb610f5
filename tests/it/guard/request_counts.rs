//! Requests for a list: one for each page, and none repeated.

use serde_json::{Value, json};

use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::session::Person;

const ROWS: usize = 1_200;
const PAGE: usize = 100;

fn answer(asked: &RecordedRequest) -> Reply {
    if asked.path() != "/api/v1/reports" {
        let project = json!({"name": "shop.example"});
        return Reply::Json(200, json!({"data": [project], "meta": {"current_page": 1, "last_page": 1, "total": 1}}));
    }
    let page: usize = asked.parameter("page").map_or(1, |page| page.parse().unwrap());
    let row = |number: usize| -> Value {
        json!({"id": ROWS - number, "url": format!("https://shop.example/{number}"), "project": "shop.example",
            "result": "bad", "generated_at": "2026-11-21T14:02:00Z", "privacy": 0, "password": null})
    };
    let rows: Vec<Value> = ((page - 1) * PAGE..page * PAGE).map(row).collect();
    let meta = json!({"current_page": page, "last_page": ROWS / PAGE, "per_page": PAGE, "total": ROWS});
    Reply::Json(200, json!({"data": rows, "meta": meta}))
}

#[tokio::test]
async fn every_page_of_a_list_is_requested_once() {
    let service = ScriptedServer::start(answer).await;
    let mut person = Person::at(&service.base, "key").await;
    assert_eq!(person.session.app().reports.listing.loaded(), ROWS);
    let reports = || service.asked().iter().filter(|asked| asked.path() == "/api/v1/reports").count();
    assert_eq!(reports(), ROWS / PAGE, "requests for {ROWS} rows in pages of {PAGE}");
    let projects = service.asked().iter().filter(|asked| asked.path() == "/api/v1/projects").count();
    assert_eq!(projects, 1, "requests for the projects");
    // Loaded rows are filtered and sorted locally.
    person.press("/ 'shop' enter b b b s home j enter S esc").await;
    assert_eq!(reports(), ROWS / PAGE, "a filter or a sort of loaded rows sent a request");
}
