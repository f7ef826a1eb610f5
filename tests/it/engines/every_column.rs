//! Every column of every table is copied to another store, so that a new column missing from the copy fails here.

use std::collections::BTreeMap;
use std::path::Path;

use reportdeck::domain::desk::{Handle, Role};
use reportdeck::service::keys::{self, NewKey, PersonChange};
use reportdeck::service::transfers::{TableDigest, TransferError};
use reportdeck::service::{StoreAddress, transfers};
use reqwest::Method;
use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::json;

use crate::support::desk_team::{change, new_key, note, row};
use crate::support::embedded_service::{Client, Running, sent};
use crate::support::postgres;
use reportdeck::domain::triage::State;
use secrecy::ExposeSecret as _;

/// Running audits of one server, which are not copied.
const NOT_COPIED: [&str; 2] = ["audits", "hosts"];

/// The columns and the rows of each table.
type Content = BTreeMap<String, (Vec<String>, Vec<Vec<Value>>)>;

/// Returns the rows of all tables by name, with their columns. The search index is excluded, because each store
/// rebuilds it.
fn content(data: &Path) -> Content {
    let connection = Connection::open(data.join("reports.sqlite3")).unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                  AND name NOT LIKE 'report\\_search%' ESCAPE '\\' ORDER BY name";
    let mut statement = connection.prepare(tables).unwrap();
    let tables = statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<Vec<String>, _>>().unwrap();
    let read = |table: String| {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let width = columns.len();
        let rows = statement.query_map([], |row| (0..width).map(|at| row.get(at)).collect()).unwrap();
        let mut rows = rows.collect::<Result<Vec<Vec<Value>>, _>>().unwrap();
        rows.sort_by_cached_key(|row| format!("{row:?}"));
        (table, (columns, rows))
    };
    tables.into_iter().filter(|table| !NOT_COPIED.contains(&table.as_str())).map(read).collect()
}

/// Fails with the columns whose values a copy lost or changed.
fn assert_copied(copied: &Content, filled: &Content) {
    let values = |rows: &[Vec<Value>], at: usize| {
        let mut values: Vec<String> = rows.iter().map(|row| format!("{:?}", row[at])).collect();
        values.sort_unstable();
        values
    };
    for (table, (columns, rows)) in filled {
        let (_, copied) = copied.get(table).unwrap_or_else(|| panic!("{table} is missing in the copy"));
        for (at, column) in columns.iter().enumerate() {
            assert_eq!(
                values(copied, at),
                values(rows, at),
                "{table}.{column} differs after the copy: add it to TABLES in store/transfer.rs"
            );
        }
    }
    assert_eq!(copied, filled);
}

/// Fills every table: reports with former results, a password and a failed fetch; keys; a desk of two services.
async fn fill(data: &Path) {
    let running = Running::on_store(data.into(), None, reportdeck::service::Proxies::default()).await.unwrap();
    let first = running.client.create("https://shop.example/?score=60").await;
    running.client.create("https://misspelt.example/?score=31").await;
    running.client.create("https://shop.example/stra%C3%9Fe?project=xn--strae-oqa.example%2520a").await;
    running.client.send(Method::PUT, &format!("/api/v1/reports/{first}"), &[("results", "1")]).await.expect(200);
    let protect = [("privacy", "2"), ("password", "tea")];
    running.client.send(Method::PUT, &format!("/api/v1/reports/{first}"), &protect).await.expect(200);
    let key = new_key_on(data, "anna").await;
    let anna = Client::new(&running.service.base_url(), Some(&key));
    for base in ["https://a.example", "https://www.a.example"] {
        let body = json!({ "change": change(), "base": base, "service_id": base.len().to_string(), "label": "a" });
        sent(anna.json(Method::POST, "/api/v1/desk/services", &body)).await.expect(200);
    }
    let write = serde_json::to_value(reportdeck::domain::desk::RowWrite {
        cause: Some("closed".into()),
        ..row(State::Looking, Some("anna"))
    });
    let state = anna.json(Method::PUT, "/api/v1/desk/states/3/1", &write.unwrap()).header("if-none-match", "*");
    sent(state).await.expect(200);
    let noted = serde_json::to_value(note("who?")).unwrap();
    let noted = sent(anna.json(Method::POST, "/api/v1/desk/states/3/1/notes", &noted)).await.expect(200);
    let path = format!("/api/v1/desk/states/3/1/notes/{}?change={}", noted.body["data"]["id"], change());
    anna.delete(&path).await.expect(200);
    let merge = json!({ "change": change(), "into": 2 });
    sent(running.client.json(Method::POST, "/api/v1/desk/services/3/merge", &merge)).await.expect(200);
    running.service.shut_down().await;
    // States that only time or an operator brings about.
    let connection = Connection::open(data.join("reports.sqlite3")).unwrap();
    let statements = "UPDATE keys SET expires_at = 4102444800000, revoked_at = 1700000000000, last_used_at = 1; \
                      UPDATE desk SET pruned = 1; UPDATE people SET left_at = 1700000000000;";
    connection.execute_batch(statements).unwrap();
}

