//! The same random requests to a service on SQLite and to one on PostgreSQL get byte-identical responses, except for
//! times and addresses.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use proptest::prelude::*;
use reportdeck::service::seed::{SeedRow, seed_store};
use reportdeck::service::{Proxies, StoreAddress};
use reqwest::Method;
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;

use crate::support::embedded_service::{Client, Running};
use crate::support::postgres;

/// Texts that databases, patterns, collations and encodings treat specially.
const TEXTS: [&str; 22] = [
    "tea", "TEA", "a", "%", "_", "\\", "'", "\"", "%25", "100%_\\", "ß", "ẞ", "É", "é", "ΟΔΟΣ", "ς", "İ", "🍵", "\0",
    "a\0b", "xn--", " ",
];
const HOSTS: [&str; 4] = ["shop.example", "SHOP.example", "straße.example", "a-b.example"];
const NUMBERS: [&str; 8] = ["0", "1", "2", "3", "9223372036854775807", "9223372036854775808", "-1", "x"];
const SORTS: [&str; 6] = ["id", "generated_at", "url", "result", "created_at", "project"];
const RESULTS: [&str; 4] = ["good", "decent", "bad", "odd"];

/// A request, or a page by the cursor of the previous response.
#[derive(Debug, Clone)]
enum Step {
    Send {
        method: &'static str,
        path: String,
        form: Vec<(&'static str, String)>,
    },
    /// The next page of the last list, with a modified key in its cursor.
    Next {
        change: KeyChange,
    },
}

/// A modification of a cursor's key.
#[derive(Debug, Clone)]
enum KeyChange {
    None,
    Append(&'static str),
    Replace(Value),
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        1 => ".{0,6}",
        1 => prop::collection::vec(prop::sample::select(&TEXTS[..]), 1..4).prop_map(|texts| texts.concat()),
    ]
}

fn create() -> impl Strategy<Value = Step> {
    let parts = (
        prop::sample::select(&HOSTS[..]),
        text(),
        prop::option::of(text()),
        prop::option::of(text()),
        0..=100_u8,
        1..900_usize,
    );
    (parts, prop::option::weighted(0.3, prop::sample::select(&NUMBERS[..4])), any::<bool>()).prop_map(
        |((host, path, project, says, score, length), privacy, is_long)| {
            let mut query = Serializer::new(String::new());
            query.append_pair("score", &score.to_string());
            // A project is the host of a page, which cannot contain NUL.
            if let Some(project) = project.map(|project| project.replace('\0', "")).filter(|name| !name.is_empty()) {
                query.append_pair("project", &project);
            }
            if let Some(says) = says {
                query.append_pair("says", &says);
            }
            let filler = if is_long { "é".repeat(length) } else { String::new() };
            let mut form = vec![("url", format!("https://{host}/{path}{filler}?{}", query.finish()))];
            if let Some(privacy) = privacy {
                form.extend([("privacy", privacy.to_owned()), ("password", "tea".to_owned())]);
            }
            Step::Send { method: "POST", path: "/api/v1/reports".to_owned(), form }
        },
    )
}

fn one() -> impl Strategy<Value = String> {
    (prop_oneof![4 => (1..36_u8).prop_map(|id| id.to_string()), 1 => prop::sample::select(&NUMBERS[..]).prop_map(str::to_owned)])
        .prop_map(|id| format!("/api/v1/reports/{id}"))
}

fn list() -> impl Strategy<Value = Step> {
    let choice = |of: &'static [&'static str]| prop::option::of(prop::sample::select(of).prop_map(str::to_owned));
    let filters = (prop::option::of(text()), prop::option::weighted(0.2, text()), choice(&RESULTS));
    let place = (choice(&SORTS), choice(&["asc", "desc"]), choice(&NUMBERS), choice(&["10", "25", "7"]));
    (any::<bool>(), filters, place).prop_map(|(is_reports, (search, project, result), (by, sort, page, per_page))| {
        let path = if is_reports { "/api/v1/reports" } else { "/api/v1/projects" };
        let form = [
            ("search", search),
            ("project", project),
            ("result", result),
            ("sort_by", by),
            ("sort", sort),
            ("page", page),
            ("per_page", per_page),
        ];
        let form = form.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Step::Send { method: "GET", path: path.to_owned(), form }
    })
}

