//! An instance that is frozen during a write blocks the others for seconds only, and writes nothing afterwards.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use reqwest::Method;

use crate::engines::postgres_failures::{LIST, try_on};
use crate::support::embedded_service::{Client, KEY};
use crate::support::own_process::{KilledOnDrop, freeze, send_signal};
use crate::support::postgres::{self, connect, new_database, sql, wait_for_count};

/// Environment variable with the database of the process to be frozen.
const URL: &str = "REPORTDECK_TEST_FROZEN_URL";
const TEST: &str = "engines::frozen_instance::instance_in_another_process";
const LISTENING: &str = "listening on ";
/// While another session holds this lock, a change to private blocks.
const HELD: &str = "
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NULL; END';
    CREATE TRIGGER hold AFTER UPDATE ON reports FOR EACH ROW WHEN (NEW.privacy = 1) EXECUTE FUNCTION hold()";

/// Helper process to be frozen; does nothing unless the test below starts it.
#[tokio::test]
async fn instance_in_another_process() {
    let Ok(url) = std::env::var(URL) else { return };
    let running = try_on(&url).await.unwrap();
    println!("\n{LISTENING}{}", running.service.base_url());
    std::future::pending::<()>().await;
}

/// Another instance.
struct OtherInstance {
    child: KilledOnDrop,
    client: Client,
}

impl OtherInstance {
    fn start(url: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", TEST, "--nocapture"]).env(URL, url).stdout(Stdio::piped());
        let mut child = KilledOnDrop(command.spawn().unwrap());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.map(Result::unwrap).find_map(|line| line.strip_prefix(LISTENING).map(str::to_owned));
        Self { child, client: Client::new(&address.expect("the instance prints its address"), Some(KEY)) }
    }
}

#[tokio::test]
async fn a_frozen_instance_blocks_others_for_seconds_only_and_its_late_write_is_refused() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    let mine = try_on(&url).await.unwrap();
    sql(&url, HELD).await;
    let holder = connect(&url).await;
    holder.batch_execute("SELECT pg_advisory_lock(7)").await.unwrap();
    let other = OtherInstance::start(&url);
    let before = mine.client.create("https://shop.example/").await;
    let (client, path) = (other.client.clone(), format!("{LIST}/{before}"));
    let late = tokio::spawn(async move { client.send(Method::PUT, &path, &[("privacy", "1")]).await });
    // Other writes may have to wait too.
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    wait_for_count(&holder, waiting, |writes| writes > 0).await;
    freeze(other.child.id());
    holder.batch_execute("SELECT pg_advisory_unlock(7)").await.unwrap();

    let id = mine.client.create("https://shop.example/new").await;
    send_signal(other.child.id(), "CONT");
    let late = late.await.unwrap().expect(503);
    assert!(late.body["message"].as_str().unwrap().contains("Nothing was changed"), "{late:?}");
    let list = mine.client.get(LIST).await.expect(200);
    assert_eq!((list.ids(), &list.data()[1]["privacy"]), (vec![id, before], &0.into()));
    other.client.create("https://shop.example/again").await;
    assert_eq!(mine.client.get("/api/v1/projects").await.expect(200).data()[0]["reports"], 3);
}
