//! The OpenAPI description: every operation responds as described, with every documented status.
//!
//! If `SCHEMATHESIS` names the program of that Python package, it looks for further cases; `.ci/run` installs it. Audits are
//! scripted, so no request leaves the machine.

use std::collections::BTreeSet;

use boon::{Compiler, Draft, Schemas};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::embedded_service::{Answer, Client, KEY, Running, sent};

/// Headers of every response, which say nothing about the operation.
const GENERAL: [&str; 5] = ["cache-control", "content-length", "content-type", "date", "x-content-type-options"];

/// The description, and which of its responses have been seen.
pub struct Description {
    document: Value,
    seen: BTreeSet<String>,
}

impl Description {
    pub async fn of(running: &Running) -> Self {
        let visitor = Client::new(&running.service.base_url(), None);
        let response = visitor.request(Method::GET, "/api/v1/openapi.json").send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "application/json");
        let document = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        Self { document, seen: BTreeSet::new() }
    }

    /// Asserts that a response is documented for the operation and matches its schema.
    #[track_caller]
    pub fn holds(&mut self, method: &Method, path: &str, answer: &Answer) {
        let method = method.as_str().to_ascii_lowercase();
        let operation = &self.document["paths"][path][&method];
        let status = answer.status.as_u16().to_string();
        let mut response = &operation["responses"][&status];
        assert!(response.is_object(), "{method} {path} sends {status}, which is not documented: {:?}", answer.body);
        if let Some(reference) = response["$ref"].as_str() {
            response = self.document.pointer(reference.trim_start_matches('#')).unwrap();
        }
        let described = response["headers"].as_object().into_iter().flat_map(|headers| headers.keys());
        let described: BTreeSet<String> = described.map(|name| name.to_ascii_lowercase()).collect();
        let names = answer.headers.keys().map(reqwest::header::HeaderName::as_str);
        let missing: Vec<_> = names.filter(|name| !GENERAL.contains(name) && !described.contains(*name)).collect();
        assert!(missing.is_empty(), "{method} {path} {status} sends headers that are not documented: {missing:?}");
        let mut schema = response["content"]["application/json"]["schema"].clone();
        schema["components"] = self.document["components"].clone();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.add_resource("description:/response", schema).unwrap();
        let schema = compiler.compile("description:/response", &mut schemas).unwrap();
        if let Err(wrong) = schemas.validate(&answer.body, schema) {
            panic!("{method} {path} {status}: {wrong:#} in {}", answer.body);
        }
        self.seen.insert(format!("{method} {path} {status}"));
    }

    /// Returns the documented responses that have not been seen, of the desk or of everything else, except those that a
    /// healthy service never sends, and the response to a body that does not arrive.
    pub fn unseen(&self, of_desk: bool) -> Vec<String> {
        let mut all = BTreeSet::new();
        let paths = self.document["paths"].as_object().unwrap().iter();
        for (path, methods) in paths.filter(|(path, _)| path.starts_with("/api/v1/desk") == of_desk) {
            for (method, operation) in methods.as_object().unwrap() {
                let statuses = operation["responses"].as_object().unwrap().keys();
                let given = statuses.filter(|status| !["408", "500", "503", "507"].contains(&status.as_str()));
                all.extend(given.map(|status| format!("{method} {path} {status}")));
            }
        }
        all.difference(&self.seen).cloned().collect()
    }
}

const REPORT: &str = "/api/v1/reports/{id}";
const REPORTS: &str = "/api/v1/reports";
const PROJECT: &str = "/api/v1/projects/{project}";
const PROJECTS: &str = "/api/v1/projects";

/// The fields of a body.
type Fields = Vec<(&'static str, &'static str)>;

/// Every operation: its documented path, an actual path, and a body if it takes one.
fn operations() -> Vec<(Method, &'static str, String, Option<Fields>)> {
    let (url, again) = (vec![("url", "shop.example/tea")], vec![("results", "1")]);
    vec![
        (Method::POST, REPORTS, REPORTS.to_owned(), Some(url)),
        (Method::GET, REPORTS, REPORTS.to_owned(), None),
        (Method::PUT, REPORT, format!("{REPORTS}/1"), Some(again.clone())),
        (Method::PATCH, REPORT, format!("{REPORTS}/1"), Some(again)),
        (Method::GET, REPORT, format!("{REPORTS}/1"), None),
        (Method::GET, "/api/v1/reports/{id}/history", format!("{REPORTS}/1/history"), None),
        (Method::GET, "/api/v1/reports/{id}/link", format!("{REPORTS}/1/link"), None),
        (Method::GET, PROJECTS, PROJECTS.to_owned(), None),
        (Method::GET, "/health", "/health".to_owned(), None),
        (Method::DELETE, REPORT, format!("{REPORTS}/1"), None),
        (Method::DELETE, PROJECT, format!("{PROJECTS}/shop.example"), None),
    ]
}

