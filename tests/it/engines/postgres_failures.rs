//! Failures of a separate database server: ended connections, downtime, load, newer versions, missing permissions.

use std::time::Duration;

use futures_util::future::join_all;
use reportdeck::service::keys::{self, NewKey};
use reportdeck::service::seed::{SeedRow, seed};
use reportdeck::service::{AuditTimes, OpenError, Proxies, StartError, StoreAddress, transfers};
use reqwest::Method;
use secrecy::ExposeSecret as _;

use crate::support::embedded_service::{Client, KEY, Running};
use crate::support::postgres::{self, connect, count, new_database, sql, wait_for_count};

pub const LIST: &str = "/api/v1/reports";
/// The lock that writers of all instances acquire.
const WRITERS_LOCK: &str = "SELECT pg_advisory_xact_lock(x'7265706f72747301'::bigint)";
/// All other connections to this database.
const OTHERS: &str = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

pub async fn try_on(url: &str) -> Result<Running, StartError> {
    Running::on_store(StoreAddress::Postgres(url.into()), None, Proxies::default()).await
}

/// Starts a service on a new database; returns it with the database's URL. `None` without a server.
async fn start() -> Option<(Running, String)> {
    if !postgres::is_there() {
        return None;
    }
    let url = new_database().await;
    Some((try_on(&url).await.unwrap(), url))
}

/// Returns the URL of the maintenance database on the same server.
fn maintenance_url(url: &str) -> String {
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/postgres")
}

#[tokio::test]
async fn connections_closed_by_the_server_are_replaced() {
    let Some((running, url)) = start().await else { return };
    for _ in 0..3 {
        join_all((0..8).map(|_| running.client.get(LIST))).await;
        sql(&url, &format!("SELECT pg_terminate_backend(pid) {OTHERS}")).await;
        running.client.get(LIST).await.expect(200);
        running.client.create("https://shop.example/").await;
    }
}

#[tokio::test]
async fn an_unavailable_database_gives_503_until_it_is_back() {
    let Some((running, url)) = start().await else { return };
    let id = running.client.create("https://shop.example/").await;
    let (name, maintenance_url) = (url.rsplit('/').next().unwrap().to_owned(), maintenance_url(&url));
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
    sql(&maintenance_url, &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        .await;
    let path = format!("{LIST}/{id}");
    let anonymous = Client::new(&running.service.base_url(), None);
    let form = [("url", "https://shop.example/new")];
    let answers = [
        running.client.get(LIST).await,
        running.client.send(Method::POST, LIST, &form).await,
        running.client.send(Method::PUT, &path, &[("privacy", "1")]).await,
        running.client.delete(&path).await,
        anonymous.get("/health").await,
    ];
    for answer in answers {
        let answer = answer.expect(503);
        assert_eq!(answer.headers["retry-after"], "2");
        let message = answer.body["message"].as_str().unwrap();
        assert!(message.contains("database cannot be reached. Nothing was changed"), "{message}");
    }
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).await;
    anonymous.get("/health").await.expect(200);
    assert_eq!(running.client.get(LIST).await.expect(200).ids(), [id], "nothing was written");
}

#[tokio::test]
async fn an_audit_that_ends_while_the_database_is_unavailable_is_stored_later() {
    let Some((running, url)) = start().await else { return };
    let (name, maintenance_url) = (url.rsplit('/').next().unwrap().to_owned(), maintenance_url(&url));
    let anonymous = Client::new(&running.service.base_url(), None);
    let client = running.client.clone();
    let created = tokio::spawn(async move { client.create("https://slow.example/").await });
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, "SELECT count(*) FROM audits WHERE state = 1", |running| running > 0).await;
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
    sql(&maintenance_url, &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        .await;
    anonymous.get("/health").await.expect(503);
    running.script.end.add_permits(1);
    // Storing has been attempted, possibly more than once.
    for _ in 0..5 {
        anonymous.get("/health").await.expect(503);
    }
    assert!(!created.is_finished());
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).await;
    let id = created.await.unwrap();
    assert_eq!(running.client.get(LIST).await.expect(200).ids(), [id]);
    assert_eq!(running.script.begun.load(std::sync::atomic::Ordering::SeqCst), 1, "audited once");
}

