//! Errors that PostgreSQL reports by code, as responses: which are temporary, and what a person is told.

use reportdeck::service::StoreAddress;
use reportdeck::service::seed::{SeedRow, seed_store};
use reqwest::Method;

use crate::engines::postgres_failures::{LIST, try_on};
use crate::support::embedded_service::Running;
use crate::support::postgres::{self, connect, new_database};

#[tokio::test]
async fn an_error_of_the_database_decides_the_response_and_nothing_is_written() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    let running = try_on(&url).await.unwrap();
    let path = format!("{LIST}/{}", running.client.create("https://shop.example/").await);
    let client = connect(&url).await;
    for (code, status, retry_after, expected) in [
        ("disk_full", 507, None, "disk is full: nothing was changed"),
        ("data_corrupted", 500, None, "damaged. Restore it from a backup"),
        ("index_corrupted", 500, None, "damaged. Restore it from a backup"),
        ("deadlock_detected", 503, Some("2"), "blocked the service's database for too long. Nothing was changed"),
        ("lock_not_available", 503, Some("2"), "blocked the service's database for too long. Nothing was changed"),
        ("query_canceled", 503, Some("2"), "cannot be reached. Nothing was changed"),
        ("read_only_sql_transaction", 503, Some("2"), "cannot be reached. Nothing was changed"),
        // What a standby answers to a transaction that would write.
        ("feature_not_supported", 503, Some("2"), "cannot be reached. Nothing was changed"),
        ("division_by_zero", 500, None, "Its log says why"),
    ] {
        let fail = format!(
            "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN RAISE EXCEPTION ''a-secret-detail'' USING ERRCODE = ''{code}''; END';
             CREATE OR REPLACE TRIGGER fail BEFORE UPDATE ON reports FOR EACH ROW EXECUTE FUNCTION fail()"
        );
        client.batch_execute(&fail).await.unwrap();
        let answer = running.client.send(Method::PUT, &path, &[("privacy", "1")]).await.expect(status);
        assert_eq!(answer.headers.get("retry-after").map(|wait| wait.to_str().unwrap()), retry_after, "{code}");
        let message = answer.body["message"].as_str().unwrap();
        assert!(message.contains(expected) && !message.contains("a-secret-detail"), "{code}: {message}");
    }
    client.batch_execute("DROP TRIGGER fail ON reports").await.unwrap();
    let report = running.client.get(&path).await.expect(200);
    assert_eq!(report.body["data"]["privacy"], 0, "nothing was written");
    running.client.send(Method::PUT, &path, &[("privacy", "1")]).await.expect(200);
}

/// The project that [`project_of`] creates.
const PROJECT: &str = "/api/v1/projects/shop.example";

/// Starts a service with a project of this many reports; returns it with a connection to its database. `None` without a
/// server.
async fn project_of(reports: u32) -> Option<(Running, tokio_postgres::Client)> {
    if !postgres::is_there() {
        return None;
    }
    let url = new_database().await;
    let row = |number| SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".to_owned(),
        score: 1,
        generated_at: jiff::Timestamp::UNIX_EPOCH,
        failed: Vec::new(),
    };
    seed_store(StoreAddress::Postgres(url.as_str().into()), (0..reports).map(row).collect()).await.unwrap();
    Some((try_on(&url).await.unwrap(), connect(&url).await))
}

#[tokio::test]
async fn a_project_of_which_only_a_part_was_deleted_is_reported_as_such() {
    let Some((running, client)) = project_of(1_500).await else { return };
    // The first thousand are deleted, the others are not.
    let fail = "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN IF (SELECT reports FROM projects) <= 500 THEN RAISE EXCEPTION USING ERRCODE = ''lock_not_available'';
                 END IF; RETURN OLD; END';
                CREATE TRIGGER fail BEFORE DELETE ON reports FOR EACH ROW EXECUTE FUNCTION fail()";
    client.batch_execute(fail).await.unwrap();
    let answer = running.client.delete(PROJECT).await.expect(503);
    assert_eq!(answer.headers["retry-after"], "2");
    let message = answer.body["message"].as_str().unwrap();
    assert!(message.contains("Some reports of the project are left") && !message.contains("Nothing"), "{message}");
    assert_eq!(running.client.get(LIST).await.expect(200).body["meta"]["total"], 500);
    // If none was deleted, that is said as before.
    let message = running.client.delete(PROJECT).await.expect(503).body["message"].to_string();
    assert!(message.contains("Nothing was changed"), "{message}");
    client.batch_execute("DROP TRIGGER fail ON reports").await.unwrap();
    running.client.delete(PROJECT).await.expect(200);
}

#[tokio::test]
async fn a_project_is_deleted_together_with_its_last_reports() {
    // As many as one part has.
    let Some((running, client)) = project_of(1_000).await else { return };
    let fail = "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION USING ERRCODE = ''lock_not_available''; END';
                CREATE TRIGGER fail BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION fail()";
    client.batch_execute(fail).await.unwrap();
    running.client.delete(PROJECT).await.expect(503);
    let projects = running.client.get("/api/v1/projects").await.expect(200);
    assert_eq!(projects.data()[0]["reports"], 1_000, "there is no project without reports");
    client.batch_execute("DROP TRIGGER fail ON projects").await.unwrap();
    running.client.delete(PROJECT).await.expect(200);
}
