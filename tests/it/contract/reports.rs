//! Creating, reading, changing and deleting a report, and the effect on its project.

use std::sync::atomic::Ordering;

use reqwest::Method;
use serde_json::json;

use crate::support::embedded_service::Running;

#[tokio::test]
async fn a_report_is_created_listed_shown_and_deleted() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    let form = [("url", "www.shop.example/tea?score=31")];
    let created = client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    let report = &created.body["data"];
    assert_eq!(report["id"], 1);
    assert_eq!(report["url"], "https://www.shop.example/tea?score=31");
    assert_eq!(report["project"], "shop.example");
    assert_eq!(report["result"], "bad");
    assert_eq!(report["score"], 31);
    assert_eq!(report["privacy"], 0);
    assert_eq!(report["password"], false);
    for time in ["generated_at", "created_at", "updated_at"] {
        let time = report[time].as_str().unwrap();
        assert!(time.parse::<jiff::Timestamp>().is_ok() && time.ends_with('Z'), "{time}");
    }
    assert_eq!(
        report["results"]["title"],
        json!({"passed": false, "importance": "high", "category": "seo", "outcome": "failed",
               "value": {"length": 31}, "errors": ["The title is missing."]})
    );
    assert_eq!(report["results"]["hreflang"]["passed"], json!(null));
    assert_eq!(report["results"]["hreflang"]["outcome"], "not_applicable");
    assert_eq!(report["results"]["description_length"]["outcome"], "note");

    let shown = client.get("/api/v1/reports/1").await.expect(200);
    assert_eq!(&shown.body["data"], report);
    let listed = client.get("/api/v1/reports").await.expect(200);
    assert_eq!(listed.data()[0]["failed"], json!(["title"]));
    assert!(listed.data()[0].get("results").is_none(), "lists contain only the ids of failed checks");

    let deleted = client.delete("/api/v1/reports/1").await.expect(200);
    assert_eq!(deleted.body, json!({"id": 1, "object": "report", "deleted": true, "status": 200}));
    client.get("/api/v1/reports/1").await.expect(404);
    client.delete("/api/v1/reports/1").await.expect(404);
    assert!(client.get("/api/v1/projects").await.data().is_empty(), "a project without reports is deleted");
}

#[tokio::test]
async fn the_report_of_a_page_that_could_not_be_fetched_says_why() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    for (url, expected) in [
        ("misspelt.example/?score=0", json!("dns")),
        ("shop.example/?score=20&status=404", json!("4xx")),
        ("shop.example/?score=20&status=503", json!("5xx")),
        ("shop.example/?score=20", json!(null)),
    ] {
        let created = client.send(Method::POST, "/api/v1/reports", &[("url", url)]).await.expect(201);
        let report = &created.body["data"];
        assert_eq!((&report["fetch_error"], &report["result"]), (&expected, &json!("bad")), "{url}");
        let path = format!("/api/v1/reports/{}", report["id"]);
        let again = client.send(Method::PUT, &path, &[("results", "1")]).await.expect(200);
        let (shown, listed) = (client.get(&path).await.expect(200), client.get("/api/v1/reports").await.expect(200));
        for found in [&again.body["data"], &shown.body["data"], &listed.data()[0]] {
            assert_eq!(found["fetch_error"], expected, "{url}");
        }
    }
}

#[tokio::test]
async fn ids_are_never_reused_and_the_same_url_creates_a_new_report() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    assert_eq!(client.create("https://shop.example/").await, 1);
    assert_eq!(client.create("https://shop.example/").await, 2);
    client.delete("/api/v1/reports/2").await.expect(200);
    assert_eq!(client.create("https://shop.example/").await, 3);
}

/// The state before (privacy, has a password), the change, and the status, privacy and password afterwards.
type Row = (&'static str, bool, &'static [(&'static str, &'static str)], u16, u8, bool);

