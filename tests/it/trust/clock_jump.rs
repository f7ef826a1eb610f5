//! Clock jumps: the service works as before with stored times in the future or the distant past.
//!
//! Tests cannot set the system clock. To a reader, a clock that was set back looks like data written in the future, so
//! the tests write such data.

use std::collections::BTreeSet;

use reqwest::Method;
use rusqlite::Connection;
use serde_json::Value;

use crate::support::embedded_service::{Client, Running};

const DAY: i64 = 86_400_000;

/// Shifts all times in the database by this number of days.
fn shift_times(data: &std::path::Path, days: i64) {
    let database = Connection::open(data.join("reports.sqlite3")).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    let by = days * DAY;
    for (table, columns) in [
        ("reports", &["generated_at", "created_at", "updated_at"][..]),
        ("projects", &["created_at"]),
        ("history", &["generated_at"]),
        ("keys", &["created_at", "revoked_at"]),
    ] {
        let columns: Vec<String> = columns.iter().map(|column| format!("{column} = {column} + {by}")).collect();
        database.execute(&format!("UPDATE {table} SET {}", columns.join(", ")), []).unwrap();
    }
}

/// Returns the ids of a whole list in order, page by page.
async fn ids(running: &Running, query: &str) -> Vec<i64> {
    let mut all = Vec::new();
    for page in 1.. {
        let path = format!("/api/v1/reports?per_page=10&page={page}&{query}");
        let listed = running.client.get(&path).await.expect(200);
        if listed.data().is_empty() {
            return all;
        }
        all.extend(listed.ids());
    }
    all
}

#[tokio::test]
async fn clock_jumps_block_nothing_and_lose_nothing() {
    let (running, data) = Running::start().await;
    let key =
        reportdeck::service::keys::create(data.path(), reportdeck::service::keys::NewKey::admin("team")).await.unwrap();
    for number in 0..25 {
        running.client.create(&format!("https://shop{}.example/{number}?score={number}", number % 3)).await;
    }
    let mut expected: BTreeSet<i64> = (1..=25).collect();
    let mut former = 0;
    // A day ahead, correct, a year behind, ten years ahead, and beyond the range of any calendar.
    for days in [1, -1, -365, 3_650, -3_285, 3_000_000, -3_000_000] {
        shift_times(data.path(), days);
        for sort in ["id", "generated_at", "url", "result"] {
            for direction in ["asc", "desc"] {
                let listed = ids(&running, &format!("sort_by={sort}&sort={direction}")).await;
                assert_eq!(listed.len(), expected.len(), "no duplicates: {sort} {direction} after {days} days");
                assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "{sort} {direction}, {days} days");
            }
        }
        // A new audit has the current time, and the history stays in the order of the audits.
        former += 1;
        let again = running.client.send(Method::PUT, "/api/v1/reports/1", &[("results", "1")]).await.expect(200);
        let generated: jiff::Timestamp = again.body["data"]["generated_at"].as_str().unwrap().parse().unwrap();
        assert!(generated.duration_since(jiff::Timestamp::now()).as_secs().abs() < 600, "{generated}");
        let history = running.client.get("/api/v1/reports/1/history").await.expect(200);
        assert_eq!(history.data().len(), former, "{days} days");
        assert!(history.data().iter().all(|row| row["generated_at"].is_string()));
        let new = running.client.create(&format!("https://new.example/{days}")).await;
        assert!(expected.insert(new), "ids are not reused");
        // Pages, links, keys and projects.
        let team = Client::new(&running.service.base_url(), Some(secrecy::ExposeSecret::expose_secret(&key)));
        let projects: Vec<Value> = team.get("/api/v1/projects?sort_by=created_at").await.expect(200).data().to_vec();
        assert_eq!(projects.len(), 4);
        let page = team.request(Method::GET, "/reports/1").send().await.unwrap();
        assert_eq!(page.status(), 200);
        running.client.send(Method::PUT, "/api/v1/reports/1", &[("privacy", "1")]).await.expect(200);
        let link = running.client.get("/api/v1/reports/1/link").await.expect(200);
        let anyone = Client::new(link.body["data"]["url"].as_str().unwrap(), None);
        let opened = anyone.request(Method::GET, "").send().await.unwrap();
        assert_eq!(opened.status(), 200, "{days} days");
        running.client.send(Method::PUT, "/api/v1/reports/1", &[("privacy", "0")]).await.expect(200);
    }
    // The same after a restart.
    running.service.shut_down().await;
    let again = Running::on(data.path()).await;
    assert_eq!(ids(&again, "sort_by=generated_at").await.into_iter().collect::<BTreeSet<_>>(), expected);
}
