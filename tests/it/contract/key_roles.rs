//! Keys: their roles, their expiry, and the time of their last use.

use jiff::{SignedDuration, Timestamp};
use reportdeck::domain::desk::{Handle, Role};
use reportdeck::service::keys::{self, NewKey, PersonChange};
use reqwest::Method;
use secrecy::{ExposeSecret as _, SecretString};

use crate::support::embedded_service::{Client, Running, store_of};

#[tokio::test]
async fn a_viewer_reads_and_changes_nothing() {
    let (running, data) = Running::start().await;
    let id = running.client.create("https://shop.example/").await;
    let new = NewKey { role: Role::Viewer, ..NewKey::admin("wallboard") };
    let key = keys::create(store_of(data.path()).await, new).await.unwrap();
    let viewer = Client::new(&running.service.base_url(), Some(key.expose_secret()));
    let report = format!("/api/v1/reports/{id}");
    let before = viewer.get(&report).await.expect(200).body;
    // Every operation of the description, so that no new route is forgotten.
    let description = viewer.get("/api/v1/openapi.json").await.body;
    let mut refused = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let path = path.replace("{id}", &id.to_string()).replace("{name}", "shop.example");
            let path = format!("{}?service=1", path.replace("{service}", "1").replace("{report}", "1"));
            let method: Method = method.to_uppercase().parse().unwrap();
            let answer =
                viewer.send(method.clone(), &path, &[("url", "https://shop.example/b"), ("privacy", "1")]).await;
            if method == Method::GET {
                assert!(answer.status.as_u16() < 400, "{method} {path}: {answer:?}");
            } else {
                refused += 1;
                let answer = answer.expect(403);
                assert_eq!(answer.body["message"], "This key may only read: its role is viewer.", "{method} {path}");
            }
        }
    }
    assert!(refused >= 5, "{refused}");
    assert_eq!(viewer.get(&report).await.expect(200).body, before);
}

#[tokio::test]
async fn an_expired_key_is_refused_and_reserves_its_name_until_revoked() {
    let (running, data) = Running::start().await;
    let now = Timestamp::now();
    let expiring = |name, expires_at| NewKey { expires_at: Some(expires_at), ..NewKey::admin(name) };
    let past =
        keys::create(store_of(data.path()).await, expiring("past", now - SignedDuration::from_secs(1))).await.unwrap();
    let later = keys::create(store_of(data.path()).await, expiring("later", now + SignedDuration::from_hours(1)))
        .await
        .unwrap();
    let refusal = |key: &SecretString| {
        let client = Client::new(&running.service.base_url(), Some(key.expose_secret()));
        async move { client.get("/api/v1/reports").await }
    };
    refusal(&later).await.expect(200);
    let expired = refusal(&past).await.expect(401);
    assert_eq!(expired.body["message"], "The API key has expired.");
    keys::revoke(store_of(data.path()).await, "later").await.unwrap();
    let revoked = refusal(&later).await.expect(401);
    assert_eq!(revoked.body["message"], "The API key is revoked.");
    assert!(matches!(
        keys::create(store_of(data.path()).await, NewKey::admin("past")).await,
        Err(keys::KeyError::Taken(_))
    ));
    keys::revoke(store_of(data.path()).await, "past").await.unwrap();
    keys::create(store_of(data.path()).await, NewKey::admin("past")).await.unwrap();
}

#[tokio::test]
async fn the_last_use_of_a_key_is_stored() {
    let (running, data) = Running::start().await;
    let key = keys::create(store_of(data.path()).await, NewKey::admin("script")).await.unwrap();
    keys::create(store_of(data.path()).await, NewKey::admin("idle")).await.unwrap();
    let client = Client::new(&running.service.base_url(), Some(key.expose_secret()));
    let before = Timestamp::now() - SignedDuration::from_secs(1);
    for _ in 0..3 {
        client.get("/api/v1/reports").await.expect(200);
    }
    // Stopping waits for pending writes.
    running.service.shut_down().await;
    let listed = keys::list(store_of(data.path()).await).await.unwrap();
    let used = |name: &str| listed.iter().find(|key| key.name == name).unwrap().last_used_at;
    assert!(used("script").is_some_and(|at| at > before), "{listed:?}");
    assert_eq!(used("idle"), None);
}

#[tokio::test]
async fn a_revoked_key_keeps_its_end_and_its_last_use() {
    let (running, data) = Running::start().await;
    let store = async || store_of(data.path()).await;
    let ben: Handle = "ben".parse().unwrap();
    let laptop = || NewKey { person: Some(ben.clone()), ..NewKey::admin("laptop") };
    let lost = keys::create(store().await, laptop()).await.unwrap();
    keys::revoke(store().await, "laptop").await.unwrap();
    let first = async || keys::list(store().await).await.unwrap().into_iter().find(|key| key.name == "laptop").unwrap();
    let revoked = first().await;
    Client::new(&running.service.base_url(), Some(lost.expose_secret())).get("/api/v1/reports").await.expect(401);
    // Its name is used for another key, which is revoked too; then its owner leaves.
    keys::create(store().await, laptop()).await.unwrap();
    keys::revoke(store().await, "laptop").await.unwrap();
    keys::create(store().await, laptop()).await.unwrap();
    let leave = PersonChange { name: None, is_here: Some(false) };
    keys::change_person(store().await, &ben, leave).await.unwrap();
    // Stopping waits for pending writes.
    running.service.shut_down().await;
    assert_eq!(first().await, revoked);
}
