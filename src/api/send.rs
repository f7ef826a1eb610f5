//! Sends requests: key, limits, redirects, retries of reads, and the activity log. Writes are sent exactly once.

use std::sync::Arc;
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, LOCATION};
use reqwest::{Method, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;
use url::Url;

use super::address::BaseUrl;
use super::answer::{Answer, TransportError};
use super::contract::parameter;
use super::error::{self, Operation};
use super::http_pool::HttpPool;
use super::limits::Limits;
use super::rate_budget::{self, RateBudget};
use super::redact;
use crate::domain::activity::Exchange;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::clean;

/// The maximum number of attempts of a read.
const READ_TRIES: usize = 3;
/// The longest `Retry-After` honoured here. Longer ones are left to the caller.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The maximum number of redirects.
const MOST_REDIRECTS: usize = 5;

/// The maximum URL length in bytes: common servers accept 8 KiB for the request line.
const LONGEST_URL: usize = 8_000;
/// Called for every exchange, from the client's tasks, so it must be fast.
pub type Observer = Arc<dyn Fn(Exchange) + Send + Sync>;

/// The priority of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Interactive: sent immediately.
    Person,
    /// Background: waits when the rate budget is nearly spent.
    Background,
}

/// The state shared by all requests of a client.
#[derive(Clone)]
pub(super) struct Sender {
    pub(super) pool: Arc<HttpPool>,
    pub(super) base: BaseUrl,
    /// The host as failures name it: with the proxy that requests go through, if any.
    pub(super) host: String,
    pub(super) key: SecretString,
    pub(super) observer: Observer,
    pub(super) limits: Limits,
    pub(super) rate_budget: RateBudget,
}

/// Form fields in the order sent.
pub(super) type FormFields = Vec<(&'static str, String)>;

/// The body of a request.
#[derive(Clone, Copy)]
pub(super) enum RequestBody<'r> {
    None,
    Form(&'r FormFields),
    /// Encoded JSON.
    Json(&'r str),
}

/// A request without its key.
#[derive(Clone)]
pub(super) struct OutgoingRequest<'r> {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) body: RequestBody<'r>,
    /// A conditional header. If the condition fails, the response is 412, which is not a failure.
    pub(super) condition: Option<(HeaderName, String)>,
    /// How long the service may deliberately delay the response, in addition to the limits.
    pub(super) waits: Duration,
}

impl OutgoingRequest<'_> {
    /// Creates a read.
    pub(super) fn read(url: &Url) -> Self {
        Self { method: Method::GET, url: url.clone(), body: RequestBody::None, condition: None, waits: Duration::ZERO }
    }

    /// The page password it sets, if any.
    fn password(&self) -> Option<&str> {
        let RequestBody::Form(fields) = self.body else { return None };
        fields.iter().find(|(name, _)| *name == parameter::PASSWORD).map(|(_, password)| password.as_str())
    }

    /// Whether it creates or re-runs a report, so that the response waits for an audit.
    fn audits(&self) -> bool {
        let RequestBody::Form(fields) = self.body else { return false };
        self.method == Method::POST || fields.iter().any(|(name, _)| *name == parameter::RESULTS)
    }
}

impl Sender {
    /// Sends a read: up to three attempts, following redirects on the same origin.
    pub(super) async fn read(&self, operation: Operation, url: &Url, priority: Priority) -> Result<Answer, Failure> {
        if priority == Priority::Background {
            self.rate_budget.wait_in_background().await;
        }
        self.repeat(operation, &OutgoingRequest::read(url)).await
    }

    /// Sends a read or an idempotent write: up to three attempts, within the time limit for all of them.
    pub(super) async fn repeat(&self, operation: Operation, request: &OutgoingRequest<'_>) -> Result<Answer, Failure> {
        let attempts = self.attempts(operation, request);
        match self.limits.whole_read {
            None => attempts.await,
            Some(limit) => tokio::time::timeout(limit + request.waits, attempts)
                .await
                .unwrap_or_else(|_| Err(error::from_transport(operation, &TransportError::TimedOut, &self.host))),
        }
    }