#[tokio::test]
async fn an_audit_that_ends_while_other_writes_block_the_database_is_stored_later() {
    let Some((running, url)) = start().await else { return };
    let client = running.client.clone();
    let created = tokio::spawn(async move { client.create("https://slow.example/").await });
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, "SELECT count(*) FROM audits WHERE state = 1", |running| running > 0).await;
    let other = connect(&url).await;
    other.batch_execute(&format!("BEGIN; {WRITERS_LOCK}")).await.unwrap();
    running.script.end.add_permits(1);
    let waiting = format!("SELECT count(*) {OTHERS} AND wait_event_type = 'Lock'");
    wait_for_count(&onlooker, &waiting, |writes| writes > 0).await;
    // The first attempt gives up after eight seconds.
    wait_for_count(&onlooker, &waiting, |writes| writes == 0).await;
    other.batch_execute("COMMIT").await.unwrap();
    let id = created.await.unwrap();
    assert_eq!(running.client.get(LIST).await.expect(200).ids(), [id]);
    assert_eq!(running.script.begun.load(std::sync::atomic::Ordering::SeqCst), 1, "audited once");
}

#[tokio::test]
async fn an_abandoned_commit_of_a_result_is_reported_and_the_audit_repeated() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    let times =
        AuditTimes { lease: Duration::from_secs(2), commit_retry: Duration::from_millis(100), ..AuditTimes::default() };
    let running = Running::with_times(StoreAddress::Postgres(url.as_str().into()), times).await.unwrap();
    let (name, maintenance_url) = (url.rsplit('/').next().unwrap().to_owned(), maintenance_url(&url));
    let client = running.client.clone();
    let created =
        tokio::spawn(async move { client.send(Method::POST, LIST, &[("url", "https://slow.example/")]).await });
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, "SELECT count(*) FROM audits WHERE state = 1", |running| running > 0).await;
    drop(onlooker);
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false")).await;
    sql(&maintenance_url, &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        .await;
    running.script.end.add_permits(1);
    let answer = created.await.unwrap().expect(500);
    assert!(answer.body["message"].as_str().unwrap().contains("may have been"), "{answer:?}");
    sql(&maintenance_url, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).await;
    // The lease has expired, and the audit is claimed again.
    running.script.end.add_permits(1);
    while running.client.get(LIST).await.body["data"].as_array().is_none_or(Vec::is_empty) {}
    assert_eq!(running.client.get(LIST).await.expect(200).ids().len(), 1, "stored once");
    assert_eq!(running.script.begun.load(std::sync::atomic::Ordering::SeqCst), 2, "the second attempt");
}

#[tokio::test]
async fn an_unreachable_server_is_reported_with_its_address_but_no_password() {
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().to_str().unwrap().replace('/', "%2F").replace(' ', "%20");
    let Err(error) = try_on(&format!("postgres://team:a-password@{host}/reports")).await else { panic!("it started") };
    let error = error.to_string();
    assert!(error.contains("reports on /") && error.contains("that its server is running"), "{error}");
    assert!(!error.contains("a-password") && !error.contains('\n'), "{error}");
}

#[tokio::test]
async fn a_refused_login_is_reported_as_such() {
    if !postgres::is_there() {
        return;
    }
    let url = postgres::new_database().await.replacen("postgres@", "stranger:a-password@", 1);
    let Err(error) = try_on(&url).await else { panic!("it started") };
    let error = error.to_string();
    assert!(error.contains("refuses the login") && error.contains("stranger"), "{error}");
    assert!(!error.contains("a-password") && !error.contains("reached"), "{error}");
}

