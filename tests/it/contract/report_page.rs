//! The report page: access by privacy, password, link or session, and its security headers.

use std::sync::atomic::Ordering;

use reqwest::{Method, StatusCode, header};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::embedded_service::{Client, Running};

const TEA: &str = "https://shop.example/tea?score=31";

/// A page as seen by a browser without a key.
struct Page {
    status: StatusCode,
    headers: header::HeaderMap,
    html: String,
}

async fn open(request: reqwest::RequestBuilder) -> Page {
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Page { status, headers, html: response.text().await.unwrap() }
}

async fn visit(visitor: &Client, path: &str) -> Page {
    open(visitor.request(Method::GET, path)).await
}

async fn type_password(visitor: &Client, path: &str, password: &str) -> Page {
    open(visitor.request(Method::POST, path).form(&[("password", password)])).await
}

fn visitor(running: &Running) -> Client {
    Client::new(&running.service.base_url(), None)
}

/// Returns path and query of the report's signed link.
async fn link(running: &Running, id: i64) -> String {
    let answer = running.client.get(&format!("/api/v1/reports/{id}/link")).await.expect(200);
    let url = answer.body["data"]["url"].as_str().unwrap().to_owned();
    url.strip_prefix(&running.service.base_url()).unwrap().to_owned()
}

#[tokio::test]
async fn a_public_page_needs_no_key() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(TEA, "0").await;
    let page = visit(&visitor(&running), &format!("/reports/{id}")).await;
    assert_eq!(page.status, 200);
    for text in ["shop.example/tea?score=31", "bad", "31", "The title is missing.", "1 of 1 checks failed"] {
        assert!(page.html.contains(text), "{text}: {}", page.html);
    }
    assert!(!page.html.contains("noindex"));
    assert_eq!(link(&running, id).await, format!("/reports/{id}"), "a public page needs no signature");
}

#[tokio::test]
async fn a_capped_score_is_explained() {
    let (running, _data) = Running::start().await;
    // Two failed checks and a passed one of equal weight: a third, capped by the status.
    let id = running.client.create("https://shop.example/?status=404&described=Tea&score=20").await;
    let page = visit(&visitor(&running), &format!("/reports/{id}")).await;
    for text in ["20: capped because", "the page could not be fetched", "Without the cap it would be 33."] {
        assert!(page.html.contains(text), "{text}: {}", page.html);
    }
    // Without a cap there is nothing to explain.
    let id = running.client.create("https://shop.example/?score=31").await;
    let page = visit(&visitor(&running), &format!("/reports/{id}")).await;
    assert!(!page.html.contains("capped"), "{}", page.html);
}

#[tokio::test]
async fn every_file_that_a_page_names_is_served() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(TEA, "0").await;
    let visitor = visitor(&running);
    let page = visit(&visitor, &format!("/reports/{id}")).await;
    let place = reqwest::Url::parse(&format!("{}/reports/{id}", running.service.base_url())).unwrap();
    let is_image = |word: &&str| word.rsplit_once('.').is_some_and(|(_, kind)| matches!(kind, "svg" | "png"));
    let words = page.html.split(['"', '\'']).filter(is_image);
    let files: Vec<String> = words.map(|word| place.join(word).unwrap().path().to_owned()).collect();
    assert!(["/icon.svg", "/bad.png"].iter().all(|file| files.iter().any(|named| named == file)), "{files:?}");
    for file in files {
        let response = visitor.request(Method::GET, &file).send().await.unwrap();
        let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        assert!(response.status() == 200 && kind.starts_with("image/"), "{file}: {} {kind}", response.status());
    }
}

#[tokio::test]
async fn every_page_forbids_scripts_caching_and_referrers() {
    let (running, _data) = Running::start().await;
    let (public, protected) =
        (running.client.create_with_privacy(TEA, "0").await, running.client.create_with_privacy(TEA, "2").await);
    for path in [format!("/reports/{public}"), format!("/reports/{protected}"), "/reports/999".to_owned()] {
        let page = visit(&visitor(&running), &path).await;
        let header = |name: header::HeaderName| page.headers[&name].to_str().unwrap().to_owned();
        assert!(header(header::CONTENT_TYPE).starts_with("text/html"));
        assert_eq!(header(header::CACHE_CONTROL), "no-store");
        assert_eq!(header(header::REFERRER_POLICY), "no-referrer");
        assert_eq!(header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        let policy = header(header::CONTENT_SECURITY_POLICY);
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        // Nothing of these follows from default-src.
        for part in ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{part}: {policy}");
        }
        assert!(!page.html.contains("<script"));
    }
}

