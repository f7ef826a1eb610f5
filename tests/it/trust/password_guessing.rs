//! Password guessing: every checked password costs one hash, right or wrong, and a missing page responds like a private
//! one.
//!
//! Response times are printed on request only: `cargo test --test it the_time_of_a_refusal_is_printed -- --ignored
//! --nocapture`.

use std::time::{Duration, Instant};

use reqwest::Method;

use crate::support::embedded_service::{Client, KEY, Running};

const PAGE: &str = "https://shop.example/";

/// Returns how many passwords have been hashed or compared so far.
async fn password_checks(anonymous: &Client) -> u64 {
    let metrics = anonymous.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    let line = metrics.lines().find_map(|line| line.strip_prefix("reportdeck_passwords_total "));
    line.unwrap().parse().unwrap()
}

#[tokio::test]
async fn every_checked_password_costs_one_hash_and_nothing_else_costs_any() {
    let (running, _data) = Running::start().await;
    let (public, private, protected) = (
        running.client.create_with_privacy(PAGE, "0").await,
        running.client.create_with_privacy(PAGE, "1").await,
        running.client.create_with_privacy(PAGE, "2").await,
    );
    let anonymous = Client::new(&running.service.base_url(), None);
    let long = "a".repeat(60_000);
    let guess = async |id: i64, password: &str| {
        let before = password_checks(&anonymous).await;
        let form = anonymous.request(Method::POST, &format!("/reports/{id}")).form(&[("password", password)]);
        let status = form.send().await.unwrap().status().as_u16();
        (status, password_checks(&anonymous).await - before)
    };
    for (password, status) in [("tea", 303), ("Tea", 403), ("te", 403), ("", 403), (long.as_str(), 403), ("tea", 303)] {
        assert_eq!(guess(protected, password).await, (status, 1), "{password:.10}");
    }
    // A private page costs as much as a missing one, and requests without a password cost no hash.
    assert_eq!(guess(private, "tea").await, (404, 0));
    assert_eq!(guess(9_999, "tea").await, (404, 0));
    assert_eq!(guess(public, "tea").await, (303, 0));
    for _ in 0..5 {
        assert_eq!(guess(protected, "Tea").await, (403, 1));
    }
    assert_eq!(guess(protected, "tea").await, (429, 0), "the right password is refused too");
    // Cookies and links are verified without hashing a password.
    let before = password_checks(&anonymous).await;
    for path in [format!("/reports/{protected}?pass=1.00"), format!("/reports/{private}?pass=1.00")] {
        anonymous.request(Method::GET, &path).header("cookie", "report-session-1=1.00").send().await.unwrap();
    }
    assert_eq!(password_checks(&anonymous).await, before);
    for (form, cost) in [([("privacy", "1")], 0), ([("privacy", "2")], 0), ([("password", "coffee")], 1)] {
        let before = password_checks(&anonymous).await;
        running.client.send(Method::PUT, &format!("/api/v1/reports/{protected}"), &form).await.expect(200);
        assert_eq!(password_checks(&anonymous).await - before, cost, "{form:?}");
    }
}

/// Returns the median and the interquartile range of the response times of a request.
async fn response_times(times: usize, request: impl Fn() -> reqwest::RequestBuilder) -> (Duration, Duration) {
    let mut response_times = Vec::new();
    for _ in 0..times {
        let begun = Instant::now();
        request().send().await.unwrap().bytes().await.unwrap();
        response_times.push(begun.elapsed());
    }
    response_times.sort_unstable();
    (response_times[times / 2], response_times[times * 3 / 4].abs_diff(response_times[times / 4]))
}

#[tokio::test]
#[ignore = "prints figures, which mean nothing on a busy machine"]
async fn the_time_of_a_refusal_is_printed() {
    let (running, _data) = Running::start().await;
    let base = running.service.base_url();
    let private = running.client.create_with_privacy(PAGE, "1").await;
    let link = running.client.get(&format!("/api/v1/reports/{private}/link")).await.expect(200);
    let link = link.body["data"]["url"].as_str().unwrap().to_owned();
    let pass = link.split_once("?pass=").unwrap().1.to_owned();
    let wrong = |at: usize| {
        let mut forged = pass.clone().into_bytes();
        forged[at] = if forged[at] == b'0' { b'1' } else { b'0' };
        String::from_utf8(forged).unwrap()
    };
    let no_key = Client::new(&base, None);
    for (what, path) in [
        ("private, without a link", format!("/reports/{private}")),
        ("missing, without a link", "/reports/9999".to_owned()),
        ("private, first letter forged", format!("/reports/{private}?pass={}", wrong(11))),
        ("private, last letter forged", format!("/reports/{private}?pass={}", wrong(pass.len() - 1))),
        ("missing, forged", format!("/reports/9999?pass={}", wrong(11))),
    ] {
        println!("{what}: {:?}", response_times(2_000, || no_key.request(Method::GET, &path)).await);
    }
    let others: Vec<String> = ["x", "rdk_for_testz", "rdk_for_tests"].map(str::to_owned).to_vec();
    for key in &others {
        let client = Client::new(&base, Some(key));
        let path = "/api/v1/reports/9999";
        println!(
            "key {key}{}: {:?}",
            if key == KEY { " (right)" } else { "" },
            response_times(2_000, || client.request(Method::GET, path)).await
        );
    }
    for (password, right) in [("tea", true), ("teb", false), ("a much longer one than that", false)] {
        let mut all = Vec::new();
        for _ in 0..20 {
            let id = running.client.create_with_privacy(PAGE, "2").await;
            let begun = Instant::now();
            let form = no_key.request(Method::POST, &format!("/reports/{id}")).form(&[("password", password)]);
            assert_eq!(form.send().await.unwrap().status() == 303, right);
            all.push(begun.elapsed());
        }
        all.sort_unstable();
        println!("password {password}: {:?} to {:?}, median {:?}", all[0], all[19], all[10]);
    }
}