async fn new_key_on(data: &Path, person: &str) -> String {
    assert!(matches!(crate::support::embedded_service::store_of(data).await, StoreAddress::Data(_)));
    new_key(data, Some(person), Role::Triage).await.expose_secret().to_owned()
}

/// Copies a store. The lock of a directory may be held for a moment longer than its service: a process that another test
/// starts has a copy of it until its program begins.
async fn copy(from: StoreAddress, to: StoreAddress) -> Result<Vec<TableDigest>, TransferError> {
    loop {
        match transfers::copy(from.clone(), to.clone()).await {
            Err(TransferError::Served(_)) => tokio::task::yield_now().await,
            copied => return copied,
        }
    }
}

#[tokio::test]
async fn every_column_of_every_table_survives_a_copy_to_another_store_and_back() {
    let (source, target, back) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(source.path()).await;
    let filled = content(source.path());
    for (table, (columns, rows)) in &filled {
        for (at, column) in columns.iter().enumerate() {
            let says = rows.iter().any(|row| !matches!(row[at], Value::Null | Value::Integer(0)));
            assert!(says, "{table}.{column} is empty here: set it in fill, so that its copy is tested");
        }
    }
    copy(source.path().into(), target.path().into()).await.unwrap();
    assert_copied(&content(target.path()), &filled);
    let again = copy(source.path().into(), target.path().into()).await.unwrap_err().to_string();
    assert!(again.contains("it already contains reports, keys or secrets. Copy into an empty store"), "{again}");
    assert_eq!(content(target.path()), filled, "a refused copy changes nothing");
    if postgres::is_there() {
        let server = StoreAddress::Postgres(postgres::new_database().await.into());
        copy(source.path().into(), server.clone()).await.unwrap();
        copy(server, back.path().into()).await.unwrap();
        assert_copied(&content(back.path()), &filled);
    }
}

#[tokio::test]
async fn an_import_adds_states_and_notes_of_its_reports_to_the_log() {
    let target = tempfile::tempdir().unwrap();
    import_a_desk(target.path().into()).await;
    if postgres::is_there() {
        import_a_desk(StoreAddress::Postgres(postgres::new_database().await.into())).await;
    }
}