    async fn attempts(&self, operation: Operation, request: &OutgoingRequest<'_>) -> Result<Answer, Failure> {
        let backoff = ExponentialBuilder::default().with_jitter().with_min_delay(self.limits.first_pause);
        let mut attempt = 0;
        let follow = || {
            attempt += 1;
            self.follow(operation, request, attempt)
        };
        let or_as_asked = |failure: &Failure, pause: Option<Duration>| {
            let asked = failure.retry_after.unwrap_or_default();
            pause.filter(|_| asked <= LONGEST_PAUSE).map(|pause| pause.max(asked))
        };
        follow.retry(backoff.with_max_times(READ_TRIES - 1)).when(is_retryable).adjust(or_as_asked).await
    }

    /// Makes one attempt, following the redirects of a read.
    async fn follow(
        &self,
        operation: Operation,
        request: &OutgoingRequest<'_>,
        attempt: u32,
    ) -> Result<Answer, Failure> {
        let mut request = request.clone();
        for _ in 0..=MOST_REDIRECTS {
            let sent = self.exchange(&request, attempt).await;
            let answer = sent.map_err(|trouble| error::from_transport(operation, &trouble, &self.host))?;
            if request.condition.is_some() && answer.status == StatusCode::PRECONDITION_FAILED {
                return Ok(answer);
            }
            if !is_redirect(answer.status) {
                return self.check_status(operation, answer, &request.url);
            }
            if request.method != Method::GET {
                return Err(self.redirected_write(operation, &answer, &request.url));
            }
            request.url = self.redirect_target(operation, &answer, &request.url)?;
        }
        Err(error::wrong_address(operation, &format!("{} redirects in a loop", self.shown(&request.url))))
    }

    /// Sends a write once. A redirect is an error: the write is not repeated elsewhere.
    pub(super) async fn write(
        &self,
        operation: Operation,
        method: &Method,
        url: &Url,
        form: Option<&FormFields>,
    ) -> Result<Answer, WriteError> {
        let body = form.map_or(RequestBody::None, RequestBody::Form);
        let request = OutgoingRequest { method: method.clone(), body, ..OutgoingRequest::read(url) };
        let answer = self.exchange(&request, 1).await.map_err(WriteError::NoAnswer)?;
        if is_redirect(answer.status) {
            return Err(WriteError::Refused(self.redirected_write(operation, &answer, url)));
        }
        self.check_status(operation, answer, url).map_err(WriteError::Refused)
    }

    /// Returns the failure of a redirected write.
    fn redirected_write(&self, operation: Operation, answer: &Answer, from: &Url) -> Failure {
        let target = match self.redirect_target(operation, answer, from) {
            Ok(target) => target,
            Err(failure) => return failure,
        };
        let (from, target) = (self.shown(from), self.shown(&target));
        let why = format!("{from} redirects to {target}, and a write is not sent again elsewhere");
        error::wrong_address(operation, &why).with_status(answer.status.as_u16())
    }

    /// Returns the target of a redirect, if the key may be sent there.
    fn redirect_target(&self, operation: Operation, answer: &Answer, from: &Url) -> Result<Url, Failure> {
        let status = answer.status.as_u16();
        let target = answer.header(LOCATION).and_then(|location| from.join(location).ok());
        let Some(mut target) = target else {
            return Err(error::wrong_address(
                operation,
                &format!("{} redirects without a valid target", self.shown(from)),
            )
            .with_status(status));
        };
        if is_login_page(&target) {
            let why = format!("(it redirects to the login page {})", self.shown(&target));
            return Err(error::refused_key(operation, &why).with_status(status));
        }
        if !self.base.is_same_origin(&target) {
            // A host is in lower case.
            let key = self.key.expose_secret().to_ascii_lowercase();
            let origin = redact::text_without_secret(target.origin().ascii_serialization(), &key);
            let origin = clean(&origin);
            let why =
                format!("{} redirects to another origin ({origin}), to which the key is not sent", self.shown(from));
            return Err(error::wrong_address(operation, &why).with_status(status));
        }
        // Without its filter and page number, a list would have other rows.
        if target.query().is_none() {
            target.set_query(from.query());
        }
        Ok(target)
    }

