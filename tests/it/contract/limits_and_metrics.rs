//! Rate limits per key, metrics and health.

use reportdeck::service::keys;
use reqwest::Method;
use secrecy::ExposeSecret;
use tokio::task::JoinSet;

use crate::support::embedded_service::{Answer, Client, Running, store_of};

fn header(answer: &Answer, name: &str) -> i64 {
    answer.headers[name].to_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn each_key_has_a_limit_per_minute_and_sees_the_remainder() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::with_rate_limit(data.path(), Some(3)).await.unwrap();
    let other = keys::create(store_of(data.path()).await, keys::NewKey::admin("other")).await.unwrap();
    for left in [2, 1, 0] {
        let answer = running.client.get("/api/v1/reports").await.expect(200);
        assert_eq!((header(&answer, "x-ratelimit-limit"), header(&answer, "x-ratelimit-remaining")), (3, left));
    }
    let now = jiff::Timestamp::now().as_second();
    let refused = running.client.get("/api/v1/reports/1").await.expect(429);
    let wait = header(&refused, "retry-after");
    assert!((50..=60).contains(&wait), "{wait}");
    assert!((now + wait - 1..=now + wait + 2).contains(&header(&refused, "x-ratelimit-reset")));
    assert_eq!(header(&refused, "x-ratelimit-remaining"), 0);
    // Nothing is written any more, and other keys are not affected.
    running.client.send(Method::POST, "/api/v1/reports", &[("url", "shop.example")]).await.expect(429);
    let other = Client::new(&running.service.base_url(), Some(other.expose_secret()));
    assert!(other.get("/api/v1/reports").await.expect(200).data().is_empty());
    // Other refused requests count too, so that guessing is limited.
    assert_eq!(header(&other.get("/api/v1/reports?sort=up").await.expect(422), "x-ratelimit-remaining"), 1);
}

#[tokio::test]
async fn a_full_audit_queue_announces_its_own_limit_instead_of_that_of_the_key() {
    let data = tempfile::tempdir().unwrap();
    let running = Running::with_rate_limit(data.path(), Some(1000)).await.unwrap();
    let mut asked = JoinSet::new();
    for number in 0..100 {
        let client = running.client.clone();
        let url = format!("https://{number}.slow.example/");
        asked.spawn(async move { client.send(Method::POST, "/api/v1/reports", &[("url", url.as_str())]).await });
    }
    // No audit ends before.
    let refused = asked.join_next().await.unwrap().unwrap().expect(429);
    assert!(header(&refused, "x-ratelimit-limit") < 100, "{refused:?}");
    assert_eq!(header(&refused, "x-ratelimit-remaining"), 0);
    running.script.end.add_permits(100);
    asked.join_all().await;
}

#[tokio::test]
async fn a_service_without_a_limit_sends_no_limit_headers() {
    let (running, _data) = Running::start().await;
    let answer = running.client.get("/api/v1/reports").await.expect(200);
    assert!(!answer.headers.contains_key("x-ratelimit-limit"));
}

#[tokio::test]
async fn metrics_count_everything_and_contain_no_names() {
    let (running, data) = Running::start().await;
    keys::create(store_of(data.path()).await, keys::NewKey::admin("a-name-of-somebody")).await.unwrap();
    running.client.create("https://secret-project.example/private?token=12&score=31").await;
    running.client.get("/api/v1/reports?search=whatever").await.expect(200);
    running.client.get("/api/v1/reports/999").await.expect(404);
    running.client.delete("/api/v1/projects/another-secret.example").await.expect(404);
    let visitor = Client::new(&running.service.base_url(), None);
    visitor.get("/api/v1/reports").await.expect(401);
    visitor.get("/nowhere/secret-project").await.expect(404);
    let metrics = visitor.request(Method::GET, "/metrics").send().await.unwrap();
    assert!(metrics.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let metrics = metrics.text().await.unwrap();
    for line in [
        "reportdeck_requests_total{method=\"POST\",route=\"/api/v1/reports\",status=\"201\"} 1",
        "reportdeck_requests_total{method=\"GET\",route=\"/api/v1/reports\",status=\"401\"} 1",
        "reportdeck_requests_total{method=\"GET\",route=\"/api/v1/reports/{id}\",status=\"404\"} 1",
        "reportdeck_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 1",
        "reportdeck_request_duration_seconds_count{route=\"/api/v1/reports\"} 3",
        "reportdeck_audits_total{result=\"bad\"} 1",
        "reportdeck_connections_refused_total 0",
        "reportdeck_audits_running 0",
        "reportdeck_reports{result=\"bad\"} 1",
        "reportdeck_projects 1",
        "# EOF",
    ] {
        assert!(metrics.contains(line), "{line} is missing in {metrics}");
    }
    for name in ["secret", "private", "token", "somebody", "whatever"] {
        assert!(!metrics.contains(name), "{name} is in {metrics}");
    }
}
