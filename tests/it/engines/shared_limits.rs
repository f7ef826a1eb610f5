//! Limits of two instances on one database: requests are counted together, and revocations apply to both.

use futures_util::future::join_all;
use reportdeck::service::{Proxies, StoreAddress, keys};
use reqwest::Method;
use secrecy::ExposeSecret as _;

use crate::engines::postgres_failures::LIST;
use crate::support::embedded_service::{Client, Running};
use crate::support::postgres::{self, connect, new_database, wait_for_count};

/// Starts two instances on a new database; returns them with its URL. `None` without a server.
async fn pair(requests_per_minute: Option<u32>) -> Option<([Running; 2], String)> {
    if !postgres::is_there() {
        return None;
    }
    let url = new_database().await;
    let on = || Running::on_store(StoreAddress::Postgres(url.as_str().into()), requests_per_minute, Proxies::default());
    Some(([on().await.unwrap(), on().await.unwrap()], url))
}

/// Returns one client per instance, with the same stored key.
async fn clients(instances: &[Running; 2], url: &str, name: &str) -> [Client; 2] {
    let key = keys::create(StoreAddress::Postgres(url.into()), keys::NewKey::admin(name)).await.unwrap();
    instances.each_ref().map(|instance| Client::new(&instance.service.base_url(), Some(key.expose_secret())))
}

#[tokio::test]
async fn the_requests_of_a_key_are_counted_across_instances() {
    let Some((instances, url)) = pair(Some(3)).await else { return };
    let [one, other] = clients(&instances, &url, "ana").await;
    for (client, left) in [(&one, "2"), (&other, "1"), (&one, "0")] {
        let answer = client.get(LIST).await.expect(200);
        assert_eq!(answer.headers["x-ratelimit-remaining"], left);
    }
    for client in [&other, &one, &other] {
        let refused = client.get(LIST).await.expect(429);
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
        assert_eq!(
            (&refused.headers["x-ratelimit-limit"], &refused.headers["x-ratelimit-remaining"]),
            (&"3".parse().unwrap(), &"0".parse().unwrap())
        );
    }
    let [_, others] = clients(&instances, &url, "ben").await;
    assert_eq!(others.get(LIST).await.expect(200).headers["x-ratelimit-remaining"], "2");
    // A minute later the full budget is available again, on any instance that has not been told to wait.
    connect(&url).await.batch_execute("UPDATE budgets SET since = since - 60000").await.unwrap();
    let fresh =
        Running::on_store(StoreAddress::Postgres(url.as_str().into()), Some(3), Proxies::default()).await.unwrap();
    let key = keys::create(StoreAddress::Postgres(url.as_str().into()), keys::NewKey::admin("cem")).await.unwrap();
    let client = Client::new(&fresh.service.base_url(), Some(key.expose_secret()));
    assert_eq!(client.get(LIST).await.expect(200).headers["x-ratelimit-remaining"], "2");
}

#[tokio::test]
async fn a_burst_over_two_instances_never_exceeds_the_budget_and_wastes_at_most_one_portion() {
    let Some((instances, url)) = pair(Some(180)).await else { return };
    let clients = clients(&instances, &url, "ana").await;
    let answers = join_all((0..240).map(|number| clients[number % 3 % 2].get(LIST))).await;
    let allowed = answers.iter().filter(|answer| answer.status == 200).count();
    // A portion is three requests; the unused part of an instance's portion is not available to the other one.
    assert!((177..=180).contains(&allowed), "{allowed}");
    assert!(answers.iter().all(|answer| matches!(answer.status.as_u16(), 200 | 429)));
}

#[tokio::test]
async fn the_remainder_is_exact_where_portions_do_not_divide_the_budget() {
    // A portion is of two requests, and the last one of a single request.
    let Some((instances, url)) = pair(Some(121)).await else { return };
    let [client, _] = clients(&instances, &url, "ana").await;
    let remains = async |left| {
        let answer = client.get(LIST).await.expect(200);
        assert_eq!(answer.headers["x-ratelimit-remaining"], left);
    };
    remains("120").await;
    // Another instance takes all but three.
    connect(&url).await.batch_execute("UPDATE budgets SET taken = 118").await.unwrap();
    for left in ["119", "2", "1", "0"] {
        remains(left).await;
    }
    client.get(LIST).await.expect(429);
}

