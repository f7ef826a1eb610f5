//! `store copy` and `store import`: everything is transferred, or nothing.

use std::path::Path;

use jiff::Timestamp;
use reportdeck::service::seed::{SeedRow, seed};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::cli_user::{CliUser, CommandOutput, page};
use crate::support::postgres;
use crate::support::serve_process::{Caller, Serving, data_of, database_of, key_of};

fn row(url: &str, project: &str, score: u8) -> SeedRow {
    SeedRow {
        url: url.to_owned(),
        project: project.to_owned(),
        score,
        generated_at: Timestamp::from_millisecond(1_700_000_000_123).unwrap(),
        failed: vec!["title".to_owned(), "csp".to_owned()],
    }
}

fn successful_records(output: &CommandOutput) -> Vec<Value> {
    assert_eq!(output.code, 0, "{output:?}");
    output.records()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A user with reports of all kinds: without checks, with encoded URLs, with former results, protected, and a deleted
/// last one.
fn person_with_reports() -> CliUser {
    let person = CliUser::new();
    let rows = [
        row("https://shop.example/stra%C3%9Fe", "shop.example", 30),
        row("https://shop.example/2", "shop.example", 60),
        row("https://other.example/\u{1f375}", "other.example", 90),
    ];
    seed(&data_of(&person), rows.into_iter()).unwrap();
    let url = page();
    std::fs::write(person.home().join("password"), "open sesame").unwrap();
    let password = person.home().join("password");
    let created = successful_records(&person.run(&[
        "reports",
        "create",
        &url,
        "--privacy",
        "password",
        "--password-file",
        text(&password),
    ]));
    let id = created[0]["id"].as_str().map_or_else(|| created[0]["id"].to_string(), str::to_owned);
    for _ in 0..3 {
        successful_records(&person.run(&["reports", "update", &id, "--rerun"]));
    }
    let last = successful_records(&person.run(&["reports", "create", &format!("{url}/last")]));
    let id = last[0]["id"].as_str().map_or_else(|| last[0]["id"].to_string(), str::to_owned);
    successful_records(&person.run(&["reports", "delete", &id, "--yes"]));
    person
}

/// Returns everything that the API shows of a store.
async fn shown(person: &CliUser, key: &str) -> (Vec<Value>, Value) {
    let service = Serving::start(person);
    let caller = Caller::new(&service.base_url, key);
    let listed = Caller::answered(caller.request(Method::GET, "?per_page=100&sort_by=id&sort=asc")).await.unwrap().1;
    let mut whole = Vec::new();
    for report in listed["data"].as_array().unwrap() {
        whole.push(Caller::answered(caller.request(Method::GET, &format!("/{}", report["id"]))).await.unwrap().1);
    }
    let found = Caller::answered(caller.request(Method::GET, "?search=stra%C3%9Fe")).await.unwrap().1;
    let count = found["data"].as_array().unwrap().len();
    (whole, json!(count))
}

/// Removes the URLs of report pages, which contain the service's address.
fn without_pages(reports: Vec<Value>) -> Vec<Value> {
    let without = |mut report: Value| {
        if let Some(data) = report["data"].as_object_mut() {
            data.retain(|name, _| !name.contains("page") && !name.contains("link"));
        }
        report
    };
    reports.into_iter().map(without).collect()
}

#[tokio::test]
async fn a_store_is_copied_to_postgres_and_back_with_everything() {
    if !postgres::is_there() {
        return;
    }
    let person = person_with_reports();
    let key = key_of(&person);
    let before = shown(&person, &key).await;
    let url = postgres::new_database().await;

    let on_postgres = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
    let data = data_of(&person);
    let arguments = ["store", "copy", "--to", "postgres", "--data", text(&data)];
    let tables = successful_records(&on_postgres.run(&arguments));
    let rows =
        |tables: &[Value], name: &str| tables.iter().find(|table| table["table"] == name).unwrap()["rows"].clone();
    assert_eq!(rows(&tables, "reports"), 4);
    assert_eq!(rows(&tables, "history"), 3);
    assert_eq!((rows(&tables, "keys"), rows(&tables, "secrets")), (json!(1), json!(1)));
    let there = shown(&on_postgres, &key).await;
    assert_eq!(without_pages(there.0), without_pages(before.0.clone()));
    assert_eq!(there.1, before.1, "searched");
    let again = on_postgres.run(&arguments);
    assert!(again.code == 1 && again.error.contains("Copy into an empty store"), "{again:?}");

    // The copy back to SQLite. The key was used in between, which is stored to the minute.
    let back = on_postgres.home().join("back");
    let returned = successful_records(&on_postgres.run(&["store", "copy", "--to", "sqlite", "--data", text(&back)]));
    for table in ["projects", "reports", "history", "secrets", "last ids"] {
        let of = |tables: &[Value]| tables.iter().find(|row| row["table"] == table).cloned();
        assert_eq!(of(&returned), of(&tables));
    }
    let person = CliUser::new().with("REPORTDECK_DATA", text(&back));
    let after = shown(&person, &key).await;
    assert_eq!(without_pages(after.0), without_pages(before.0));
    assert_eq!(after.1, before.1, "searched");
    // The next former result gets a new id.
    let next = "SELECT nextval(pg_get_serial_sequence('history', 'id')) - max(id) FROM history";
    assert_eq!(postgres::count(&postgres::connect(&url).await, next).await, 1);
    // The id of a deleted report is not reused.
    let ids = |person: &CliUser| -> Vec<i64> {
        let created = successful_records(&person.run(&["reports", "create", &page()]));
        created.iter().map(|row| row["id"].to_string().trim_matches('"').parse().unwrap()).collect()
    };
    assert_eq!(ids(&person), [6]);
}

#[tokio::test]
async fn a_copy_that_fails_leaves_nothing() {
    if !postgres::is_there() {
        return;
    }
    let person = CliUser::new();
    let rows = (0..2000).map(|number| row(&format!("https://shop.example/{number}"), "shop.example", 30));
    seed(&data_of(&person), rows).unwrap();
    // PostgreSQL cannot store NUL characters.
    seed(&data_of(&person), std::iter::once(row("https://zero.example/", "zero\0.example", 30))).unwrap();
    let url = postgres::new_database().await;
    let person = person.with("REPORTDECK_DATABASE_URL", &url);
    let failed = person.run(&["store", "copy", "--to", "postgres"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    assert!(failed.error.contains("Nothing was saved"), "{failed:?}");
    let client = postgres::connect(&url).await;
    let left = client.query_one("SELECT (SELECT count(*) FROM reports) + (SELECT count(*) FROM projects)", &[]).await;
    assert_eq!(left.unwrap().get::<_, i64>(0), 0);
}

#[test]
fn a_copy_from_an_unreachable_database_creates_no_data_directory() {
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", "postgres://127.0.0.1:1/reports");
    let data = person.home().join("new");
    let output = person.run(&["store", "copy", "--to", "sqlite", "--data", text(&data)]);
    assert!(output.code == 1 && output.error.contains("cannot use the database"), "{output:?}");
    assert!(!data.exists());
}

#[tokio::test]
async fn a_copy_needs_two_stores_and_no_running_service() {
    if !postgres::is_there() {
        return;
    }
    let person = CliUser::new();
    key_of(&person);
    let refused = person.run(&["store", "copy", "--to", "postgres"]);
    assert!(refused.code == 2 && refused.error.contains("there is no database"), "{refused:?}");
    let service = Serving::start(&person);
    let person = person.with("REPORTDECK_DATABASE_URL", &postgres::new_database().await);
    let refused = person.run(&["store", "copy", "--to", "postgres"]);
    assert!(refused.code == 1 && refused.error.contains("another reportdeck already serves"), "{refused:?}");
    drop(service);
    let nowhere = person.home().join("nowhere");
    let refused = person.run(&["store", "copy", "--to", "postgres", "--data", text(&nowhere)]);
    assert!(refused.code == 1 && refused.error.contains("there is no database"), "{refused:?}");
}

#[tokio::test]
async fn a_database_is_not_copied_while_an_instance_uses_it() {
    if !postgres::is_there() {
        return;
    }
    let url = postgres::new_database().await;
    let person = CliUser::new().with("REPORTDECK_DATABASE_URL", &url);
    key_of(&person);
    let service = Serving::start(&person);
    let client = postgres::connect(&url).await;
    let listening = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    postgres::wait_for_count(&client, listening, |count| count > 0).await;
    let copy = || person.run(&["store", "copy", "--to", "sqlite"]);
    let refused = copy();
    assert!(refused.code == 1 && refused.error.contains("Stop all instances and workers"), "{refused:?}");
    service.kill();
    postgres::wait_for_count(&client, listening, |count| count == 0).await;
    successful_records(&copy());
}

async fn imports_into(team: CliUser) {
    let laptop = person_with_reports();
    key_of(&laptop);
    let key = key_of(&team);
    let url = page();
    successful_records(&team.run(&["store", "import", text(&data_of(&laptop))]));
    let first = shown(&team, &key).await;
    assert_eq!(first.0.len(), 4);
    assert_eq!(first.1, 1, "searches find imported reports");
    let protected = first.0.iter().find(|report| report["data"]["privacy"] == 2).unwrap_or_else(|| panic!("{first:?}"));
    assert_eq!(protected["data"]["history"].as_array().map(Vec::len), Some(3), "{protected}");
    assert_eq!(successful_records(&team.run(&["keys", "list"])).len(), 1, "keys are not imported");
    // Again, from a backup with two new reports of one page.
    for _ in 0..2 {
        successful_records(&laptop.run(&["reports", "create", &url]));
    }
    let file = laptop.home().join("backup.sqlite3");
    successful_records(&laptop.run(&["store", "backup", text(&file)]));
    let imported = successful_records(&team.run(&["store", "import", text(&file)]));
    assert_eq!(imported, [json!({ "reports": 2, "former_results": 0, "skipped": 4 })]);
    assert_eq!(shown(&team, &key).await.0.len(), 6);
    let gone = team.run(&["store", "import", text(&laptop.home().join("gone"))]);
    assert!(gone.code == 1 && gone.error.contains("cannot use"), "{gone:?}");
}

#[tokio::test]
async fn a_laptops_reports_are_imported_into_sqlite() {
    let team = CliUser::new();
    imports_into(team).await;
}

#[tokio::test]
async fn a_laptops_reports_are_imported_into_postgres() {
    if !postgres::is_there() {
        return;
    }
    imports_into(CliUser::new().with("REPORTDECK_DATABASE_URL", &postgres::new_database().await)).await;
}

#[test]
fn a_store_is_not_imported_into_itself() {
    let person = CliUser::new();
    key_of(&person);
    for from in [data_of(&person), database_of(&person)] {
        let output = person.run(&["store", "import", text(&from)]);
        assert!(output.code == 1 && output.error.contains("is the store itself"), "{output:?}");
    }
}