#[tokio::test]
async fn requests_blocked_by_a_long_write_get_503_and_write_nothing() {
    let Some((running, url)) = start().await else { return };
    let id = running.client.create("https://shop.example/").await;
    let path = format!("{LIST}/{id}");
    for number in 0..6 {
        running.client.create(&format!("https://rerun{number}.example/")).await;
    }
    let before = running.client.get(LIST).await.body;
    let other = connect(&url).await;
    other.batch_execute(&format!("BEGIN; {WRITERS_LOCK}")).await.unwrap();
    let writes = (0..24).map(|number| {
        let (client, path) = (running.client.clone(), path.clone());
        // Audits of one host run in turn, so an unstored one blocks the next for seconds.
        let (url, rerun) = (format!("https://{number}.example/"), format!("{LIST}/{}", id + 1 + number / 4));
        tokio::spawn(async move {
            match number % 4 {
                0 => client.send(Method::POST, LIST, &[("url", &url)]).await,
                1 => client.send(Method::PUT, &path, &[("privacy", "1")]).await,
                2 => client.send(Method::PUT, &rerun, &[("results", "1")]).await,
                _ => client.delete(&path).await,
            }
        })
    });
    let writes: Vec<_> = writes.collect();
    // More writes than connections: reads are served meanwhile.
    let waiting = format!("SELECT count(*) {OTHERS} AND wait_event_type = 'Lock'");
    // A separate connection: within a transaction the server's statistics do not change after the first read.
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, &waiting, |writes| writes > 0).await;
    // At once, because writes give up after some seconds, also on a busy machine.
    for read in join_all((0..20).map(|_| running.client.get(LIST))).await {
        read.expect(200);
    }
    assert!(writes.iter().all(|write| !write.is_finished()), "reads do not wait for writes");
    for answer in join_all(writes).await {
        let answer = answer.unwrap().expect(503);
        assert_eq!(answer.headers["retry-after"], "2");
        assert!(answer.body["message"].as_str().unwrap().contains("Nothing was changed"), "{answer:?}");
    }
    let client = &running.client;
    other.batch_execute("COMMIT").await.unwrap();
    assert_eq!(client.get(LIST).await.body, before, "nothing was written");
    client.delete(&path).await.expect(200);
}

/// Makes the commit of a change or a new report wait until the server ends the connection.
const WAITING_COMMIT: &str = "
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER wait AFTER INSERT OR UPDATE ON reports DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait()";

#[tokio::test]
async fn a_write_with_an_unconfirmed_commit_is_reported_as_such() {
    let Some((running, url)) = start().await else { return };
    let path = format!("{LIST}/{}", running.client.create("https://shop.example/").await);
    sql(&url, WAITING_COMMIT).await;
    let client = running.client.clone();
    let answer = tokio::spawn(async move { client.send(Method::PUT, &path, &[("privacy", "1")]).await });
    let other = connect(&url).await;
    let terminate = format!("SELECT count(pg_terminate_backend(pid)) {OTHERS} AND wait_event = 'PgSleep'");
    wait_for_count(&other, &terminate, |terminated| terminated > 0).await;
    let answer = answer.await.unwrap().expect(500);
    assert!(answer.body["message"].as_str().unwrap().contains("check before repeating it"), "{answer:?}");
    assert!(!answer.headers.contains_key("retry-after"), "it must not be repeated blindly");
}

#[tokio::test]
async fn commands_say_that_an_unconfirmed_write_may_have_been_saved() {
    let Some((_running, url)) = start().await else { return };
    let on_keys = "CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON keys DEFERRABLE INITIALLY DEFERRED
                   FOR EACH ROW EXECUTE FUNCTION wait()";
    sql(&url, &format!("{WAITING_COMMIT}; {on_keys}")).await;
    let source = tempfile::tempdir().unwrap();
    let row = SeedRow {
        url: "https://shop.example/".to_owned(),
        project: "shop.example".to_owned(),
        score: 1,
        generated_at: jiff::Timestamp::UNIX_EPOCH,
        failed: Vec::new(),
    };
    seed(source.path(), std::iter::once(row)).unwrap();
    let store = || StoreAddress::Postgres(url.as_str().into());
    let other = connect(&url).await;
    let terminate = format!("SELECT count(pg_terminate_backend(pid)) {OTHERS} AND wait_event = 'PgSleep'");
    let terminated = || wait_for_count(&other, &terminate, |terminated| terminated > 0);
    let (created, ()) = tokio::join!(keys::create(store(), NewKey::admin("ana")), terminated());
    let (imported, ()) = tokio::join!(transfers::import(source.path().into(), store()), terminated());
    for message in [created.unwrap_err().to_string(), imported.unwrap_err().to_string()] {
        assert!(message.contains("It may have been saved: check before repeating it"), "{message}");
        assert!(!message.contains("Nothing was saved"), "{message}");
    }
}

