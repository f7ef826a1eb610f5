//! Injected text in every field of every request: it is stored verbatim, changes nothing else, and adds no element to a
//! page and no line to the metrics.

use std::collections::BTreeMap;
use std::path::Path;

use reqwest::{Method, header};
use rusqlite::Connection;

use crate::support::embedded_service::{Client, KEY, Running};

/// Texts that terminate a string, tag, attribute, comment, line, label or statement in some format.
const TEXTS: [&str; 26] = [
    "'; DROP TABLE reports; --",
    "'); DELETE FROM keys; --",
    "\" OR \"1\"=\"1",
    "' OR 1=1 --",
    "x' UNION SELECT name, value FROM secrets --",
    "1; UPDATE reports SET privacy = 0",
    "%' AND url LIKE '%",
    "url:*\" OR report_search MATCH \"x",
    "NEAR(a b) AND NOT c*",
    "_%\\",
    "?1 $name :name @name",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' autofocus onfocus='alert(1)",
    "</title></style></textarea><svg/onload=alert(1)>",
    "--><iframe srcdoc=x>",
    "]]><b>",
    "&lt;b&gt;&#60;b&#62;",
    "javascript:alert(1)",
    "{{7*7}}${7*7}<%= 7*7 %>{% raw %}",
    "a\"} 1\nreportdeck_forged_total 9\n# EOF",
    "a\r\nSet-Cookie: a=b\r\n\r\n<b>",
    "{\"level\":\"INFO\",\"fields\":{}}",
    "=HYPERLINK(\"http://x\")",
    "\u{202e}\u{0}\u{1b}[2J\u{7f}\u{9b}",
    "ſ\u{212a}İ\u{301}\u{feff}👩\u{200d}👩",
];

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Returns the schema and the number of rows of each table.
fn shape(data: &Path) -> (Vec<String>, BTreeMap<String, i64>) {
    let database = Connection::open(data.join("reports.sqlite3")).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    let mut schema =
        database.prepare("SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1").unwrap();
    let schema: Vec<String> = schema.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let tables = ["reports", "results", "history", "projects", "keys", "secrets", "totals"];
    let count = |table: &str| {
        let count = database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
        (table.to_owned(), count.unwrap())
    };
    (schema, tables.map(count).into_iter().collect())
}

/// Counts the elements of a page with the names of their attributes.
fn elements(html: &str) -> BTreeMap<String, usize> {
    let tree = scraper::Html::parse_document(html);
    let mut counts = BTreeMap::new();
    for element in tree.select(&scraper::Selector::parse("*").unwrap()) {
        let mut names: Vec<&str> = element.value().attrs().map(|(name, _)| name).collect();
        names.sort_unstable();
        *counts.entry(format!("{} {names:?}", element.value().name())).or_default() += 1;
    }
    counts
}