fn ask(client: &Client, method: &Method, path: &str, form: Option<&[(&str, &str)]>) -> reqwest::RequestBuilder {
    let request = client.request(method.clone(), path);
    form.map_or_else(|| client.request(method.clone(), path), |form| request.form(form))
}

#[tokio::test]
async fn every_operation_responds_as_described_with_every_status() {
    let (running, data) = Running::start().await;
    running.client.create("https://shop.example/other").await;
    running.client.send(Method::PUT, "/api/v1/reports/1", &[("privacy", "1")]).await.expect(200);
    let limited = Running::with_rate_limit(data.path(), Some(0)).await.unwrap();
    let stranger = Client::new(&running.service.base_url(), None);
    let mut description = Description::of(&running).await;
    for (method, described, path, form) in operations() {
        let form = form.as_deref();
        if method == Method::DELETE && described == PROJECT {
            running.client.create("https://shop.example/last").await;
        }
        description.holds(&method, described, &sent(ask(&running.client, &method, &path, form)).await);
        let elsewhere = ask(&running.client, &method, &path, form).header("host", "elsewhere.example");
        description.holds(&method, described, &sent(elsewhere).await);
        let twice = ask(&running.client, &method, &path, form).header("host", "127.0.0.1").header("host", "127.0.0.1");
        description.holds(&method, described, &sent(twice).await);
        if described != "/health" {
            description.holds(&method, described, &sent(ask(&stranger, &method, &path, form)).await);
            description.holds(&method, described, &sent(ask(&limited.client, &method, &path, form)).await);
        }
        let missing = path.replace("/1", "/999").replace("shop.example", "none.example");
        if missing != path {
            description.holds(&method, described, &sent(ask(&running.client, &method, &missing, form)).await);
        }
        let odd = if form.is_some() { path.clone() } else { format!("{path}?sort=up") };
        if matches!(described, REPORTS | PROJECTS) || form.is_some() {
            let wrong: Option<&[(&str, &str)]> = form.map(|_| &[("privacy", "9")] as _);
            description.holds(&method, described, &sent(ask(&running.client, &method, &odd, wrong)).await);
        }
        if form.is_some() {
            let json = running.client.request(method.clone(), &path).header("content-type", "application/json");
            description.holds(&method, described, &sent(json.body("{}")).await);
            let long = "x".repeat(70_000);
            let long = ask(&running.client, &method, &path, Some(&[("url", long.as_str())]));
            description.holds(&method, described, &sent(long).await);
        }
    }
    let unseen = description.unseen(false);
    assert!(unseen.is_empty(), "documented but never seen: {unseen:#?}");
}

#[tokio::test]
async fn every_method_of_a_described_path_is_described() {
    let (running, _data) = Running::start().await;
    let document = Description::of(&running).await.document;
    for (path, operations) in document["paths"].as_object().unwrap() {
        let mut described: BTreeSet<String> =
            operations.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
        if described.contains("GET") {
            described.insert("HEAD".to_owned());
        }
        let request = running.client.request(Method::TRACE, &path.replace(['{', '}'], ""));
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 405, "{path}");
        let allowed = response.headers()["allow"].to_str().unwrap().split(',');
        assert_eq!(allowed.map(|method| method.trim().to_owned()).collect::<BTreeSet<_>>(), described, "{path}");
    }
}

#[tokio::test]
async fn allowed_values_are_those_of_the_interface() {
    let (running, _data) = Running::start().await;
    let document = Description::of(&running).await.document;
    assert_eq!(document["openapi"], "3.1.0");
    let parameters = document["paths"][REPORTS]["get"]["parameters"].as_array().unwrap();
    let allowed = |name: &str| {
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        parameter["schema"]["enum"].clone()
    };
    assert_eq!(allowed("result"), json!(["good", "decent", "bad"]));
    assert_eq!(allowed("sort_by"), json!(["id", "generated_at", "url", "result"]));
    assert_eq!(allowed("sort"), json!(["desc", "asc"]));
    assert_eq!(allowed("per_page"), json!([10, 25, 50, 100]));
    assert_eq!(allowed("search_by"), json!(["url"]));
    // The limit of audits, which accept every URL here.
    let create = document["paths"][REPORTS]["post"].to_string();
    assert!(create.contains("\"maxLength\":2048"), "{create}");
}

