//! Several processes on one database, one of which is killed.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use reqwest::Method;

use crate::support::embedded_service::{Client, KEY, Running, store_of};
use crate::support::own_process::KilledOnDrop;

/// Environment variable with the data directory of the process to be killed.
const DATA: &str = "REPORTDECK_TEST_DATA";
/// Printed by that process before its address.
const LISTENING: &str = "listening on ";

/// Helper process of the test below; does nothing unless that test starts it.
#[tokio::test]
async fn service_in_another_process() {
    let Ok(data) = std::env::var(DATA) else { return };
    let running = Running::on(data.as_ref()).await;
    println!("\n{LISTENING}{}", running.service.base_url());
    std::future::pending::<()>().await;
}

/// Starts the helper process and returns its address.
async fn start_another(data: &std::path::Path) -> (KilledOnDrop, String) {
    // For a database on this process's server, both processes read its URL from the directory.
    store_of(data).await;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "contract::concurrent_processes::service_in_another_process", "--nocapture"]);
    let mut child = KilledOnDrop(command.env(DATA, data).stdout(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.map(Result::unwrap).find_map(|line| line.strip_prefix(LISTENING).map(str::to_owned));
    (child, address.expect("the other process prints its address"))
}

#[tokio::test]
async fn acknowledged_writes_survive_a_killed_process() {
    let data = tempfile::tempdir().unwrap();
    let (mut child, address) = start_another(data.path()).await;
    let other = Client::new(&address, Some(KEY));
    let mine = Running::on(data.path()).await;
    let writes = (0..40).map(|number| {
        let client = if number % 2 == 0 { &other } else { &mine.client };
        async move { client.create(&format!("https://shop.example/{number}")).await }
    });
    let created = futures_util::future::join_all(writes).await;
    child.kill().unwrap();
    child.wait().unwrap();
    for id in created {
        mine.client.get(&format!("/api/v1/reports/{id}")).await.expect(200);
    }
    mine.service.shut_down().await;
    let again = Running::on(data.path()).await;
    assert_eq!(again.client.get("/api/v1/reports").await.data().len(), 40);
    assert_eq!(again.client.get("/api/v1/projects").await.data()[0]["reports"], 40);
}

#[tokio::test]
async fn writes_of_another_process_are_in_the_next_list() {
    let data = tempfile::tempdir().unwrap();
    let (mut child, address) = start_another(data.path()).await;
    let other = Client::new(&address, Some(KEY));
    let mine = Running::on(data.path()).await;
    for number in 1..=12 {
        let id = other.create(&format!("https://shop.example/{number}")).await;
        // Several connections of the pool.
        for _ in 0..4 {
            assert_eq!(mine.client.get("/api/v1/reports").await.ids()[0], id);
            assert_eq!(mine.client.get("/api/v1/projects").await.data()[0]["reports"], number);
        }
    }
    let last = other.get("/api/v1/reports").await.ids();
    other.delete(&format!("/api/v1/reports/{}", last[0])).await.expect(200);
    assert_eq!(mine.client.get("/api/v1/reports").await.ids(), last[1..]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(mine.client.get("/api/v1/reports").await.ids(), last[1..]);
}

#[tokio::test]
async fn a_locked_database_gives_503_and_nothing_is_written() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::on(data.path()).await;
    let id = running.client.create("https://shop.example/").await;
    let path = format!("/api/v1/reports/{id}");
    let other = rusqlite::Connection::open(data.path().join("reports.sqlite3")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let client = &running.client;
    let url = [("url", "https://shop.example/new")];
    // Concurrently, so that each one waits for the others too.
    let answers = tokio::join!(
        client.send(Method::POST, "/api/v1/reports", &url),
        client.send(Method::PUT, &path, &[("privacy", "1")]),
        client.send(Method::PUT, &path, &[("results", "1")]),
        client.delete(&path),
    );
    for answer in [answers.0, answers.1, answers.2, answers.3] {
        let answer = answer.expect(503);
        assert_eq!(answer.headers["retry-after"], "2");
        assert!(answer.body["message"].as_str().unwrap().contains("Nothing was changed"), "{answer:?}");
    }
    other.execute_batch("COMMIT").unwrap();
    let list = client.get("/api/v1/reports").await;
    assert_eq!((list.ids(), &list.data()[0]["privacy"]), (vec![id], &0.into()), "nothing was written");
    client.delete(&path).await.expect(200);
}
