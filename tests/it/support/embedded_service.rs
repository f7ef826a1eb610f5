//! The embedded service with scripted audits, and an HTTP client that returns responses unmodified.
//!
//! The URL of a page scripts its audit: `?score=31` sets its score, `?project=a%20b` its project, `?status=404` the
//! status of its response, and `?says=x` a finding of one of its checks. Audits of the hosts `refused.example`,
//! `panics.example` and `slow.example` are refused, panic and block; `misspelt.example` does not resolve.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use reportdeck::domain::report::check::{Check, CheckOutcome, Importance};
use reportdeck::service::{
    self, AuditFailure, AuditResult, AuditTimes, Options, PageAuditor, Proxies, Service, StartError, StoreAddress,
};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Environment variable that selects the engine of services whose test names none: `postgres`, or SQLite if unset.
pub const ENGINE: &str = "REPORTDECK_TEST_ENGINE";

#[cfg(all(unix, feature = "postgres"))]
pub use super::postgres::store_of;

/// Returns the store of a data directory.
#[cfg(not(all(unix, feature = "postgres")))]
pub async fn store_of(data: &Path) -> StoreAddress {
    data.into()
}

/// The API key of every test client.
pub const KEY: &str = "rdk_for_tests";

/// Scripted audits.
pub struct Script {
    /// The score where the URL names none.
    pub score: AtomicU8,
    /// While true, no audit finishes.
    pub unfinished: AtomicBool,
    /// Number of started audits.
    pub begun: AtomicUsize,
    /// Each permit lets one audit of `slow.example` finish.
    pub end: Semaphore,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            score: AtomicU8::new(90),
            unfinished: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            end: Semaphore::new(0),
        }
    }
}

impl PageAuditor for Script {
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
        async move {
            self.begun.fetch_add(1, Ordering::SeqCst);
            let whole = if url.contains("://") { url.to_owned() } else { format!("https://{url}") };
            let url = reqwest::Url::parse(&whole).map_err(|error| AuditFailure::Refused(error.to_string()))?;
            let host = url.host_str().unwrap().to_owned();
            assert_ne!(host, "panics.example", "as the script wants it");
            if host == "refused.example" {
                return Err(AuditFailure::Refused("This address may not be fetched.".to_owned()));
            }
            if self.unfinished.load(Ordering::SeqCst) {
                return Err(AuditFailure::Unfinished("as the script wants it".to_owned()));
            }
            if host.ends_with("slow.example") {
                self.end.acquire().await.unwrap().forget();
            }
            let parameter =
                |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
            let score = parameter("score").map_or(self.score.load(Ordering::SeqCst), |score| score.parse().unwrap());
            let status = status(&host, parameter("status"));
            let mut checks = checks(score);
            if let Some(says) = parameter("says") {
                checks[1].value = says.into();
            }
            if let Some(title) = parameter("titled") {
                checks[0].value = serde_json::json!({ "title": title });
            }
            let described = parameter("described").map(|text| Check {
                id: "meta_description".into(),
                value: text.into(),
                outcome: CheckOutcome::Passed,
                ..checks[0].clone()
            });
            checks.extend(described);
            Ok(AuditResult {
                project: parameter("project").unwrap_or_else(|| host.trim_start_matches("www.").to_owned()),
                url: url.into(),
                score,
                checks: checks.into_iter().chain(status).collect(),
            })
        }
        .boxed()
    }
}

/// Returns the HTTP status check if it fails.
fn status(host: &str, parameter: Option<String>) -> Option<Check> {
    let value = match parameter {
        Some(status) => status.parse().unwrap(),
        None if host == "misspelt.example" => serde_json::json!({ "trouble": "name" }),
        None => return None,
    };
    Some(Check {
        id: "http_status".into(),
        category: Some("seo".into()),
        importance: Some(Importance::High),
        outcome: CheckOutcome::Failed,
        value,
        errors: vec!["the page could not be fetched".into()],
    })
}

/// Returns one check of each outcome; the title check fails below a score of 80.
fn checks(score: u8) -> Vec<Check> {
    let check = |id: &str, outcome, importance, errors: &[&str]| Check {
        id: id.into(),
        category: Some("seo".into()),
        importance: Some(importance),
        outcome,
        value: serde_json::json!({ "length": score }),
        errors: errors.iter().map(|error| (*error).into()).collect(),
    };
    let title = if score < 80 { CheckOutcome::Failed } else { CheckOutcome::Passed };
    let errors: &[&str] = if score < 80 { &["The title is missing."] } else { &[] };
    vec![
        check("title", title, Importance::High, errors),
        check("hreflang", CheckOutcome::NotApplicable, Importance::Low, &[]),
        check("description_length", CheckOutcome::Note, Importance::Note, &[]),
    ]
}

/// A running service, the script of its audits, and a client with its key.
pub struct Running {
    pub script: Arc<Script>,
    pub service: Service,
    pub client: Client,
}

impl Running {
    /// Starts a service on a data directory, which may contain data.
    pub async fn try_on(data: &Path) -> Result<Self, StartError> {
        Self::with_rate_limit(data, None).await
    }

    /// Starts a service with a rate limit per key.
    pub async fn with_rate_limit(data: &Path, requests_per_minute: Option<u32>) -> Result<Self, StartError> {
        Self::with(data, requests_per_minute, Proxies::default()).await
    }

    /// Starts a service behind reverse proxies.
    pub async fn behind_proxies(data: &Path, proxies: Proxies) -> Self {
        Self::with(data, None, proxies).await.unwrap()
    }