    async fn exchange(&self, request: &OutgoingRequest<'_>, attempt: u32) -> Result<Answer, TransportError> {
        let (at, started) = (Timestamp::now(), Instant::now());
        let OutgoingRequest { method, url, .. } = request;
        let limit = if *method == Method::GET { self.limits.read } else { self.limits.write };
        let (http, generation) = self.pool.client();
        let sent = tokio::time::timeout(limit + request.waits, self.send_and_read(&http, request)).await;
        let result = sent.unwrap_or(Err(TransportError::TimedOut));
        if result.is_err() {
            self.pool.give_up(generation);
        }
        let answer = result.as_ref().ok();
        (self.observer)(Exchange {
            at,
            method: method_word(method),
            path: self.shown(url),
            audits: request.audits(),
            status: answer.map(|answer| answer.status.as_u16()),
            took: started.elapsed(),
            bytes: answer.map_or(0, |answer| answer.body.len() as u64),
            limit: answer.and_then(|answer| rate_budget::rate_limit_headers(&answer.headers)),
            attempt,
            problem: result.as_ref().err().map(ToString::to_string).unwrap_or_default(),
        });
        result
    }

    fn check_status(&self, operation: Operation, answer: Answer, url: &Url) -> Result<Answer, Failure> {
        if answer.status.is_success() {
            Ok(answer)
        } else {
            Err(error::of_status(operation, &answer, &self.shown(url)))
        }
    }

    /// Path and query for logs: sanitised, and without the key in case a redirect included it.
    fn shown(&self, url: &Url) -> String {
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        clean(&redact::text_without_secret(format!("{}{query}", url.path()), self.key.expose_secret())).into_owned()
    }

    async fn send_and_read(
        &self,
        http: &reqwest::Client,
        outgoing: &OutgoingRequest<'_>,
    ) -> Result<Answer, TransportError> {
        let OutgoingRequest { method, url, body, condition, waits } = outgoing;
        if url.as_str().len() > LONGEST_URL {
            return Err(TransportError::RequestTooLong);
        }
        let key = self.key.expose_secret();
        let mut request = http.request(method.clone(), url.clone()).bearer_auth(key).header(ACCEPT, "application/json");
        request = match body {
            RequestBody::None => request,
            RequestBody::Form(form) => request.form(form),
            RequestBody::Json(json) => request.header(CONTENT_TYPE, "application/json").body((*json).to_owned()),
        };
        if let Some((name, value)) = condition {
            request = request.header(name, value);
        }
        let answering = request.send();
        let response = if *method == Method::GET {
            tokio::time::timeout(self.limits.idle + *waits, answering).await.map_err(|_| TransportError::TimedOut)?
        } else {
            answering.await
        };
        let response = response.map_err(|error| TransportError::from_error(error, key))?;
        self.rate_budget.note(response.headers());
        let mut answer = Answer::read(response, &self.limits, key).await?;
        // A saved report is left as it is: a password may be a word of its URL.
        if let Some(password) = outgoing.password().filter(|_| !answer.status.is_success()) {
            answer.body = redact::without_secret(answer.body, password);
        }
        Ok(answer)
    }
}

/// A failed write: with an error response, or without a response.
pub(super) enum WriteError {
    Refused(Failure),
    NoAnswer(TransportError),
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Whether a failed read may succeed when retried.
fn is_retryable(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::Unreachable | FailureKind::TimedOut => true,
        FailureKind::Service => failure.status.is_some_and(|status| status >= 500),
        FailureKind::Unauthorised
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::WrongAddress
        | FailureKind::Invalid
        | FailureKind::RateLimited
        | FailureKind::Unreadable
        | FailureKind::TooLarge
        | FailureKind::Local => false,
    }
}

/// Whether a URL is probably a login page: `…/login`, `…/sign-in?…`, as common frameworks name it.
fn is_login_page(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let mut names = path.split('/').map(|part| part.split_once('.').map_or(part, |(name, _)| name));
    names.any(|part| matches!(part, "login" | "log-in" | "signin" | "sign-in" | "sign_in"))
}

fn method_word(method: &Method) -> &'static str {
    match *method {
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "GET",
    }
}
