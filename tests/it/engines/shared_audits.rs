//! Audits of several instances on one database: every waiting request gets its response, whichever instance audits;
//! nothing is stored twice.

use std::sync::atomic::Ordering;
use std::time::Duration;

use reportdeck::service::{AuditTimes, DEFAULT_MAX_AUDITS, StoreAddress};
use reqwest::Method;
use tokio::task::JoinHandle;

use crate::engines::postgres_failures::LIST;
use crate::support::embedded_service::{Answer, Running};
use crate::support::postgres::{self, connect, count, new_database, wait_for_count};
use crate::support::waiting::until;

/// Long enough for any of these tests on any machine.
const LONG: AuditTimes = AuditTimes {
    wait: Duration::from_secs(100),
    lease: Duration::from_secs(30),
    commit_retry: Duration::from_secs(20),
    clean: Duration::from_mins(10),
};
/// Requests give up soon.
const IMPATIENT: AuditTimes = AuditTimes { wait: Duration::from_millis(300), ..LONG };
/// A lost lease is noticed soon, but not lost because of the pauses of a busy machine.
const SHORT_LEASE: AuditTimes = AuditTimes { lease: Duration::from_secs(4), ..LONG };

async fn on(url: &str, times: AuditTimes) -> Running {
    Running::with_times(StoreAddress::Postgres(url.into()), times).await.unwrap()
}

/// Starts two instances on a new database, and opens a connection to it. `None` without a server.
async fn pair(times: AuditTimes) -> Option<(Running, Running, tokio_postgres::Client)> {
    if !postgres::is_there() {
        return None;
    }
    let url = new_database().await;
    Some((on(&url, times).await, on(&url, times).await, connect(&url).await))
}

fn create(running: &Running, url: impl Into<String>) -> JoinHandle<Answer> {
    let (client, url) = (running.client.clone(), url.into());
    tokio::spawn(async move { client.send(Method::POST, LIST, &[("url", url.as_str())]).await })
}

async fn settle(client: &tokio_postgres::Client, query: &str, expected: i64) {
    wait_for_count(client, query, |count| count == expected).await;
}

/// The audits an instance runs at the same time.
const SLOTS: usize = DEFAULT_MAX_AUDITS;
const WAITING: &str = "SELECT count(*) FROM audits WHERE state = 0";
const RUNNING: &str = "SELECT count(*) FROM audits WHERE state = 1";
const ENDED: &str = "SELECT count(*) FROM audits WHERE state = 2";
const REPORTS: &str = "SELECT count(*) FROM reports";
/// When the lease of the only host ends.
const HELD: &str = "SELECT next_at FROM hosts";
/// Counts the connections that listen for notifications.
const LISTENING: &str =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN audit'";

fn started_audits(running: &Running) -> usize {
    running.script.begun.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_page_waits_for_another_of_its_host_on_another_instance() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    let first = create(&one, "https://slow.example/1");
    settle(&client, RUNNING, 1).await;
    let second = create(&other, "https://slow.example/2");
    let third = create(&one, "https://slow.example/3");
    settle(&client, WAITING, 2).await;
    // A page of another host does not wait.
    other.client.create("https://shop.example/").await;
    assert_eq!((started_audits(&one), started_audits(&other)), (1, 1));
    // Either instance may audit the remaining ones.
    for script in [&one.script, &other.script] {
        script.end.add_permits(3);
    }
    for created in [first, second, third] {
        created.await.unwrap().expect(201);
    }
    assert_eq!(started_audits(&one) + started_audits(&other), 4, "each page once");
    assert_eq!(one.client.get(LIST).await.expect(200).data().len(), 4);
    settle(&client, "SELECT count(*) FROM audits WHERE purpose <> ''", 0).await;
}

#[tokio::test]
async fn audits_with_a_waiting_client_precede_those_whose_client_disconnected() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    let first = create(&one, "https://slow.example/1");
    settle(&client, RUNNING, 1).await;
    let gone = create(&one, "https://slow.example/2");
    settle(&client, WAITING, 1).await;
    let waits = create(&other, "https://slow.example/3");
    settle(&client, WAITING, 2).await;
    gone.abort();
    settle(&client, "SELECT count(*) FROM audits WHERE priority > 0", 1).await;
    one.script.end.add_permits(1);
    first.await.unwrap().expect(201);
    settle(&client, RUNNING, 1).await;
    let next = if started_audits(&one) == 2 { &one } else { &other };
    next.script.end.add_permits(1);
    waits.await.unwrap().expect(201);
    let stored = "SELECT count(*) FROM reports WHERE url LIKE '%slow.example/2'";
    assert_eq!((count(&client, REPORTS).await, count(&client, stored).await), (2, 0), "the other audit comes later");
    for script in [&one.script, &other.script] {
        script.end.add_permits(1);
    }
    settle(&client, stored, 1).await;
}