    /// Starts a service with a rate limit per key, behind reverse proxies.
    pub async fn with(data: &Path, requests_per_minute: Option<u32>, proxies: Proxies) -> Result<Self, StartError> {
        Self::on_store(store_of(data).await, requests_per_minute, proxies).await
    }

    /// Starts a service on a store of a given engine.
    pub async fn on_store(
        store: StoreAddress,
        requests_per_minute: Option<u32>,
        proxies: Proxies,
    ) -> Result<Self, StartError> {
        Self::configured(store, |options| {
            (options.requests_per_minute, options.proxies) = (requests_per_minute, proxies);
        })
        .await
    }

    /// Starts a service with these time limits for audits.
    pub async fn with_times(store: StoreAddress, times: AuditTimes) -> Result<Self, StartError> {
        Self::configured(store, |options| options.audit_times = times).await
    }

    /// Starts a service that keeps the desk's log for this number of days; 0 keeps it forever.
    pub async fn with_desk_retention(
        store: StoreAddress,
        requests_per_minute: Option<u32>,
        proxies: Proxies,
        desk_keep_days: u32,
    ) -> Result<Self, StartError> {
        Self::configured(store, |options| {
            (options.requests_per_minute, options.proxies) = (requests_per_minute, proxies);
            options.desk_keep_days = desk_keep_days;
        })
        .await
    }

    /// Starts a service with changed options.
    async fn configured(store: StoreAddress, change: impl FnOnce(&mut Options)) -> Result<Self, StartError> {
        // A test that fails with a status 500 shows the error that the service logged. On stderr, because the stdout of a
        // service in another process is read only until it has printed its address.
        let writer = tracing_subscriber::fmt::TestWriter::with_stderr;
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::ERROR).with_writer(writer);
        let _ = log.try_init();
        let script = Arc::new(Script::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut options = Options {
            audits: Arc::clone(&script) as Arc<dyn PageAuditor>,
            store,
            max_audits: service::DEFAULT_MAX_AUDITS,
            audit_times: AuditTimes::default(),
            requests_per_minute: None,
            desk_keep_days: 0,
            proxies: Proxies::default(),
            run_key: Some(KEY.into()),
        };
        change(&mut options);
        let service = service::start(listener, options).await?;
        let client = Client::new(&service.base_url(), Some(KEY));
        Ok(Self { script, service, client })
    }

    /// Starts a service on a data directory; panics on an error.
    pub async fn on(data: &Path) -> Self {
        Self::try_on(data).await.unwrap()
    }

    /// Starts a service on a new directory, which is deleted when the returned guard is dropped.
    pub async fn start() -> (Self, TempDir) {
        let data = tempfile::tempdir().unwrap();
        (Self::on(data.path()).await, data)
    }
}

/// A response, unmodified.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Answer {
    /// Returns the ids of a list in order.
    pub fn ids(&self) -> Vec<i64> {
        self.data().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    }

    /// Returns one field of every row of a list.
    pub fn texts(&self, field: &str) -> Vec<&str> {
        self.data().iter().map(|row| row[field].as_str().unwrap()).collect()
    }

    /// Returns the rows of a list.
    pub fn data(&self) -> &[Value] {
        self.body["data"].as_array().unwrap_or_else(|| panic!("no list: {self:?}"))
    }

    /// Returns the names of the invalid fields.
    pub fn refused(&self) -> Vec<&str> {
        self.body["errors"].as_object().unwrap().keys().map(String::as_str).collect()
    }

    /// Asserts the status of the response and the one repeated in its body.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.body["status"], status, "{self:?}");
        self
    }
}

/// A plain HTTP client with a key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

impl Client {
    pub fn new(base: &str, key: Option<&str>) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .tls_certs_only([])
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self { http, base: base.to_owned(), key: key.map(str::to_owned) }
    }

    /// Prepares a request, to be modified and sent with [`sent`].
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        sent(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        sent(self.request(Method::DELETE, path)).await
    }

    /// Sends a form-encoded write.
    pub async fn send(&self, method: Method, path: &str, form: &[(&str, &str)]) -> Answer {
        sent(self.request(method, path).form(form)).await
    }

    /// Prepares a write with a JSON body, to be modified and sent with [`sent`].
    pub fn json(&self, method: Method, path: &str, body: &Value) -> reqwest::RequestBuilder {
        self.request(method, path).header("content-type", "application/json").body(body.to_string())
    }

    /// Creates a report and returns its id; panics on an error.
    pub async fn create(&self, url: &str) -> i64 {
        self.create_with(&[("url", url)]).await
    }

    /// Creates a report with this privacy and, if it needs one, the password `tea`.
    pub async fn create_with_privacy(&self, url: &str, privacy: &str) -> i64 {
        let password = (privacy == "2").then_some(("password", "tea"));
        let form: Vec<_> = [("url", url), ("privacy", privacy)].into_iter().chain(password).collect();
        self.create_with(&form).await
    }

    async fn create_with(&self, form: &[(&str, &str)]) -> i64 {
        let answer = self.send(Method::POST, "/api/v1/reports", form).await.expect(201);
        answer.body["data"]["id"].as_i64().unwrap()
    }
}

/// Sends a request. The response must be JSON.
pub async fn sent(request: reqwest::RequestBuilder) -> Answer {
    try_sent(request).await.unwrap()
}

/// Sends a request over a connection that may break.
pub async fn try_sent(request: reqwest::RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    Ok(Answer { status, headers, body })
}
