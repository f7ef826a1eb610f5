//! A service with the documented fields alone: no scores, no checks, no history. Reports can be created and re-run.

use std::sync::Mutex;

use serde_json::{Value, json};

use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};

/// Starts a service with these reports (URLs without a scheme, and results), the last one being the newest. A re-run
/// finds the page good.
pub async fn start(reports: &[(String, &str)]) -> ScriptedServer {
    let rows = reports.iter().enumerate().map(|(at, (url, result))| row(at + 1, url, result, 0));
    let rows: Mutex<Vec<Value>> = Mutex::new(rows.rev().collect());
    ScriptedServer::start(move |asked: &RecordedRequest| answer(asked, &mut rows.lock().unwrap())).await
}

fn row(id: usize, url: &str, result: &str, audits: usize) -> Value {
    let project = url.split('/').next().unwrap();
    json!({"id": id, "url": url, "project": project, "result": result, "privacy": 0, "password": null,
           "generated_at": format!("2026-01-02T{:02}:{:02}:{audits:02}Z", id / 60, id % 60)})
}

fn answer(asked: &RecordedRequest, rows: &mut Vec<Value>) -> Reply {
    let list = |rows: &[Value]| {
        Reply::Json(200, json!({"data": rows, "meta": {"current_page": 1, "last_page": 1, "total": rows.len()}}))
    };
    let id = asked.path().strip_prefix("/api/v1/reports/").and_then(|id| id.parse::<usize>().ok());
    let at = rows.iter().position(|row| id.is_some_and(|id| row["id"] == json!(id)));
    match (asked.method.as_str(), asked.path(), at) {
        ("GET", "/api/v1/reports", _) => list(rows),
        ("GET", "/api/v1/projects", _) => {
            let mut names: Vec<String> = rows.iter().map(|row| row["project"].as_str().unwrap().to_owned()).collect();
            names.sort();
            names.dedup();
            list(
                &names
                    .iter()
                    .map(|name| json!({"project": name, "created_at": "2026-01-02 00:00:00"}))
                    .collect::<Vec<_>>(),
            )
        }
        ("POST", "/api/v1/reports", _) => {
            let id = rows.len() + 1;
            rows.insert(0, row(id, &format!("shop.example/new-{id}"), "good", 0));
            Reply::Json(201, json!({"data": rows[0]}))
        }
        ("GET", _, Some(at)) => Reply::Json(200, json!({"data": rows[at]})),
        ("PUT", _, Some(at)) => {
            rows[at] = row(id.unwrap(), rows[at]["url"].as_str().unwrap(), "good", asked.before % 60 + 1);
            Reply::Json(200, json!({"data": rows[at]}))
        }
        _ => Reply::Json(404, json!({"message": "Not found."})),
    }
}