async fn page(anonymous: &Client, id: i64) -> String {
    anonymous.request(Method::GET, &format!("/reports/{id}")).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn injected_text_is_stored_verbatim_and_adds_no_elements_to_its_page() {
    let (running, data) = Running::start().await;
    let anonymous = Client::new(&running.service.base_url(), None);
    let plain = running.client.create("https://shop.example/?score=31&project=a").await;
    let expected = elements(&page(&anonymous, plain).await);
    let (schema, before) = shape(data.path());
    let mut made = Vec::new();
    for text in TEXTS {
        let url = format!("https://shop.example/?score=31&project={}", encoded(text));
        made.push(running.client.create(&url).await);
    }
    let (after_schema, after) = shape(data.path());
    assert_eq!(after_schema, schema);
    let count = i64::try_from(TEXTS.len()).unwrap();
    let grown = ["projects", "reports", "results"];
    for (table, rows) in &after {
        let more = if grown.contains(&table.as_str()) { count } else { 0 };
        assert_eq!(*rows, before[table] + more, "{table}");
    }
    for (text, id) in TEXTS.into_iter().zip(&made) {
        let shown = running.client.get(&format!("/api/v1/reports/{id}")).await.expect(200);
        assert_eq!(shown.body["data"]["project"], text);
        for (path, field) in [("reports?project", "project"), ("projects?search", "project")] {
            let found = running.client.get(&format!("/api/v1/{path}={}", encoded(text))).await.expect(200);
            assert!(found.texts(field).contains(&text), "{path}={text}: {found:?}");
        }
        let html = page(&anonymous, *id).await;
        assert_eq!(elements(&html), expected, "{text}: {html}");
    }
    for (text, id) in TEXTS.into_iter().zip(&made) {
        let gone = running.client.delete(&format!("/api/v1/projects/{}", encoded(text))).await.expect(200);
        assert_eq!(gone.body["id"], text);
        running.client.get(&format!("/api/v1/reports/{id}")).await.expect(404);
    }
    assert_eq!(shape(data.path()), (schema, before), "each project was deleted by its own name");
}

#[tokio::test]
async fn hostile_urls_are_stored_verbatim() {
    let (running, data) = Running::start().await;
    let anonymous = Client::new(&running.service.base_url(), None);
    let plain = running.client.create("https://shop.example/a").await;
    let expected = elements(&page(&anonymous, plain).await);
    let (schema, _) = shape(data.path());
    for (number, text) in TEXTS.into_iter().enumerate() {
        for whole in
            [format!("https://shop.example/{number}?{text}"), format!("https://shop.example/{text}"), text.to_owned()]
        {
            let answer = running.client.send(Method::POST, "/api/v1/reports", &[("url", &whole)]).await;
            assert!(matches!(answer.status.as_u16(), 201 | 422), "{whole}: {answer:?}");
            if answer.status == 422 {
                assert_eq!(answer.refused(), ["url"]);
                continue;
            }
            let asked = if whole.contains("://") { whole.trim().to_owned() } else { format!("https://{whole}") };
            let kept = answer.body["data"]["url"].as_str().unwrap();
            assert_eq!(kept, reqwest::Url::parse(&asked).unwrap().as_str());
            let id = answer.body["data"]["id"].as_i64().unwrap();
            let search = kept.trim_start_matches("https://");
            let found = running.client.get(&format!("/api/v1/reports?search={}", encoded(search))).await.expect(200);
            assert!(found.ids().contains(&id), "{search}");
            assert_eq!(elements(&page(&anonymous, id).await), expected, "{whole}");
        }
    }
    assert_eq!(shape(data.path()).0, schema);
}

#[tokio::test]
async fn any_text_is_a_valid_password_and_only_it_matches() {
    let (running, _data) = Running::start().await;
    let anonymous = Client::new(&running.service.base_url(), None);
    for text in TEXTS {
        let form = [("url", "https://shop.example/"), ("privacy", "2"), ("password", text)];
        let made = running.client.send(Method::POST, "/api/v1/reports", &form).await.expect(201);
        let path = format!("/reports/{}", made.body["data"]["id"]);
        assert!(!made.body.to_string().contains(text));
        let typed = async |password: &str| {
            let form = anonymous.request(Method::POST, &path).form(&[("password", password)]);
            form.send().await.unwrap().status().as_u16()
        };
        assert_eq!((typed(&format!("{text} ")).await, typed(text).await), (403, 303), "{text}");
    }
}

#[tokio::test]
async fn injected_text_in_any_other_field_is_rejected_or_ignored() {
    let (running, data) = Running::start().await;
    let anonymous = Client::new(&running.service.base_url(), None);
    let kept = running.client.create("https://shop.example/?score=31").await;
    let before = shape(data.path());
    let report = format!("/api/v1/reports/{kept}");
    for text in TEXTS {
        let escaped = encoded(text);
        for list in ["reports", "projects"] {
            for name in ["search_by", "sort_by", "sort", "result", "per_page", "page", "cursor", &escaped] {
                let path = format!("/api/v1/{list}?{name}={escaped}");
                let answer = running.client.get(&path).await;
                let ignored = name == escaped || (list == "projects" && name == "result");
                assert_eq!(answer.status, if ignored { 200 } else { 422 }, "{path}: {answer:?}");
                assert!(!answer.headers.contains_key(header::SET_COOKIE));
            }
        }
        for path in
            [format!("/api/v1/reports/{escaped}"), format!("/api/v1/reports/{escaped}/history"), format!("/{escaped}")]
        {
            running.client.get(&path).await.expect(404);
        }
        for path in [format!("/api/v1/reports/{escaped}"), format!("/api/v1/projects/{escaped}")] {
            running.client.delete(&path).await.expect(404);
        }
        for name in ["privacy", "results"] {
            let answer = running.client.send(Method::PUT, &report, &[(name, text)]).await.expect(422);
            assert_eq!(answer.refused(), [name]);
        }
        // Unknown fields, also with the texts as names.
        for form in [[("id", text)], [("project", text)], [("url", text)], [(text, text)], [("score", "100")]] {
            running.client.send(Method::PUT, &report, &form).await.expect(200);
        }
        // Headers, where HTTP permits the text.
        for name in
            ["authorization", "cookie", "x-forwarded-proto", "x-forwarded-for", "accept", "user-agent", "content-type"]
        {
            let Ok(value) = header::HeaderValue::from_bytes(format!("Bearer {text}").as_bytes()) else { continue };
            for path in [report.as_str(), "/reports/1", "/health"] {
                let request = anonymous.request(Method::GET, path).header(name, value.clone());
                let answer = request.send().await.unwrap();
                let expected = if path == report { 401 } else { 200 };
                assert_eq!(answer.status(), expected, "{name}: {text} for {path}");
                assert!(!answer.text().await.unwrap().contains(KEY));
            }
        }
        let method = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let Ok(method) = Method::from_bytes(format!("X{method}").as_bytes()) else { continue };
        anonymous.request(method, "/health").send().await.unwrap();
    }
    assert_eq!(shape(data.path()), before);
    let shown = running.client.get(&report).await.expect(200);
    assert_eq!((&shown.body["data"]["score"], &shown.body["data"]["privacy"]), (&31.into(), &0.into()));

    let metrics = anonymous.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert_eq!(metrics.matches("# EOF").count(), 1);
    for line in metrics.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("reportdeck_") && !name.contains("forged") && value.parse::<f64>().is_ok(), "{line}");
        let methods = line.split("method=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(methods.is_none_or(|method| ["GET", "POST", "PUT", "DELETE", "other"].contains(&method)), "{line}");
    }
}