fn step() -> impl Strategy<Value = Step> {
    let send = |method, path, form| Step::Send { method, path, form };
    let update = (one(), prop::option::of(prop::sample::select(&NUMBERS[..4])), any::<bool>(), any::<bool>());
    let key = prop_oneof![
        any::<i64>().prop_map(Value::from),
        text().prop_map(Value::from),
        prop::sample::select(vec![json!(-1), json!(""), json!("https://shop.example/\0"), json!(null)]),
    ];
    prop_oneof![
        8 => create(),
        5 => update.prop_map(move |(path, privacy, rerun, password)| {
            let privacy = privacy.map(|privacy| ("privacy", privacy.to_owned()));
            let rerun = rerun.then(|| ("results", "1".to_owned()));
            let password = password.then(|| ("password", "kettle".to_owned()));
            send("PUT", path, privacy.into_iter().chain(rerun).chain(password).collect())
        }),
        2 => one().prop_map(move |path| send("DELETE", path, Vec::new())),
        1 => text().prop_map(move |name| {
            let name = percent_encoding::utf8_percent_encode(&name, percent_encoding::NON_ALPHANUMERIC).to_string();
            send("DELETE", format!("/api/v1/projects/{name}"), Vec::new())
        }),
        3 => one().prop_map(move |path| send("GET", path, Vec::new())),
        2 => one().prop_map(move |path| send("GET", format!("{path}/history"), Vec::new())),
        10 => list(),
        6 => prop_oneof![
            3 => Just(KeyChange::None),
            1 => prop::sample::select(vec!["\0", "\0x", "x"]).prop_map(KeyChange::Append),
            1 => key.prop_map(KeyChange::Replace),
        ].prop_map(|change| Step::Next { change }),
    ]
}

/// One of the two services, and the next cursor of its last list.
struct Side {
    running: Running,
    next: Option<(String, String)>,
}

impl Side {
    /// Starts a service with more than a page of reports, whose times are equal on both sides.
    async fn on(store: StoreAddress) -> Self {
        let rows = (0..24_u8).map(|number| SeedRow {
            url: format!("https://{}/{}", HOSTS[usize::from(number % 4)], TEXTS[usize::from(number % 2)]),
            project: HOSTS[usize::from(number % 4)].to_owned(),
            score: number * 4,
            generated_at: Timestamp::from_second(1_700_000_000 + i64::from(number % 5)).unwrap(),
            failed: vec!["title".to_owned(), "csp".to_owned()],
        });
        seed_store(store.clone(), rows.collect()).await.unwrap();
        Self { running: Running::on_store(store, None, Proxies::default()).await.unwrap(), next: None }
    }

    async fn perform(&mut self, step: &Step) -> Option<(u16, String)> {
        let (method, path, form) = match step {
            Step::Send { method, path, form } => (*method, path.clone(), form.clone()),
            Step::Next { change } => {
                let (path, cursor) = self.next.clone()?;
                let cursor = changed(&cursor, change);
                ("GET", format!("{path}&cursor={cursor}"), Vec::new())
            }
        };
        let client: &Client = &self.running.client;
        let (path, request) = if method == "GET" && !form.is_empty() {
            let query = Serializer::new(String::new()).extend_pairs(&form).finish();
            let path = format!("{path}?{query}");
            (path.clone(), client.request(Method::GET, &path))
        } else {
            let request = client.request(method.parse().unwrap(), &path);
            (path, if method == "GET" { request } else { request.form(&form) })
        };
        let response = request.send().await.unwrap();
        let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
        let body: Value = serde_json::from_str(&text).unwrap();
        if let Some(cursor) = body["meta"]["next_cursor"].as_str() {
            // Pages by number and by cursor differ in these parameters only.
            let base = path.split('&').filter(|part| !part.starts_with("page=") && !part.starts_with("cursor="));
            let base = base.collect::<Vec<_>>().join("&");
            self.next = Some((if base.contains('?') { base } else { format!("{base}?") }, cursor.to_owned()));
        }
        Some((status, self.comparable(&text)))
    }