#[tokio::test]
async fn a_password_requires_privacy_2_after_the_write() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    let table: [Row; 12] = [
        ("0", false, &[], 200, 0, false),
        ("0", false, &[("privacy", "1")], 200, 1, false),
        ("0", false, &[("privacy", "2")], 422, 0, false),
        ("0", false, &[("privacy", "2"), ("password", "")], 422, 0, false),
        ("0", false, &[("password", "tea")], 422, 0, false),
        ("1", false, &[("privacy", "2"), ("password", "tea")], 200, 2, true),
        ("2", true, &[("password", "coffee")], 200, 2, true),
        ("2", true, &[("privacy", "2")], 200, 2, true),
        ("2", true, &[("privacy", "0")], 200, 0, true),
        ("2", true, &[("privacy", "1"), ("password", "tea")], 422, 2, true),
        ("2", true, &[("privacy", "3"), ("password", "tea")], 422, 2, true),
        ("2", true, &[("unknown", "x")], 200, 2, true),
    ];
    for (at, (privacy, password, change, status, privacy_after, password_after)) in table.into_iter().enumerate() {
        let mut form = vec![("url", "https://shop.example/"), ("privacy", privacy)];
        form.extend(password.then_some(("password", "first")));
        let created = client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
        let path = format!("/api/v1/reports/{}", created.body["data"]["id"]);
        let method = if at % 2 == 0 { Method::PUT } else { Method::PATCH };
        client.send(method, &path, change).await.expect(status);
        let after = client.get(&path).await.expect(200);
        assert_eq!(after.body["data"]["privacy"], privacy_after, "{privacy} {change:?}");
        assert_eq!(after.body["data"]["password"], password_after, "{privacy} {change:?}");
    }
}

#[tokio::test]
async fn a_password_is_kept_while_privacy_is_not_2_and_applies_again_afterwards() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", "tea")];
    client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
    for privacy in ["0", "2", "1", "2"] {
        let answer = client.send(Method::PUT, "/api/v1/reports/1", &[("privacy", privacy)]).await.expect(200);
        assert_eq!(answer.body["data"]["password"], true);
        assert!(!answer.body.to_string().contains("argon2"), "no response contains a hash");
    }
}

#[tokio::test]
async fn a_report_is_re_run_on_request() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    client.create("https://shop.example/").await;
    let before = client.get("/api/v1/reports/1").await;
    running.script.score.store(60, Ordering::SeqCst);
    client.send(Method::PATCH, "/api/v1/reports/1", &[("results", "0")]).await.expect(200);
    assert_eq!(running.script.begun.load(Ordering::SeqCst), 1);
    let after =
        client.send(Method::PATCH, "/api/v1/reports/1", &[("results", "1"), ("privacy", "1")]).await.expect(200);
    assert_eq!(after.body["data"]["result"], "decent");
    assert_eq!(after.body["data"]["score"], 60);
    assert_eq!(after.body["data"]["privacy"], 1);
    assert_eq!(after.body["data"]["results"]["title"]["passed"], false);
    assert_eq!(after.body["data"]["created_at"], before.body["data"]["created_at"]);
    let project = client.get("/api/v1/projects").await;
    assert_eq!(project.data()[0]["good"], 0);
    assert_eq!(project.data()[0]["decent"], 1);
}

#[tokio::test]
async fn a_project_is_deleted_by_name_with_all_its_reports() {
    let (running, _data) = Running::start().await;
    let client = &running.client;
    for (name, encoded) in [
        ("shop.example", "shop.example"),
        ("two words", "two%20words"),
        ("a/b", "a%2Fb"),
        ("50% off?", "50%25%20off%3F"),
        ("bücher.example", "b%C3%BCcher.example"),
        ("日本", "%E6%97%A5%E6%9C%AC"),
        ("a+b", "a%2Bb"),
    ] {
        let query = percent_encoded(name);
        let kept = client.create("https://other.example/").await;
        let gone = client.create(&format!("https://shop.example/?project={query}")).await;
        client.create(&format!("https://shop.example/2?project={query}")).await;
        assert_eq!(client.get(&format!("/api/v1/reports?project={query}")).await.data().len(), 2, "{name}");
        let answer = client.delete(&format!("/api/v1/projects/{encoded}")).await.expect(200);
        assert_eq!(answer.body, json!({"id": name, "object": "project", "deleted": true, "status": 200}));
        client.get(&format!("/api/v1/reports/{gone}")).await.expect(404);
        client.get(&format!("/api/v1/reports/{kept}")).await.expect(200);
        client.delete(&format!("/api/v1/projects/{encoded}")).await.expect(404);
    }
}

fn percent_encoded(text: &str) -> String {
    reqwest::Url::parse_with_params("http://x/", [(text, "")])
        .unwrap()
        .query()
        .unwrap()
        .trim_end_matches('=')
        .to_owned()
}