#[tokio::test]
async fn the_result_of_an_audit_is_stored_once_despite_an_unconfirmed_commit() {
    let Some((running, url)) = start().await else { return };
    sql(&url, WAITING_COMMIT).await;
    let client = running.client.clone();
    let created = tokio::spawn(async move { client.create("https://shop.example/").await });
    let other = connect(&url).await;
    let waiting = format!("SELECT count(*) {OTHERS} AND wait_event = 'PgSleep'");
    wait_for_count(&other, &waiting, |commits| commits > 0).await;
    // The next commit does not wait.
    other
        .batch_execute("CREATE OR REPLACE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        .await
        .unwrap();
    other
        .batch_execute(&format!("SELECT pg_terminate_backend(pid) {OTHERS} AND wait_event = 'PgSleep'"))
        .await
        .unwrap();
    let id = created.await.unwrap();
    assert_eq!(running.client.get(LIST).await.expect(200).ids(), [id]);
}

#[tokio::test]
async fn disconnected_clients_leave_no_open_transaction_and_a_stopped_service_no_connection() {
    let Some((running, url)) = start().await else { return };
    let id = running.client.create("https://shop.example/").await;
    for _ in 0..20 {
        let client = running.client.clone();
        let request = tokio::spawn(async move {
            client.get(LIST).await;
            client.send(Method::PUT, &format!("{LIST}/{id}"), &[("privacy", "1")]).await
        });
        tokio::task::yield_now().await;
        request.abort();
    }
    let other = connect(&url).await;
    let open = format!("SELECT count(*) {OTHERS} AND state <> 'idle'");
    wait_for_count(&other, &open, |open| open == 0).await;
    running.client.get(LIST).await.expect(200);
    running.service.shut_down().await;
    let all = format!("SELECT count(*) {OTHERS}");
    wait_for_count(&other, &all, |all| all == 0).await;
}

#[tokio::test]
async fn a_deletion_is_finished_although_its_client_disconnects() {
    let Some((running, url)) = start().await else { return };
    let (client, holder, other) = (running.client.clone(), connect(&url).await, connect(&url).await);
    let path = format!("{LIST}/{}", client.create("https://shop.example/").await);
    holder.batch_execute(&format!("BEGIN; {WRITERS_LOCK}")).await.unwrap();
    let deletion = tokio::spawn(async move { client.delete(&path).await });
    wait_for_count(&other, &format!("SELECT count(*) {OTHERS} AND wait_event = 'advisory'"), |count| count == 1).await;
    deletion.abort();
    running.client.get(LIST).await.expect(200);
    holder.batch_execute("ROLLBACK").await.unwrap();
    wait_for_count(&other, "SELECT count(*) FROM reports", |count| count == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_are_exact_under_concurrent_writers_of_several_instances() {
    let Some((first, url)) = start().await else { return };
    let second = try_on(&url).await.unwrap();
    let clients = [&first.client, &second.client];
    let writer = |writer: usize| async move {
        let client = clients[writer % 2];
        for round in 0..12 {
            let project = (writer + round) % 3;
            let path = format!("{LIST}/{}", client.create(&format!("https://shop{project}.example/{round}")).await);
            client.send(Method::PUT, &path, &[("results", "1")]).await;
            match round % 4 {
                0 => drop(client.delete(&path).await),
                1 => drop(client.delete(&format!("/api/v1/projects/shop{}.example", (project + 1) % 3)).await),
                _ => {}
            }
        }
    };
    join_all((0..6).map(writer)).await;
    let other = connect(&url).await;
    let wrong = "SELECT count(*) FROM projects WHERE (reports, good, decent, bad) <> \
                 (SELECT count(*), count(*) FILTER (WHERE result = 2), count(*) FILTER (WHERE result = 1), \
                 count(*) FILTER (WHERE result = 0) FROM reports WHERE project_id = projects.id) OR reports = 0";
    assert_eq!(count(&other, wrong).await, 0);
    assert_eq!(count(&other, "SELECT max(id) FROM reports").await, 6 * 12, "no number was skipped");
    let listed = first.client.get(LIST).await.body["meta"]["total"].as_i64();
    assert_eq!(listed, Some(count(&other, "SELECT count(*) FROM reports").await));
}

#[tokio::test]
async fn keys_and_passwords_are_never_stored_in_plain_text() {
    let Some((running, url)) = start().await else { return };
    let key = keys::create(StoreAddress::Postgres(url.as_str().into()), NewKey::admin("script")).await.unwrap();
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "a-password-of-nobody")];
    running.client.send(Method::POST, LIST, &form).await.expect(201);
    let rows = "SELECT (SELECT string_agg(keys::text, ' ') FROM keys) || (SELECT string_agg(reports::text, ' ') FROM reports) \
                || (SELECT string_agg(results::text, ' ') FROM results)";
    let rows: String = connect(&url).await.query_one(rows, &[]).await.unwrap().get(0);
    assert!(rows.contains("script") && rows.contains("argon2id"), "{rows}");
    for secret in [key.expose_secret(), KEY, "a-password-of-nobody"] {
        assert!(!rows.contains(secret), "{rows}");
    }
}

#[tokio::test]
async fn a_newer_database_is_used_only_if_it_declares_itself_compatible() {
    let Some((running, url)) = start().await else { return };
    running.service.shut_down().await;
    sql(&url, "UPDATE store_format SET version = 99").await;
    assert!(try_on(&url).await.is_ok(), "a later version with additions only");
    sql(&url, "UPDATE store_format SET compatible_from = 99").await;
    let Err(StartError::Open(error @ OpenError::Newer { found: 99, .. })) = try_on(&url).await else {
        panic!("it started")
    };
    assert!(error.to_string().contains("Update reportdeck"), "{error}");
}

#[tokio::test]
async fn a_store_opens_while_another_process_writes() {
    let Some((running, url)) = start().await else { return };
    let writer = connect(&url).await;
    writer.batch_execute(&format!("BEGIN; {WRITERS_LOCK}")).await.unwrap();
    let second = try_on(&url).await.unwrap();
    second.client.get(LIST).await.expect(200);
    writer.batch_execute("ROLLBACK").await.unwrap();
    drop(running);
}

#[tokio::test]
async fn a_database_with_tables_of_another_program_is_refused_and_not_changed() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    sql(&url, "CREATE TABLE reports (pages text)").await;
    let Err(error) = try_on(&url).await else { panic!("it started") };
    assert!(error.to_string().contains("Create a separate database for reportdeck"), "{error}");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(count(&connect(&url).await, tables).await, 1);
}

#[tokio::test]
async fn without_permission_to_add_an_extension_searches_work_without_an_index() {
    if !postgres::is_there() {
        return;
    }
    let url = new_database().await;
    let role = format!("limited_{}", url.rsplit('/').next().unwrap());
    sql(&url, &format!("CREATE ROLE {role} LOGIN; GRANT CREATE ON SCHEMA public TO {role}")).await;
    let running = try_on(&url.replace("postgres@", &format!("{role}@"))).await.unwrap();
    running.client.create("https://shop.example/green-tea").await;
    assert_eq!(running.client.get(&format!("{LIST}?search=GREEN")).await.expect(200).ids(), [1]);
    let other = connect(&url).await;
    let extensions = "SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'";
    assert_eq!(count(&other, extensions).await, 0);
    drop(running);
    // An administrator can add it later: the next start creates the index.
    let again = try_on(&url).await.unwrap();
    assert_eq!(count(&other, "SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%_by_trigrams'").await, 2);
    assert_eq!(again.client.get(&format!("{LIST}?search=GREEN")).await.expect(200).ids(), [1]);
}