    /// Returns the response without legitimate differences: addresses, times, and the times inside cursors.
    fn comparable(&self, text: &str) -> String {
        let text = text.replace(&self.running.service.base_url(), "BASE");
        let mut plain = String::new();
        let is_part = |character: char| character.is_ascii_alphanumeric() || "-_:.".contains(character);
        let mut rest = text.as_str();
        while let Some(start) = rest.find(is_part) {
            let length = rest[start..].find(|character| !is_part(character)).unwrap_or(rest.len() - start);
            let (word, after) = rest[start..].split_at(length);
            plain.push_str(&rest[..start]);
            plain.push_str(&if word.len() == 24 && word.parse::<Timestamp>().is_ok() {
                "TIME".to_owned()
            } else {
                without_time(word).unwrap_or_else(|| word.to_owned())
            });
            rest = after;
        }
        plain + rest
    }
}

fn content(cursor: &str) -> Option<Value> {
    let content = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    serde_json::from_slice::<Value>(&content).ok().filter(|content| content["list"].is_string())
}

/// Returns the content of a cursor with its time replaced by a placeholder.
fn without_time(cursor: &str) -> Option<String> {
    let mut content = content(cursor)?;
    if content["key"].as_i64().is_some_and(|key| key > 1_000_000_000_000) {
        content["key"] = "TIME".into();
    }
    Some(content.to_string())
}

fn changed(cursor: &str, change: &KeyChange) -> String {
    let mut content = content(cursor).unwrap();
    content["key"] = match (change, &content["key"]) {
        (KeyChange::None, _) => return cursor.to_owned(),
        (KeyChange::Replace(key), _) => key.clone(),
        (KeyChange::Append(end), Value::String(key)) => format!("{key}{end}").into(),
        (KeyChange::Append(_), key) => key.clone(),
    };
    BASE64_URL_SAFE_NO_PAD.encode(content.to_string())
}

/// Waits for the next millisecond of the clock: two writes in the same millisecond on only one engine would be ordered
/// differently there.
async fn next_millisecond() {
    let now = Timestamp::now().as_millisecond();
    while Timestamp::now().as_millisecond() == now {
        tokio::task::yield_now().await;
    }
}

/// Performs the same steps on both engines and compares every response.
async fn compare(steps: impl IntoIterator<Item = Step>) -> Result<(), TestCaseError> {
    let data = tempfile::tempdir().unwrap();
    let mut sqlite = Side::on(data.path().into()).await;
    let mut postgres = Side::on(StoreAddress::Postgres(postgres::new_database().await.into())).await;
    for step in steps {
        let (one, other) = (sqlite.perform(&step).await, postgres.perform(&step).await);
        prop_assert_eq!(&one, &other, "SQLite on the left, PostgreSQL on the right, at {:?}", step);
        prop_assert!(one.is_none_or(|(status, _)| status < 500), "{:?}", step);
        next_millisecond().await;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn both_engines_send_identical_responses_to_the_same_requests(steps in prop::collection::vec(step(), 1..60)) {
        if postgres::is_there() {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(compare(steps))?;
        }
    }
}

#[tokio::test]
async fn both_engines_page_every_order_and_filter_alike_even_with_a_modified_cursor() {
    if !postgres::is_there() {
        return;
    }
    let changes = || {
        let replaced = [json!(0), json!(""), json!("https://shop.example/\0"), json!(i64::MAX)];
        let appended = ["\0", "\0x", "x"].map(KeyChange::Append);
        appended.into_iter().chain(replaced.map(KeyChange::Replace)).chain([KeyChange::None, KeyChange::None])
    };
    let mut steps = Vec::new();
    for (path, sorts) in [("/api/v1/reports", &SORTS[..4]), ("/api/v1/projects", &SORTS[4..])] {
        for (sort, direction) in sorts.iter().flat_map(|sort| [(*sort, "asc"), (*sort, "desc")]) {
            for filter in [None, Some(("result", "bad")), Some(("project", "shop.example")), Some(("search", "E"))] {
                let form = [("sort_by", sort), ("sort", direction), ("per_page", "10")].into_iter().chain(filter);
                let form: Vec<_> = form.map(|(name, value)| (name, value.to_owned())).collect();
                for change in changes() {
                    // Each from the first page, whose last row is between others with the same URL.
                    steps.push(Step::Send { method: "GET", path: path.to_owned(), form: form.clone() });
                    steps.push(Step::Next { change });
                    steps.push(Step::Next { change: KeyChange::None });
                }
            }
        }
    }
    compare(steps).await.unwrap();
}