#[tokio::test]
async fn instances_share_the_limit_of_password_guesses() {
    let Some((instances, _url)) = pair(None).await else { return };
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    let mut ids = Vec::new();
    for _ in 0..2 {
        let created = instances[0].client.send(Method::POST, LIST, &form).await.expect(201);
        ids.push(created.body["data"]["id"].as_i64().unwrap());
    }
    let visitors = instances.each_ref().map(|instance| Client::new(&instance.service.base_url(), None));
    let guess = async |visitor: &Client, id: i64, password: &str| {
        let form = visitor.request(Method::POST, &format!("/reports/{id}")).form(&[("password", password)]);
        form.send().await.unwrap().status().as_u16()
    };
    // The right password resets the count for both.
    for (instance, password, status) in [(0, "Tea", 403), (1, "Tea", 403), (0, "tea", 303)] {
        assert_eq!(guess(&visitors[instance], ids[0], password).await, status);
    }
    let guesses = join_all((0..12).map(|number| guess(&visitors[number % 2], ids[0], "Tea"))).await;
    assert_eq!(guesses.iter().filter(|status| **status == 403).count(), 5, "{guesses:?}");
    assert_eq!(guesses.iter().filter(|status| **status == 429).count(), 7, "{guesses:?}");
    for visitor in &visitors {
        assert_eq!(guess(visitor, ids[0], "tea").await, 429, "the right password is refused too");
        assert_eq!(guess(visitor, ids[1], "tea").await, 303, "another report is not affected");
    }
}

#[tokio::test]
async fn the_wait_begins_with_the_last_wrong_password() {
    let Some(([one, _other], url)) = pair(None).await else { return };
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    one.client.send(Method::POST, LIST, &form).await.expect(201);
    let visitor = Client::new(&one.service.base_url(), None);
    let guess = async || visitor.request(Method::POST, "/reports/1").form(&[("password", "Tea")]).send().await.unwrap();
    for _ in 0..4 {
        assert_eq!(guess().await.status(), 403);
    }
    // Fourteen minutes later.
    connect(&url).await.batch_execute("UPDATE password_attempts SET since = since - 840000").await.unwrap();
    assert_eq!(guess().await.status(), 403);
    let refused = guess().await;
    let wait: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(refused.status() == 429 && wait > 600, "{wait}");
}

#[tokio::test]
async fn a_link_of_one_instance_works_on_another_and_both_refuse_a_revoked_key_at_once() {
    let Some((instances, url)) = pair(None).await else { return };
    let clients = clients(&instances, &url, "ana").await;
    let form = [("url", "https://shop.example/"), ("privacy", "1")];
    let created = clients[0].send(Method::POST, LIST, &form).await.expect(201);
    let link = clients[0].get(&format!("{LIST}/{}/link", created.body["data"]["id"])).await.expect(200);
    let link = link.body["data"]["url"].as_str().unwrap().to_owned();
    let path = link.strip_prefix(&instances[0].service.base_url()).unwrap();
    let visitor = Client::new(&instances[1].service.base_url(), None);
    assert_eq!(visitor.request(Method::GET, path).send().await.unwrap().status(), 200);
    for client in &clients {
        client.get(LIST).await.expect(200);
    }
    keys::revoke(StoreAddress::Postgres(url.as_str().into()), "ana").await.unwrap();
    for client in &clients {
        client.get(LIST).await.expect(401);
    }
}

#[tokio::test]
async fn guesses_that_wait_for_each_other_do_not_keep_reads_from_the_database() {
    let Some(([running, _], url)) = pair(None).await else { return };
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    let created = running.client.send(Method::POST, LIST, &form).await.expect(201);
    let page = format!("/reports/{}", created.body["data"]["id"]);
    let visitor = Client::new(&running.service.base_url(), None);
    let guess = || {
        let request = visitor.request(Method::POST, &page).form(&[("password", "coffee")]);
        async move { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(guess().await, 403);
    // All guesses of a visitor are counted in one row.
    let other = connect(&url).await;
    other.batch_execute("BEGIN; SELECT 1 FROM password_attempts FOR UPDATE").await.unwrap();
    let guesses: Vec<_> = (0..24).map(|_| tokio::spawn(guess())).collect();
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let onlooker = connect(&url).await;
    wait_for_count(&onlooker, waiting, |waiting| waiting > 1).await;
    for _ in 0..20 {
        running.client.get(LIST).await.expect(200);
    }
    assert!(guesses.iter().all(|guess| !guess.is_finished()), "reads do not wait for guesses");
    other.batch_execute("COMMIT").await.unwrap();
    for answer in join_all(guesses).await {
        assert!(matches!(answer.unwrap(), 403 | 429));
    }
}
