//! Signed links and cookies of report pages: any change to them, or to the report's protection, makes them invalid.

use reqwest::Method;

use crate::support::embedded_service::{Client, Running};

const PAGE: &str = "https://shop.example/";

async fn change(running: &Running, id: i64, form: &[(&str, &str)]) {
    running.client.send(Method::PUT, &format!("/api/v1/reports/{id}"), form).await.expect(200);
}

/// Returns the pass signed by the service for a report.
async fn pass(running: &Running, id: i64) -> String {
    let answer = running.client.get(&format!("/api/v1/reports/{id}/link")).await.expect(200);
    let url = answer.body["data"]["url"].as_str().unwrap();
    url.split_once("?pass=").unwrap().1.to_owned()
}

/// Whether the report is visible without a key.
async fn opens(running: &Running, id: i64, pass: &str) -> bool {
    let anonymous = Client::new(&running.service.base_url(), None);
    let request = anonymous.request(Method::GET, &format!("/reports/{id}")).query(&[("pass", pass)]);
    let page = request.send().await.unwrap();
    let status = page.status().as_u16();
    let html = page.text().await.unwrap();
    assert!(matches!(status, 200 | 404), "{status}");
    // The password prompt is a 200 too, but shows nothing of the report.
    status == 200 && html.contains("shop.example")
}

#[tokio::test]
async fn a_link_with_any_changed_character_opens_nothing() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(PAGE, "1").await;
    let genuine = pass(&running, id).await;
    assert!(opens(&running, id, &genuine).await);
    for at in 0..genuine.len() {
        let before = genuine.as_bytes()[at];
        for other in [b'0', b'f', b'.', b' '] {
            let mut forged = genuine.clone().into_bytes();
            forged[at] = if other == before { b'1' } else { other };
            let forged = String::from_utf8(forged).unwrap();
            assert!(!opens(&running, id, &forged).await, "{forged} for {genuine}");
        }
        let (mut less, mut more) = (genuine.clone(), genuine.clone());
        less.remove(at);
        more.insert(at, '0');
        // A leading zero does not change the number.
        assert!(!opens(&running, id, &less).await && (at == 0 || !opens(&running, id, &more).await), "at {at}");
    }
}

#[tokio::test]
async fn a_link_is_valid_for_one_report_until_its_protection_changes() {
    let (running, _data) = Running::start().await;
    let (private, protected) =
        (running.client.create_with_privacy(PAGE, "1").await, running.client.create_with_privacy(PAGE, "2").await);
    let (of_private, of_protected) = (pass(&running, private).await, pass(&running, protected).await);
    assert!(opens(&running, private, &of_private).await && opens(&running, protected, &of_protected).await);
    assert!(!opens(&running, protected, &of_private).await, "signed for another report");
    assert!(!opens(&running, private, &of_protected).await, "signed for another report");

    change(&running, protected, &[("password", "coffee")]).await;
    assert!(!opens(&running, protected, &of_protected).await, "signed before a change of the password");
    let again = pass(&running, protected).await;
    change(&running, protected, &[("privacy", "1")]).await;
    assert!(!opens(&running, protected, &again).await, "signed while the page was protected by a password");
    change(&running, private, &[("privacy", "2"), ("password", "tea")]).await;
    assert!(!opens(&running, private, &of_private).await, "signed while the page was private");

    // A new audit does not change who may see the report.
    let fresh = pass(&running, private).await;
    change(&running, private, &[("results", "1")]).await;
    assert!(opens(&running, private, &fresh).await);
    running.client.delete(&format!("/api/v1/reports/{private}")).await.expect(200);
    assert!(!opens(&running, private, &fresh).await, "deleted");
}

#[tokio::test]
async fn a_cookie_opens_only_while_its_password_protects_the_page() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(PAGE, "2").await;
    let anonymous = Client::new(&running.service.base_url(), None);
    let path = format!("/reports/{id}");
    let unlocked = anonymous.request(Method::POST, &path).form(&[("password", "tea")]).send().await.unwrap();
    let cookie = unlocked.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let sees = async |cookie: &str| {
        let page = anonymous.request(Method::GET, &path).header("cookie", cookie).send().await.unwrap();
        page.text().await.unwrap().contains("shop.example")
    };
    assert!(sees(&cookie).await);
    let (name, genuine) = cookie.split_once('=').unwrap();
    for at in 0..genuine.len() {
        let mut forged = genuine.to_owned().into_bytes();
        forged[at] = if forged[at] == b'0' { b'1' } else { b'0' };
        let forged = String::from_utf8(forged).unwrap();
        assert!(!sees(&format!("{name}={forged}")).await, "{forged} for {genuine}");
    }
    // A cookie is not valid as a link, nor a link as a cookie.
    assert!(!opens(&running, id, genuine).await);
    assert!(!sees(&format!("{name}={}", pass(&running, id).await)).await);
    change(&running, id, &[("privacy", "1")]).await;
    assert!(!sees(&cookie).await, "private: the password no longer opens it");
    change(&running, id, &[("privacy", "2"), ("password", "tea")]).await;
    assert!(!sees(&cookie).await, "setting the same password again counts as a change");
}