#[tokio::test]
async fn a_private_page_is_indistinguishable_from_a_missing_one() {
    let (running, _data) = Running::start().await;
    let private = running.client.create_with_privacy(TEA, "1").await;
    let visitor = visitor(&running);
    let forged = link(&running, private).await.replace("pass=", "pass=1");
    let (there, missing) =
        (visit(&visitor, &format!("/reports/{private}")).await, visit(&visitor, "/reports/999").await);
    let forged = visit(&visitor, &forged).await;
    let by_form = type_password(&visitor, &format!("/reports/{private}"), "tea").await;
    for page in [&there, &forged, &by_form] {
        assert_eq!(page.status, 404);
        assert_eq!(page.html, missing.html);
        let names = |page: &Page| page.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(page), names(&missing));
    }
    // A key does not open the page itself, which is for people who follow a link.
    let with_key = open(running.client.request(Method::GET, &format!("/reports/{private}"))).await;
    assert_eq!(with_key.status, 404);
}

#[tokio::test]
async fn a_signed_link_opens_only_its_own_page() {
    let (running, data) = Running::start().await;
    let (first, second) =
        (running.client.create_with_privacy(TEA, "1").await, running.client.create_with_privacy(TEA, "1").await);
    let visitor = visitor(&running);
    let opened = link(&running, first).await;
    let page = visit(&visitor, &opened).await;
    assert_eq!(page.status, 200);
    assert!(page.html.contains("noindex") && !page.html.contains("pass="));
    let other = opened.replace(&format!("/reports/{first}?"), &format!("/reports/{second}?"));
    assert_eq!(visit(&visitor, &other).await.status, 404, "signed for another report");
    // Without a key there is no link, and a missing report has none.
    visitor.get(&format!("/api/v1/reports/{first}/link")).await.expect(401);
    running.client.get("/api/v1/reports/999/link").await.expect(404);
    // The secret is stored with the data: a link survives a restart of the service.
    running.service.shut_down().await;
    let again = Running::on(data.path()).await;
    assert_eq!(visit(&Client::new(&again.service.base_url(), None), &opened).await.status, 200);
}

#[tokio::test]
async fn a_password_opens_a_session_and_a_new_password_ends_it() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(TEA, "2").await;
    let path = format!("/reports/{id}");
    let visitor = visitor(&running);
    let asked = visit(&visitor, &path).await;
    assert_eq!(asked.status, 200);
    assert!(asked.html.contains("type=\"password\"") && !asked.html.contains("shop.example"), "{}", asked.html);
    for wrong in ["", "Tea", "tea "] {
        let refused = type_password(&visitor, &path, wrong).await;
        assert_eq!(refused.status, 403);
        assert!(refused.html.contains("not the password") && !refused.headers.contains_key(header::SET_COOKIE));
    }
    let right = type_password(&visitor, &path, "tea").await;
    assert_eq!(
        (right.status, right.headers[header::LOCATION].to_str().unwrap()),
        (StatusCode::SEE_OTHER, &*id.to_string())
    );
    let cookie = right.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
    assert!(cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains("Secure"), "{cookie}");
    let session = cookie.split(';').next().unwrap().to_owned();
    let with = |path: &str, session: &str| visitor.request(Method::GET, path).header(header::COOKIE, session);
    assert!(open(with(&path, &session)).await.html.contains("shop.example/tea"));
    // The cookie is valid for this report only, under any name.
    let other = running.client.create_with_privacy(TEA, "2").await;
    let renamed = session.replace(&format!("session-{id}="), &format!("session-{other}="));
    assert!(open(with(&format!("/reports/{other}"), &renamed)).await.html.contains("type=\"password\""));
    // A client with a key needs no password.
    assert!(visit(&visitor, &link(&running, id).await).await.html.contains("shop.example/tea"));
    running.client.send(Method::PUT, &format!("/api/v1/reports/{id}"), &[("password", "coffee")]).await.expect(200);
    assert!(open(with(&path, &session)).await.html.contains("type=\"password\""));
    let over_http = open(visitor.request(Method::POST, &path).form(&[("password", "coffee")])).await;
    assert!(over_http.headers[header::SET_COOKIE].to_str().unwrap().ends_with("; SameSite=Strict"));
}

#[tokio::test]
async fn wrong_passwords_are_limited_even_when_sent_concurrently() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(TEA, "2").await;
    let path = format!("/reports/{id}");
    let visitor = visitor(&running);
    let tries = (0..8).map(|_| type_password(&visitor, &path, "guess"));
    let statuses: Vec<u16> =
        futures_util::future::join_all(tries).await.iter().map(|page| page.status.as_u16()).collect();
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(403), count(429)), (5, 3), "{statuses:?}");
    let locked = type_password(&visitor, &path, "tea").await;
    assert_eq!(locked.status, 429, "the right password has to wait too");
    let wait: u64 = locked.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((800..=900).contains(&wait) && locked.html.contains("15 minutes"), "{wait}");
    let other = running.client.create_with_privacy(TEA, "2").await;
    assert_eq!(type_password(&visitor, &format!("/reports/{other}"), "tea").await.status, 303);
}