/// Imports two reports with states and notes into a store that has one of them already.
async fn import_a_desk(target: StoreAddress) {
    let source = tempfile::tempdir().unwrap();
    let proxies = reportdeck::service::Proxies::default;
    let running = Running::on_store(source.path().into(), None, proxies()).await.unwrap();
    for url in ["https://shop.example/1", "https://shop.example/2"] {
        let id = running.client.create(url).await;
        let key = new_key_on(source.path(), "anna").await;
        let anna = Client::new(&running.service.base_url(), Some(&key));
        let write = serde_json::to_value(row(State::Looking, Some("anna"))).unwrap();
        let path = format!("/api/v1/desk/states/1/{id}");
        sent(anna.json(Method::PUT, &path, &write).header("if-none-match", "*")).await.expect(200);
        let mut ids = Vec::new();
        for text in [url, "withdrawn"] {
            let write = serde_json::to_value(note(text)).unwrap();
            let noted = sent(anna.json(Method::POST, &format!("{path}/notes"), &write)).await.expect(200);
            ids.push(noted.body["data"]["id"].clone());
        }
        anna.delete(&format!("{path}/notes/{}?change={}", ids[1], change())).await.expect(200);
    }
    running.service.shut_down().await;
    // Ben is in both teams, under different names.
    let ben: Handle = "ben".parse().unwrap();
    for (store, name) in [(source.path().into(), "Benedict"), (target.clone(), "Ben")] {
        let key = NewKey { person: Some(ben.clone()), ..NewKey::admin("ben") };
        keys::create(store.clone(), key).await.unwrap();
        let rename = PersonChange { name: Some(name.to_owned()), is_here: None };
        keys::change_person(store, &ben, rename).await.unwrap();
    }
    let running = Running::on_store(target.clone(), None, proxies()).await.unwrap();
    for url in ["https://shop.example/other", "https://shop.example/2"] {
        running.client.create(url).await;
    }
    transfers::import(source.path().into(), target).await.unwrap();
    let rows = running.client.get("/api/v1/desk/states?service=1").await.expect(200).body["data"].clone();
    let ids: Vec<&str> = rows["rows"].as_array().unwrap().iter().map(|row| row["report"].as_str().unwrap()).collect();
    assert_eq!(ids, ["3"], "the imported one, under its new id");
    assert_eq!((&rows["rows"][0]["holder"], &rows["rows"][0]["version"]), (&json!("anna"), &json!(1)));
    let notes = running.client.get("/api/v1/desk/notes?service=1").await.expect(200).body["data"].clone();
    assert_eq!(
        (&notes["notes"][0]["text"], &notes["notes"][0]["author"]),
        (&json!("https://shop.example/1"), &json!("anna"))
    );
    let people = running.client.get("/api/v1/desk").await.expect(200).body["data"]["people"].clone();
    assert_eq!(people[0]["handle"], "anna", "who holds the report");
    assert_eq!((&people[1]["handle"], &people[1]["name"]), (&json!("ben"), &json!("Ben")));
    assert_eq!(notes["notes"].as_array().unwrap().len(), 1, "withdrawn notes are not listed");
    let events = running.client.get("/api/v1/desk/changes?service=1").await.expect(200).body["data"].clone();
    let events = events["events"].as_array().unwrap();
    let after: Vec<&serde_json::Value> = events.iter().map(|event| &event["after"]).collect();
    let (withdrawn, imported) = after.split_last().unwrap();
    assert_eq!(
        imported[imported.len() - 3..],
        [&people[0], &rows["rows"][0], &notes["notes"][0]],
        "dashboards at work learn of the person, too"
    );
    assert_eq!(withdrawn["withdrawn"], true);
    running.service.shut_down().await;
}

#[tokio::test]
async fn a_database_with_columns_that_this_program_does_not_know_is_neither_copied_nor_imported_into() {
    if !postgres::is_there() {
        return;
    }
    let (source, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    Running::on(source.path()).await.service.shut_down().await;
    let url = postgres::new_database().await;
    let server = || StoreAddress::Postgres(url.as_str().into());
    let instance = Running::on_store(server(), None, reportdeck::service::Proxies::default()).await.unwrap();
    // Instances can go on with a format that only adds to theirs; a copy would lose what it adds.
    postgres::sql(&url, "UPDATE store_format SET version = 99").await;
    instance.client.get("/api/v1/reports").await.expect(200);
    let refused = [
        transfers::copy(server(), target.path().into()).await.map(drop),
        transfers::import(source.path().into(), server()).await.map(drop),
    ];
    for refused in refused {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("was written by a newer reportdeck (its format is 99"), "{error}");
    }
}