#[tokio::test]
async fn a_request_gets_its_response_even_if_another_instance_audits_the_page() {
    let Some((one, other, _client)) = pair(LONG).await else { return };
    let running = fill(&one, &other).await;
    let before = started_audits(&other);
    let refused = create(&one, "https://refused.example/");
    let created = create(&one, "https://shop.example/?score=31");
    assert_eq!(created.await.unwrap().expect(201).body["data"]["score"], 31);
    assert_eq!(refused.await.unwrap().expect(422).refused(), ["url"]);
    assert_eq!((started_audits(&one), started_audits(&other)), (SLOTS, before + 2));
    one.script.end.add_permits(SLOTS);
    for created in running {
        created.await.unwrap().expect(201);
    }
}

/// Occupies all slots of an instance, so that the other one audits its next request. The other instance may claim one of
/// these audits first; it ends there and the next one follows.
async fn fill(one: &Running, other: &Running) -> Vec<JoinHandle<Answer>> {
    let mut running = Vec::new();
    for number in 1.. {
        let created = create(one, format!("https://{number}.slow.example/"));
        until("the audit starts", async || started_audits(one) + started_audits(other) == number).await;
        if started_audits(one) > running.len() {
            running.push(created);
        } else {
            other.script.end.add_permits(1);
            created.await.unwrap().expect(201);
        }
        if running.len() == SLOTS {
            break;
        }
    }
    running
}

#[tokio::test]
async fn the_response_is_the_stored_result_even_if_the_report_was_deleted_since() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    let _running = fill(&one, &other).await;
    let delete = "CREATE FUNCTION delete_it() RETURNS trigger LANGUAGE plpgsql AS \
                  'BEGIN DELETE FROM reports; RETURN NULL; END'; \
                  CREATE TRIGGER delete_it AFTER UPDATE ON audits FOR EACH ROW WHEN (NEW.state = 2) \
                  EXECUTE FUNCTION delete_it()";
    client.batch_execute(delete).await.unwrap();
    let before = started_audits(&other);
    let created = create(&one, "https://shop.example/?score=31").await.unwrap().expect(201);
    assert_eq!((&created.body["data"]["score"], started_audits(&other)), (&31.into(), before + 1));
    assert_eq!(count(&client, REPORTS).await, 0);
}

#[tokio::test]
async fn the_audit_of_a_disconnected_client_is_still_performed() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    let first = create(&one, "https://slow.example/1");
    settle(&client, RUNNING, 1).await;
    let second = create(&one, "https://slow.example/2");
    settle(&client, WAITING, 1).await;
    first.abort();
    second.abort();
    one.script.end.add_permits(2);
    other.script.end.add_permits(2);
    settle(&client, ENDED, 2).await;
    assert_eq!(count(&client, REPORTS).await, 2);
}

#[tokio::test]
async fn an_audit_is_cancelled_after_a_503_whether_waiting_or_running() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    let (one, other, patient) = (on(&url, IMPATIENT).await, on(&url, IMPATIENT).await, on(&url, LONG).await);
    let client = connect(&url).await;
    let runs = create(&one, "https://slow.example/1");
    // Running, or already cancelled.
    settle(&client, "SELECT count(*) FROM audits WHERE state > 0", 1).await;
    let waits = create(&other, "https://slow.example/2");
    for answer in [runs, waits] {
        let answer = answer.await.unwrap().expect(503);
        assert_eq!(answer.headers["retry-after"], "5");
        assert!(answer.body["message"].as_str().unwrap().contains("Nothing was changed"), "{answer:?}");
    }
    settle(&client, "SELECT count(*) FROM audits WHERE state = 3 AND purpose = ''", 2).await;
    for instance in [&one, &other, &patient] {
        instance.script.end.add_permits(2);
    }
    // The host is free again.
    patient.client.create("https://slow.example/3").await;
    assert_eq!(count(&client, REPORTS).await, 1);
}

