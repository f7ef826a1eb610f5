//! Starting, stopping, keys, and several services on one database.

use std::sync::atomic::Ordering;

use reportdeck::service::{self, StartError, keys};
use reqwest::Method;
use secrecy::ExposeSecret;

use crate::support::embedded_service::{Client, KEY, Running, store_of};
use crate::support::waiting::until;

#[tokio::test]
async fn a_restart_keeps_everything() {
    let (running, data) = Running::start().await;
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    let before = running.client.get("/api/v1/reports/1").await.body;
    running.service.shut_down().await;
    let again = Running::on(data.path()).await;
    assert_eq!(again.client.get("/api/v1/reports/1").await.body, before);
    assert_eq!(again.client.create("https://shop.example/").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stopped_service_has_closed_its_database() {
    let data = tempfile::tempdir().unwrap();
    for round in 0..50 {
        let running = Running::on(data.path()).await;
        // Connections end on several threads concurrently. Every other service is stopped while it is still starting.
        let asked = (0..8 * (round % 2)).map(|_| running.client.get("/api/v1/reports"));
        futures_util::future::join_all(asked).await;
        running.service.shut_down().await;
        let mut left: Vec<_> = std::fs::read_dir(data.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["opening.lock", "reports.sqlite3", "reserve"], "round {round}");
    }
}

#[tokio::test]
async fn several_services_share_one_database() {
    let (first, data) = Running::start().await;
    let second = Running::on(data.path()).await;
    let writes = (0..20).map(|number| {
        let client = if number % 2 == 0 { &first.client } else { &second.client };
        async move { client.create(&format!("https://shop.example/{number}")).await }
    });
    let mut ids = futures_util::future::join_all(writes).await;
    ids.sort_unstable();
    assert_eq!(ids, (1..=20).collect::<Vec<_>>());
    first.client.delete("/api/v1/reports/3").await.expect(200);
    second.client.get("/api/v1/reports/3").await.expect(404);
    assert_eq!(second.client.get("/api/v1/projects").await.data()[0]["reports"], 19);
}

#[tokio::test]
async fn several_services_can_create_the_database_concurrently() {
    let data = tempfile::tempdir().unwrap();
    let started = futures_util::future::join_all((0..6).map(|_| Running::try_on(data.path()))).await;
    for running in started {
        running.unwrap().client.get("/api/v1/reports").await.expect(200);
    }
}

#[tokio::test]
async fn stored_keys_are_accepted_until_they_are_revoked() {
    let (running, data) = Running::start().await;
    let base = running.service.base_url();
    let key = keys::create(store_of(data.path()).await, keys::NewKey::admin("script")).await.unwrap();
    let key = key.expose_secret();
    assert_eq!(key.len(), "rdk_".len() + 64, "256 bits");
    let client = Client::new(&base, Some(key));
    client.get("/api/v1/reports").await.expect(200);
    assert!(matches!(
        keys::create(store_of(data.path()).await, keys::NewKey::admin("script")).await,
        Err(keys::KeyError::Taken(_))
    ));
    keys::revoke(store_of(data.path()).await, "script").await.unwrap();
    client.get("/api/v1/reports").await.expect(401);
    assert!(matches!(keys::revoke(store_of(data.path()).await, "script").await, Err(keys::KeyError::Missing(_))));
    let next = keys::create(store_of(data.path()).await, keys::NewKey::admin("script")).await.unwrap();
    assert_ne!(next.expose_secret(), key);
    client.get("/api/v1/reports").await.expect(401);
    Client::new(&base, Some(next.expose_secret())).get("/api/v1/reports").await.expect(200);
    let listed = keys::list(store_of(data.path()).await).await.unwrap();
    assert_eq!(listed.iter().map(|key| key.revoked_at.is_some()).collect::<Vec<_>>(), [true, false]);
    for name in ["", "  ", "two\nlines", "\u{202e}toor"] {
        assert!(
            matches!(
                keys::create(store_of(data.path()).await, keys::NewKey::admin(name)).await,
                Err(keys::KeyError::Name)
            ),
            "{name:?}"
        );
    }
}

#[tokio::test]
async fn keys_and_passwords_are_never_stored_in_plain_text() {
    let (running, data) = Running::start().await;
    let key = keys::create(store_of(data.path()).await, keys::NewKey::admin("script")).await.unwrap();
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "a-password-of-nobody")];
    running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    for entry in std::fs::read_dir(data.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for secret in [key.expose_secret(), KEY, "a-password-of-nobody"] {
            assert!(!text.contains(secret));
        }
    }
}

#[tokio::test]
async fn only_one_serve_can_use_a_data_directory() {
    let data = tempfile::tempdir().unwrap();
    let lock = service::lock_for_serve(data.path()).unwrap();
    let refused = service::lock_for_serve(data.path()).unwrap_err();
    assert!(matches!(refused, StartError::Served(_)));
    assert!(refused.to_string().contains("--data"), "{refused}");
    let running = Running::on(data.path()).await;
    running.client.get("/api/v1/reports").await.expect(200);
    drop(lock);
    service::lock_for_serve(data.path()).unwrap();
}

#[tokio::test]
async fn an_unusable_data_directory_is_reported_in_one_line() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let Err(error) = Running::try_on(&file).await else { panic!("it started") };
    assert!(error.to_string().contains("--data") && !error.to_string().contains('\n'), "{error}");
}

/// Waits until this many audits have started.
async fn wait_for_audits(running: &Running, audits: usize) {
    until("audits start", async || running.script.begun.load(Ordering::SeqCst) >= audits).await;
}

#[tokio::test]
async fn audits_run_concurrently_and_do_not_block_lists() {
    let (running, _data) = Running::start().await;
    let slow = (0..6).map(|number| {
        let client = running.client.clone();
        tokio::spawn(async move { client.create(&format!("https://{number}.slow.example/")).await })
    });
    let slow: Vec<_> = slow.collect();
    wait_for_audits(&running, service::DEFAULT_MAX_AUDITS).await;
    assert!(running.client.get("/api/v1/reports").await.expect(200).data().is_empty());
    assert_eq!(running.script.begun.load(Ordering::SeqCst), service::DEFAULT_MAX_AUDITS, "the other audits wait");
    running.script.end.add_permits(6);
    for task in slow {
        task.await.unwrap();
    }
    assert_eq!(running.client.get("/api/v1/reports").await.data().len(), 6);
}

#[tokio::test]
async fn an_audit_finishes_after_its_client_disconnects_or_the_service_stops() {
    let (running, data) = Running::start().await;
    let create = |url: &'static str| {
        let client = running.client.clone();
        tokio::spawn(async move { client.send(Method::POST, "/api/v1/reports", &[("url", url)]).await })
    };
    let gone = create("https://gone.slow.example/");
    wait_for_audits(&running, 1).await;
    gone.abort();
    let patient = create("https://patient.slow.example/");
    wait_for_audits(&running, 2).await;
    let stopping = tokio::spawn(running.service.shut_down());
    running.script.end.add_permits(2);
    patient.await.unwrap().expect(201);
    stopping.await.unwrap();
    let again = Running::on(data.path()).await;
    assert_eq!(again.client.get("/api/v1/reports").await.data().len(), 2);
}
