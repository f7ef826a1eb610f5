//! A scripted service without faults, as a base for tests; a recording client and a dashboard for it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reportdeck::api::address::BaseUrl;
use reportdeck::api::client::{Client, Priority};
use reportdeck::api::decode::RowDetail;
pub use reportdeck::api::limits::Limits;
use reportdeck::domain::activity::Exchange;
use reportdeck::domain::failure::Failure;
use reportdeck::domain::list::paging::{Page, PageToken};
use reportdeck::domain::list::query::ReportQuery;
use reportdeck::domain::report::Report;
use serde_json::{Value, json};

use crate::support::scripted_server::{RecordedRequest, Reply, ScriptedServer};
use crate::support::session::Person;

/// A key that resembles nothing else on a screen.
pub const KEY: &str = "Zx9-key-of-these-tests-Zx9";

pub const LIST: &str = "GET /api/v1/reports";
pub const CREATE: &str = "POST /api/v1/reports";

/// The default limits with short pauses between attempts.
pub fn brisk() -> Limits {
    Limits { first_pause: Duration::from_millis(1), ..Limits::default() }
}

/// Short limits, for services that stay silent or never finish a response.
pub fn impatient() -> Limits {
    let (idle, whole) = (Duration::from_millis(300), Duration::from_millis(500));
    Limits { idle, read: whole, write: whole, body: 1024 * 1024, ..brisk() }
}

/// A report with the documented fields only.
pub fn plain(id: &Value, url: &str, result: &str) -> Value {
    json!({"id": id, "url": url, "project": "shop.example", "result": result,
           "generated_at": "2024-05-02T09:15:00Z", "privacy": 0, "password": null})
}

pub fn list_of(rows: &[Value]) -> Reply {
    Reply::Json(200, json!({"data": rows, "meta": {"current_page": 1, "last_page": 1, "total": rows.len()}}))
}

/// Three reports of one shop; responds correctly to every request of the reports API.
pub fn healthy(asked: &RecordedRequest) -> Reply {
    let rows = [
        plain(&json!(3), "shop.example/tea", "good"),
        plain(&json!(2), "shop.example/cart", "bad"),
        plain(&json!(1), "shop.example/", "decent"),
    ];
    serve(asked, &rows)
}

/// Responds with these reports, selected by the id in the path.
pub fn serve(asked: &RecordedRequest, rows: &[Value]) -> Reply {
    let id = asked.path().strip_prefix("/api/v1/reports/");
    let wanted = |row: &&Value| id.is_some_and(|id| row["id"].to_string().trim_matches('"') == id);
    match (asked.method.as_str(), asked.path(), rows.iter().find(wanted)) {
        ("GET", "/api/v1/reports", _) => list_of(rows),
        ("GET", "/api/v1/projects", _) => {
            list_of(&[json!({"project": "shop.example", "created_at": "2024-05-02 09:15:00"})])
        }
        ("POST", "/api/v1/reports", _) => {
            Reply::Json(201, json!({"data": plain(&json!(4), "shop.example/new", "good")}))
        }
        ("GET" | "PUT", _, Some(row)) => Reply::Json(200, json!({"data": row})),
        ("DELETE", _, _) => Reply::Json(200, json!({"deleted": true})),
        _ => Reply::Json(404, json!({"message": "Not found."})),
    }
}

/// A healthy service, except for one kind of request.
pub async fn but(line: &'static str, reply: Reply) -> ScriptedServer {
    ScriptedServer::start(move |asked| if asked.line() == line { reply.clone() } else { healthy(asked) }).await
}

/// A client, and everything it reports about its requests.
pub fn client(service: &ScriptedServer, limits: Limits) -> (Client, Arc<Mutex<Vec<Exchange>>>) {
    let exchanges: Arc<Mutex<Vec<Exchange>>> = Arc::default();
    let noted = Arc::clone(&exchanges);
    let base = BaseUrl::parse(&service.base, false).unwrap();
    let observer = Arc::new(move |exchange| noted.lock().unwrap().push(exchange));
    (Client::new(base, KEY.into(), observer, limits).unwrap(), exchanges)
}

/// Requests the first page of reports.
pub async fn list(client: &Client) -> Result<Page<Report>, Failure> {
    client.list_reports(&ReportQuery::default(), &PageToken::First, RowDetail::Everything, Priority::Person).await
}

/// Requests the first page of reports from a service that sends this response to every list.
pub async fn list_answered(reply: Reply, limits: Limits) -> Result<Page<Report>, Failure> {
    list(&client(&but(LIST, reply).await, limits).0).await
}

/// A dashboard with short pauses between attempts.
pub async fn person(service: &ScriptedServer) -> Person {
    Person::with_limits(brisk(), &service.base, KEY).await
}

/// A dashboard with short time limits.
pub async fn impatient_person(service: &ScriptedServer) -> Person {
    Person::with_limits(impatient(), &service.base, KEY).await
}