#[tokio::test]
async fn a_running_audit_stops_when_its_request_gives_up() {
    // No lease is extended meanwhile.
    let times = AuditTimes { wait: Duration::from_secs(2), lease: Duration::from_hours(1), ..LONG };
    let Some((one, other, client)) = pair(times).await else { return };
    drop(other);
    let created = create(&one, "https://slow.example/");
    until("the audit starts", async || started_audits(&one) == 1).await;
    created.await.unwrap().expect(503);
    one.script.end.add_permits(1);
    settle(&client, "SELECT count(*) FROM hosts WHERE next_at > extract(epoch FROM now()) * 1000", 0).await;
    assert_eq!(one.script.end.available_permits(), 1, "the audit of the page did not go on");
}

#[tokio::test]
async fn a_late_result_is_rejected_and_the_request_gets_that_of_the_next_attempt() {
    let Some((one, other, client)) = pair(SHORT_LEASE).await else { return };
    let created = create(&one, "https://slow.example/");
    settle(&client, RUNNING, 1).await;
    // Simulates that it was taken over while its worker was frozen.
    client.batch_execute("UPDATE audits SET attempt = 2, worker = 'another'").await.unwrap();
    one.script.end.add_permits(9);
    other.script.end.add_permits(9);
    let answer = created.await.unwrap().expect(201);
    assert_eq!(answer.body["data"]["history"], serde_json::json!([]));
    assert_eq!(count(&client, REPORTS).await, 1);
    assert_eq!(count(&client, "SELECT attempt::bigint FROM audits").await, 3);
}

#[tokio::test]
async fn audits_whose_leases_have_expired_end_instead_of_having_them_extended() {
    let Some((one, other, client)) = pair(SHORT_LEASE).await else { return };
    drop(other);
    // Without a free slot the instance requeues no audits.
    let created: Vec<_> = (0..SLOTS).map(|number| create(&one, format!("https://{number}.slow.example/"))).collect();
    settle(&client, RUNNING, i64::try_from(SLOTS).unwrap()).await;
    client.batch_execute("UPDATE audits SET lease_until = 1; UPDATE hosts SET next_at = 1").await.unwrap();
    settle(&client, "SELECT count(*) FROM audits WHERE attempt = 1", 0).await;
    one.script.end.add_permits(SLOTS);
    for created in created {
        created.await.unwrap().expect(201);
    }
}

#[tokio::test]
async fn an_audit_that_ends_does_not_free_a_host_that_another_audit_holds() {
    // No lease is extended meanwhile.
    let Some((one, _other, client)) = pair(AuditTimes { lease: Duration::from_hours(1), ..LONG }).await else { return };
    let created = create(&one, "https://slow.example/");
    settle(&client, RUNNING, 1).await;
    // Simulates that its lease expired, and that another audit of the host was claimed.
    client.batch_execute("UPDATE hosts SET next_at = next_at + 1").await.unwrap();
    let held = count(&client, HELD).await;
    one.script.end.add_permits(1);
    created.await.unwrap().expect(201);
    assert_eq!(count(&client, HELD).await, held);
}

#[tokio::test]
async fn a_page_that_crashes_three_workers_is_given_up_and_its_request_says_so() {
    let Some((one, _other, client)) = pair(SHORT_LEASE).await else { return };
    let created = create(&one, "https://slow.example/");
    settle(&client, RUNNING, 1).await;
    client.batch_execute("UPDATE audits SET attempt = 3, lease_until = 1").await.unwrap();
    let answer = created.await.unwrap().expect(500);
    assert!(answer.body["message"].as_str().unwrap().contains("three workers"), "{answer:?}");
    assert_eq!(count(&client, REPORTS).await, 0);
}