#[tokio::test]
async fn a_deleted_report_has_no_page() {
    let (running, _data) = Running::start().await;
    let id = running.client.create_with_privacy(TEA, "0").await;
    running.client.delete(&format!("/api/v1/reports/{id}")).await.expect(200);
    for path in [format!("/reports/{id}"), "/reports/0".to_owned(), "/reports/x".to_owned(), "/reports/-1".to_owned()] {
        assert_eq!(visit(&visitor(&running), &path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn previous_results_are_in_the_report_its_history_and_its_page() {
    let (running, _data) = Running::start().await;
    let id = running.client.create("https://shop.example/tea").await;
    let path = format!("/api/v1/reports/{id}");
    let fresh = running.client.get(&path).await.expect(200);
    assert_eq!(fresh.body["data"]["history"], json!([]));
    for score in [31, 64, 95] {
        running.script.score.store(score, Ordering::SeqCst);
        running.client.send(Method::PUT, &path, &[("results", "1")]).await.expect(200);
    }
    let shown = running.client.get(&path).await.expect(200);
    let history = running.client.get(&format!("{path}/history")).await.expect(200);
    assert_eq!(shown.body["data"]["history"], history.body["data"]);
    let scores: Vec<_> = history.data().iter().map(|former| former["score"].as_u64().unwrap()).collect();
    assert_eq!(scores, [64, 31, 90]);
    assert_eq!(history.data()[0]["failed"], json!(["title"]));
    assert_eq!(history.data()[0]["result"], "decent");
    let page = visit(&visitor(&running), &format!("/reports/{id}")).await;
    assert!(page.html.contains("repaired Title") && page.html.contains("broken Title"), "{}", page.html);
    let file = visit(&visitor(&running), &format!("/reports/{id}?format=json")).await;
    let file: serde_json::Value = serde_json::from_str(&file.html).unwrap();
    let results: Vec<_> = file["history"].as_array().unwrap().iter().map(|former| &former["score"]).collect();
    assert_eq!(results, [64, 31, 90], "a download has them too");
    running.client.get("/api/v1/reports/999/history").await.expect(404);
}

#[tokio::test]
async fn downloads_are_open_to_those_who_may_see_the_page() {
    let (running, _data) = Running::start().await;
    let visitor = visitor(&running);
    let public = running.client.create_with_privacy(TEA, "0").await;
    for format in ["json", "csv"] {
        let file = visit(&visitor, &format!("/reports/{public}?format={format}")).await;
        let header = |name: header::HeaderName| file.headers[&name].to_str().unwrap().to_owned();
        assert_eq!(file.status, 200);
        assert_eq!(header(header::CONTENT_DISPOSITION), format!("attachment; filename=\"report-{public}.{format}\""));
        assert!(header(header::CONTENT_TYPE).contains(format) && file.html.contains("The title is missing."));
        let posted = visitor.request(Method::POST, &format!("/reports/{public}")).form(&[("format", format)]);
        assert_eq!(open(posted).await.html, file.html);
    }
    let private = running.client.create_with_privacy(TEA, "1").await;
    let missing = visit(&visitor, "/reports/999").await;
    let refused = visit(&visitor, &format!("/reports/{private}?format=json")).await;
    assert_eq!((refused.status, &refused.html), (StatusCode::NOT_FOUND, &missing.html));
    let posted = visitor.request(Method::POST, &format!("/reports/{private}")).form(&[("format", "json")]);
    assert_eq!(open(posted).await.html, missing.html);
    // The page's button posts to the address under which the page was opened.
    let by_link = visitor.request(Method::POST, &link(&running, private).await).form(&[("format", "json")]);
    assert!(open(by_link).await.html.contains("shop.example/tea"));
}

#[tokio::test]
async fn a_page_that_becomes_private_while_a_form_is_being_sent_is_not_shown() {
    let (running, _data) = Running::start().await;
    let (id, address) = (running.client.create_with_privacy(TEA, "0").await, running.service.address());
    let head = format!(
        "POST /reports/{id} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: 11\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The service waits for the body.
    let mut continues = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut continues).await.unwrap();
    running.client.send(Method::PUT, &format!("/api/v1/reports/{id}"), &[("privacy", "1")]).await.expect(200);
    stream.write_all(b"format=json").await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 404"), "{response}");
}

#[tokio::test]
async fn downloads_of_a_protected_report_need_its_password() {
    let (running, _data) = Running::start().await;
    let (visitor, id) = (visitor(&running), running.client.create_with_privacy(TEA, "2").await);
    let path = format!("/reports/{id}");
    let refused = visit(&visitor, &format!("{path}?format=csv")).await;
    assert_eq!(refused.status, 403);
    assert!(refused.html.contains("type=\"password\"") && !refused.html.contains("shop.example"));
    let right = type_password(&visitor, &path, "tea").await;
    let session = right.headers[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let request = visitor.request(Method::POST, &path).header(header::COOKIE, session).form(&[("format", "csv")]);
    let file = open(request).await;
    assert!(file.status == 200 && file.html.starts_with("check,title,"), "{}", file.html);
}

#[tokio::test]
async fn pages_are_in_the_language_that_the_browser_prefers() {
    let (running, _data) = Running::start().await;
    let visitor = visitor(&running);
    let (public, protected) =
        (running.client.create_with_privacy(TEA, "0").await, running.client.create_with_privacy(TEA, "2").await);
    let table = [
        (format!("/reports/{public}"), "All checks", "Alle Prüfungen"),
        (format!("/reports/{protected}"), "Password", "Passwort"),
        ("/reports/999".to_owned(), "No report here", "Hier ist kein Bericht"),
    ];
    for (path, english, german) in table {
        for (accepted, tag, text) in [("de-CH, en;q=0.5", "de", german), ("fr", "en", english)] {
            let request = visitor.request(Method::GET, &path).header(header::ACCEPT_LANGUAGE, accepted);
            let page = open(request).await;
            assert!(page.html.contains(text) && page.html.contains(&format!("<html lang=\"{tag}\">")), "{}", page.html);
            assert_eq!(page.headers[header::CONTENT_LANGUAGE], tag);
            let vary: Vec<_> = page.headers.get_all(header::VARY).iter().map(|value| value.to_str().unwrap()).collect();
            assert!(vary.contains(&"Accept-Language, Cookie"), "{vary:?}");
        }
    }
}

#[tokio::test]
async fn only_public_pages_have_a_preview_image_for_shared_links() {
    let (running, _data) = Running::start().await;
    let (public, private) =
        (running.client.create_with_privacy(TEA, "0").await, running.client.create_with_privacy(TEA, "1").await);
    let visitor = visitor(&running);
    let page = visit(&visitor, &format!("/reports/{public}")).await;
    assert!(page.html.contains(&format!("og:image\" content=\"{}/bad.png", running.service.base_url())));
    let opened = visit(&visitor, &link(&running, private).await).await;
    assert!(opened.html.contains("noindex") && !opened.html.contains("og:"));
    for name in ["good", "decent", "bad"] {
        let response = visitor.request(Method::GET, &format!("/{name}.png")).send().await.unwrap();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "image/png");
        let bytes = response.bytes().await.unwrap();
        // The size of a PNG is in its first chunk.
        assert_eq!((&bytes[16..20], &bytes[20..24]), (&1200_u32.to_be_bytes()[..], &630_u32.to_be_bytes()[..]));
        assert!(bytes.len() < 30_000);
    }
    let robots = visit(&visitor, "/robots.txt").await;
    assert!(robots.status == 200 && robots.html.contains("Disallow: /api/") && robots.html.contains("Allow: /"));
}

#[tokio::test]
async fn titles_shared_with_other_public_reports_of_the_project_are_noted() {
    let (running, _data) = Running::start().await;
    let create = async |url: &str, privacy: &str| {
        let form = [("url", url), ("privacy", privacy)];
        let answer = running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
        answer.body["data"]["id"].as_i64().unwrap()
    };
    let first = create("https://shop.example/a?titled=Tea&described=All+teas", "0").await;
    let same = create("https://shop.example/b?titled=Tea&described=Other", "0").await;
    for (url, privacy) in [
        ("https://shop.example/c?titled=Tea", "1"),
        ("https://other.example/d?titled=Tea", "0"),
        ("https://shop.example/a?titled=Tea&described=All+teas", "0"),
        ("https://shop.example/e?titled=", "0"),
        ("https://shop.example/f?titled=", "0"),
        ("https://shop.example/g?titled=Coffee&described=All+teas", "0"),
    ] {
        create(url, privacy).await;
    }
    let visitor = visitor(&running);
    let page = visit(&visitor, &format!("/reports/{first}")).await.html;
    assert!(page.contains("with the same title: 1 of the latest 200"), "{page}");
    assert!(page.contains("with the same description: 1 of the latest 200"), "{page}");
    let page = visit(&visitor, &format!("/reports/{same}")).await.html;
    assert!(page.contains("with the same title: 2 of") && !page.contains("the same description"), "{page}");
    let untitled = visit(&visitor, "/reports/6").await.html;
    assert!(!untitled.contains("the same title"), "empty titles are not duplicates");
}