/// Calls `see` for each schema that lists its values.
fn each_enumeration(schema: &Value, see: &mut impl FnMut(&Value, &[Value])) {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        see(schema, values);
    } else if let Some(value) = schema.get("const") {
        see(schema, std::slice::from_ref(value));
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|value| each_enumeration(value, see)),
        Value::Array(items) => items.iter().for_each(|value| each_enumeration(value, see)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_enumeration_has_one_type_so_that_clients_can_be_generated() {
    let document: Value = serde_json::from_str(include_str!("../../../assets/openapi.json")).unwrap();
    let mut found = 0;
    each_enumeration(&document, &mut |schema, values| {
        found += 1;
        let types: BTreeSet<_> = values.iter().filter(|value| !value.is_null()).map(kind).collect();
        let declared = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
            declared => BTreeSet::from_iter(declared.as_str()),
        };
        assert_eq!((types.len(), &types), (1, &declared), "{schema}");
    });
    assert!(found > 20, "{found}");
}

#[test]
fn ids_and_revisions_have_64_bits_so_that_generated_clients_do_not_overflow() {
    let document: Value = serde_json::from_str(include_str!("../../../assets/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let parameters = paths.flat_map(|operation| operation["parameters"].as_array().unwrap());
    let parameters = parameters.map(|parameter| (parameter["name"].as_str().unwrap(), &parameter["schema"]));
    let schemas = document["components"]["schemas"].as_object().unwrap().values();
    let fields = schemas.flat_map(|schema| schema["properties"].as_object().unwrap());
    let all = parameters.chain(fields.map(|(name, schema)| (name.as_str(), schema)));
    let numbers = all.filter(|(name, schema)| {
        ["id", "service", "revision", "version", "into"].contains(name) && schema["type"] == "integer"
    });
    let formats: Vec<_> = numbers.map(|(name, schema)| (name, schema["format"].as_str())).collect();
    assert!(formats.len() > 20 && formats.iter().all(|(_, format)| *format == Some("int64")), "{formats:?}");
}

/// Returns the JSON Schema type of a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[tokio::test]
async fn every_field_of_a_report_is_required() {
    let (running, _data) = Running::start().await;
    let schemas = &Description::of(&running).await.document["components"]["schemas"];
    for (name, path) in [("Report", "/api/v1/reports"), ("WholeReport", "/api/v1/reports/1")] {
        running.client.create("https://shop.example/").await;
        let data = running.client.get(path).await.expect(200).body["data"].clone();
        let report = data.get(0).unwrap_or(&data).as_object().unwrap();
        let required: BTreeSet<_> =
            schemas[name]["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(report.keys().map(String::as_str).collect::<BTreeSet<_>>(), required, "{name}");
    }
}

#[tokio::test]
async fn the_paths_of_the_description_are_relative_to_where_it_is_read() {
    let (running, _data) = Running::start().await;
    let document = Description::of(&running).await.document;
    let server = document["servers"][0]["url"].as_str().unwrap();
    for (described, expected) in [
        ("https://shop.example/api/v1/openapi.json", "https://shop.example/"),
        ("https://shop.example/behind/a/path/api/v1/openapi.json", "https://shop.example/behind/a/path/"),
    ] {
        assert_eq!(url::Url::parse(described).unwrap().join(server).unwrap().as_str(), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing() {
    let Some(program) = std::env::var_os("SCHEMATHESIS") else {
        return eprintln!("not run: SCHEMATHESIS does not name the program");
    };
    let (running, data) = Running::start().await;
    for number in 0..30 {
        running.client.create(&format!("https://shop{}.example/{number}?score={}", number % 4, number * 3)).await;
    }
    let configuration = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/contract/schemathesis.toml");
    let base = running.service.base_url();
    let mut command = std::process::Command::new(&program);
    command.current_dir(data.path()).args(["--config-file", configuration, "run"]);
    command.arg(format!("{base}/api/v1/openapi.json")).args(["--url", &base, "--no-color"]);
    command.args(["--header", &format!("Authorization: Bearer {KEY}")]);
    let ended = tokio::task::spawn_blocking(move || command.output()).await.unwrap();
    let output = ended.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let findings = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{findings}\n{}", String::from_utf8_lossy(&output.stderr));
}