/// To a reader, a clock that was set back looks like times in the future.
#[tokio::test]
async fn a_clock_that_was_set_back_blocks_neither_a_host_nor_an_audit_whose_worker_was_lost() {
    let Some((one, _other, client)) = pair(LONG).await else { return };
    for url in ["https://shop.example/", "https://tea.example/"] {
        one.client.create(url).await;
    }
    let a_year_ahead = "UPDATE hosts SET next_at = next_at + 31536000000; \
        INSERT INTO audits (host, priority, purpose, state, attempt, worker, lease_until) \
        SELECT host, 0, '{\"url\":\"https://tea.example/lost\",\"purpose\":{\"create\":{\"privacy\":0,\"password_hash\":null}}}', \
        1, 1, 'lost', next_at FROM hosts WHERE host = 'tea.example'";
    client.batch_execute(a_year_ahead).await.unwrap();
    one.client.create("https://shop.example/again").await;
    settle(&client, REPORTS, 4).await;
}

#[tokio::test]
async fn a_refused_url_is_not_kept_in_the_queue() {
    let Some((one, _other, client)) = pair(LONG).await else { return };
    // With a password, and too long and too varied for the entry of an index.
    let path: String = (0..1_900).filter_map(|number| char::from_u32(0x4e00 + number * 7_919 % 20_000)).collect();
    create(&one, format!("https://ana:hunter2@refused.example/{path}")).await.unwrap().expect(422);
    let kept = "SELECT count(*) FROM audits JOIN hosts USING (host) WHERE host || purpose || outcome LIKE '%hunter2%'";
    assert_eq!((count(&client, ENDED).await, count(&client, kept).await), (1, 0));
}

#[tokio::test]
async fn without_notifications_requests_fall_back_to_polling_and_listening_resumes() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    settle(&client, LISTENING, 2).await;
    let first = create(&one, "https://slow.example/1");
    settle(&client, RUNNING, 1).await;
    let second = create(&other, "https://slow.example/2");
    settle(&client, WAITING, 1).await;
    let cut = LISTENING.replace("count(*)", "count(pg_terminate_backend(pid))");
    assert_eq!(count(&client, &cut).await, 2);
    one.script.end.add_permits(2);
    other.script.end.add_permits(2);
    first.await.unwrap().expect(201);
    second.await.unwrap().expect(201);
    settle(&client, LISTENING, 2).await;
}

#[tokio::test]
async fn a_stopping_instance_finishes_the_audits_of_waiting_requests_and_leaves_the_rest() {
    let Some((one, other, client)) = pair(LONG).await else { return };
    drop(other);
    let first = create(&one, "https://slow.example/1");
    settle(&client, RUNNING, 1).await;
    let second = create(&one, "https://slow.example/2");
    settle(&client, WAITING, 1).await;
    let third = create(&one, "https://slow.example/3");
    settle(&client, WAITING, 2).await;
    let stopping = tokio::spawn(one.service.shut_down());
    one.script.end.add_permits(1);
    first.await.unwrap().expect(201);
    settle(&client, RUNNING, 1).await;
    // A more urgent audit of a free host is left to other instances, and there are none.
    let planned = r#"INSERT INTO hosts (host, next_at) VALUES ('shop.example', 0);
        UPDATE audits SET priority = 1 WHERE state = 0;
        INSERT INTO audits (host, priority, purpose) VALUES ('shop.example', 0,
        '{"url":"https://shop.example/","purpose":{"create":{"privacy":0,"password_hash":null}}}')"#;
    client.batch_execute(planned).await.unwrap();
    one.script.end.add_permits(2);
    second.await.unwrap().expect(201);
    third.await.unwrap().expect(201);
    stopping.await.unwrap();
    assert_eq!((count(&client, WAITING).await, count(&client, REPORTS).await), (1, 3));
}

#[tokio::test]
async fn an_acknowledged_write_is_visible_on_every_instance_at_once() {
    let Some((one, other, _client)) = pair(LONG).await else { return };
    let path = format!("{LIST}/{}", one.client.create("https://shop.example/?score=31").await);
    for round in 0..20 {
        let (writes, reads) = if round % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let privacy = (round % 2).to_string();
        writes.client.send(Method::PUT, &path, &[("privacy", &privacy), ("results", "1")]).await.expect(200);
        let report = reads.client.get(&path).await.expect(200);
        assert_eq!(report.body["data"]["privacy"], round % 2);
        assert_eq!(report.body["data"]["history"].as_array().unwrap().len(), (round + 1).min(10));
        assert_eq!(reads.client.get(LIST).await.expect(200).data()[0]["privacy"], round % 2);
    }
    one.client.delete(&path).await.expect(200);
    other.client.get(&path).await.expect(404);
}
