//! Maps failed requests to user-facing [`Failure`]s.
//!
//! A service's own texts are shown but never matched on, as they may be translated.

use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;

use super::answer::{Answer, TransportError};
use super::decode::envelope;
use super::limits::LONGEST_SERVICE_TEXT;
use super::rate_budget;
use crate::domain::failure::{Failure, FailureKind, FieldError};
use crate::domain::text::{clean, fit};

/// The wait after a 429 without a hint, plus up to a quarter as jitter: at most one minute, which is the window of most
/// services.
const WAIT_WITHOUT_A_HINT: Duration = Duration::from_secs(48);
/// The shortest wait, for services that request none.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);
/// The longest wait that is honoured.
const LONGEST_WAIT: Duration = Duration::from_hours(24);

/// The operation, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub(super) enum Operation {
    #[strum(to_string = "Listing reports")]
    ListReports,
    #[strum(to_string = "Listing projects")]
    ListProjects,
    #[strum(to_string = "Reading the report")]
    ShowReport,
    #[strum(to_string = "Opening the report page")]
    OpenPage,
    #[strum(to_string = "Creating the report")]
    CreateReport,
    #[strum(to_string = "Updating the report")]
    UpdateReport,
    #[strum(to_string = "Deleting the report")]
    DeleteReport,
    #[strum(to_string = "Deleting the project")]
    DeleteProject,
    #[strum(to_string = "Reading the desk")]
    ReadDesk,
    #[strum(to_string = "Writing to the desk")]
    WriteDesk,
    #[strum(to_string = "Following the desk")]
    FollowDesk,
}

impl Operation {
    fn is_list(self) -> bool {
        matches!(self, Self::ListReports | Self::ListProjects)
    }

    fn is_on_desk(self) -> bool {
        matches!(self, Self::ReadDesk | Self::WriteDesk | Self::FollowDesk)
    }

    fn failed(self, why: &str) -> String {
        format!("{self} failed: {why}")
    }
}

/// Maps a transport failure.
pub(super) fn from_transport(operation: Operation, trouble: &TransportError, host: &str) -> Failure {
    let (kind, why, advice) = match trouble {
        TransportError::RequestTooLong => {
            (FailureKind::Invalid, "the request is too long".to_owned(), "Shorten the search text")
        }
        TransportError::KeyUnsendable => (
            FailureKind::Unauthorised,
            "the API key contains a character that cannot be sent, such as a line break".to_owned(),
            KEY_ADVICE,
        ),
        TransportError::NotConnected(why) => (
            FailureKind::Unreachable,
            format!("no connection to {host} ({why})"),
            if operation.is_on_desk() {
                "Check the network and the address of the desk, then try again"
            } else {
                "Check the network and the base URL, then try again"
            },
        ),
        TransportError::CertificateRefused(why) => {
            (FailureKind::Unreachable, format!("the certificate of {host} was rejected ({why})"), TRUST_ADVICE)
        }
        TransportError::CertificateUnfit(why) => (
            FailureKind::Unreachable,
            format!("the certificate of {host} was rejected ({why})"),
            "Check the base URL and the clock, or ask whoever runs the service for a valid certificate",
        ),
        TransportError::Broken(why) => {
            (FailureKind::Unreachable, format!("the connection to {host} was lost ({why})"), "Try again")
        }
        TransportError::NotHttp(why) => (
            FailureKind::Unreachable,
            format!("the response of {host} is not valid HTTP ({why})"),
            "Check the host and port of the base URL, and whether it begins with https://",
        ),
        TransportError::TimedOut => (FailureKind::TimedOut, format!("{host} did not respond in time"), "Try again"),
        TransportError::TooLarge(limit) => (
            FailureKind::TooLarge,
            format!("the response of {host} is larger than {} MiB", limit / (1024 * 1024)),
            "Check the base URL: this is not a list of reports",
        ),
    };
    Failure::new(kind, operation.failed(&why), advice)
}

/// The failure of reading a desk whose pages do not end within this many bytes, or repeat.
pub(super) fn endless_desk(limit: usize) -> Failure {
    let why = format!("its pages repeat, or are larger than {} MiB together", limit / (1024 * 1024));
    let advice = "Ask whoever runs the desk: it may be faulty";
    Failure::new(FailureKind::TooLarge, Operation::ReadDesk.failed(&why), advice)
}

/// Maps a response with an error status.
pub(super) fn of_status(operation: Operation, answer: &Answer, tried: &str) -> Failure {
    let status = answer.status.as_u16();
    let message = service_text(answer);
    let quoted = with_reason(answer.status, message.as_deref());
    let failure =
        |kind, why: String, advice: &str| Failure::new(kind, operation.failed(&why), advice).with_status(status);
    match status {
        // No operation succeeds with this key.
        401 => refused_key(operation, &quoted).with_status(status),
        403 => failure(
            FailureKind::Forbidden,
            format!("not allowed, or not yours {quoted}"),
            "Ask the owner of the account, or use another key",
        ),
        // Nothing is named that could be missing.
        404 | 405 | 419 if operation.is_list() || operation == Operation::CreateReport => {
            wrong_address(operation, &format!("{tried} responded with {status}")).with_status(status)
        }
        404 | 410 => failure(FailureKind::NotFound, format!("it does not exist {quoted}"), REFRESH_ADVICE),
        405 | 419 => wrong_address(operation, &format!("{tried} responded with {status}")).with_status(status),
        400 | 409 | 412 | 413 | 415 | 422 | 428 => {
            let mut failure = failure(
                FailureKind::Invalid,
                format!("the service rejected it {quoted}"),
                "Correct the input and send it again",
            );
            failure.fields = field_errors(answer);
            failure
        }
        414 | 431 => {
            failure(FailureKind::Invalid, format!("the request is too long {quoted}"), "Shorten the search text")
        }
        429 => {
            let asked = retry_after(answer);
            let wait = asked.unwrap_or_else(wait_with_jitter);
            let own_advice = || format!("Try again in {} s", wait.as_secs());
            let advice = asked.map_or_else(own_advice, asks_to_wait);
            let mut failure = failure(FailureKind::RateLimited, format!("too many requests {quoted}"), &advice);
            (failure.retry_after, failure.is_wait_guessed) = (Some(wait), asked.is_none());
            failure
        }
        _ => {
            let wait = retry_after_header(answer);
            let later = match status {
                500 => "If it repeats, ask whoever runs the service",
                507 => "Try again when its disk has free space",
                _ => "Try again in a moment",
            };
            let advice = wait.map_or_else(|| later.to_owned(), asks_to_wait);
            let mut failure = failure(FailureKind::Service, format!("the service reported an error {quoted}"), &advice);
            failure.retry_after = wait;
            failure
        }
    }
}

/// The failure of a key that the service or the desk rejects.
pub(super) fn refused_key(operation: Operation, why: &str) -> Failure {
    let (who, advice) = if operation.is_on_desk() { ("desk", DESK_KEY_ADVICE) } else { ("service", KEY_ADVICE) };
    Failure::new(FailureKind::Unauthorised, format!("The {who} does not accept the API key {why}"), advice)
}

/// Advice about a report or project that no longer exists, in the dashboard.
pub const REFRESH_ADVICE: &str = "Refresh to see the current list";
/// Advice about a rejected key.
const KEY_ADVICE: &str = "Check the key: REPORTDECK_API_KEY, or the key source of the profile";
/// Advice about a key that a desk rejected: its service's, or another one if the profile names a desk.
const DESK_KEY_ADVICE: &str =
    "Check the key of the profile; if it names a desk, `reportdeck login --desk` stores that key";
/// Advice about a rejected certificate. Only on Linux does the verifier read `SSL_CERT_FILE`.
const TRUST_ADVICE: &str = if cfg!(any(windows, target_vendor = "apple")) {
    "Add its certificate authority to the system's certificates"
} else {
    "Add its certificate authority to the system's certificates, or set SSL_CERT_FILE to its file"
};

/// Maps a 2xx response whose body does not conform to the API.
pub(super) fn of_body(operation: Operation, answer: &Answer, why: &str, tried: &str) -> Failure {
    let status = answer.status.as_u16();
    if operation.is_list() && answer.html_title().is_some() {
        return wrong_address(operation, &format!("{tried} responded with a web page; {why}, not JSON"))
            .with_status(status);
    }
    // Some services report errors with status 200.
    let reason = if answer.html_title().is_none() { in_brackets(service_text(answer)) } else { String::new() };
    if operation == Operation::CreateReport && (matches!(status, 201 | 202 | 204) || answer.html_title().is_none()) {
        let message = format!("The service responded with {status}, but did not return the report{reason}");
        let advice = "List the newest reports before you create it again";
        return Failure::new(FailureKind::Unreadable, message, advice).with_status(status);
    }
    let message = operation.failed(&format!("the response is not JSON of the reports API: {why}{reason}"));
    Failure::new(FailureKind::Unreadable, message, "Check the base URL; the version of the service may also be unknown")
        .with_status(status)
}

/// The failure of a 2xx response that is a web page, or says that the request was not carried out: one of the fields is
/// false, or it has an error instead of a report.
pub(super) fn of_denial(operation: Operation, answer: &Answer, fields: &[&'static str]) -> Option<Failure> {
    if let Some(why) = answer.html_title() {
        return Some(of_body(operation, answer, &why, "the service"));
    }
    let why = envelope::denial(&answer.json().ok()?.value, fields)?;
    Some(without_effect(operation, answer, &format!("{why}{}", in_brackets(service_text(answer)))))
}

/// The failure of a request that had no effect despite a 2xx response.
pub(super) fn without_effect(operation: Operation, answer: &Answer, why: &str) -> Failure {
    let status = answer.status.as_u16();
    let why = format!("the service responded with {status}, but {why}");
    Failure::new(FailureKind::Service, operation.failed(&why), "Try again in a moment").with_status(status)
}

/// Formats a status with the service's reason, which may begin with the status or be only its standard phrase:
/// `(403: Closed)`, `(502 Bad Gateway)`.
fn with_reason(status: StatusCode, reason: Option<&str>) -> String {
    let code = status.as_str();
    let Some(reason) = reason else { return format!("({code})") };
    let rest = reason.strip_prefix(code).filter(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()));
    let is_phrase = status.canonical_reason().is_some_and(|phrase| phrase.eq_ignore_ascii_case(reason));
    match rest {
        Some(rest) => format!("({code}{rest})"),
        None if is_phrase => format!("({code} {reason})"),
        None => format!("({code}: {reason})"),
    }
}

fn in_brackets(text: Option<String>) -> String {
    text.map(|text| format!(" ({text})")).unwrap_or_default()
}

/// The failure of a wrong base URL.
pub(super) fn wrong_address(operation: Operation, why: &str) -> Failure {
    let advice = "The base URL looks wrong: it is the address before /api/v1";
    Failure::new(FailureKind::WrongAddress, operation.failed(why), advice)
}

/// The failure of listing the reports of one project: with status 404 or 410 the project may be what is missing.
pub(super) fn of_project(failure: Failure, project: &str) -> Failure {
    let Some(status @ (404 | 410)) = failure.status else { return failure };
    let message = Operation::ListReports.failed(&format!("there is no project {} ({status})", clean(project)));
    let advice = "See which projects are listed; if that fails too, check the base URL";
    Failure::new(FailureKind::NotFound, message, advice).with_status(status)
}

/// The fields in which services give a reason, in the order in which they are tried.
const SERVICE_TEXTS: [&str; 5] = ["message", "error", "detail", "title", "errors"];

/// Extracts the reason from JSON, the title from HTML, or the first line of plain text.
fn service_text(answer: &Answer) -> Option<String> {
    let text = match answer.json().map(|json| json.value) {
        Ok(root) => {
            // Some frameworks send an empty `message` beside an `error` with text.
            let text = |key: &&str| reason_in(root.get(*key)?);
            let [fields @ .., errors] = &SERVICE_TEXTS;
            let nested = || fields.iter().find_map(|key| reason_in(root.get("error")?.get(*key)?));
            // A list of errors says what a title or message sums up.
            match (fields.iter().find_map(text).or_else(nested), text(errors)) {
                (Some(sum), Some(details)) if !sum.contains(&details) => {
                    format!("{}; {details}", sum.trim_end_matches('.'))
                }
                (sum, details) => sum.or(details)?,
            }
        }
        Err(_) => answer.html_title().or_else(|| answer.first_line())?,
    };
    let text = fit(&clean(text.trim()), LONGEST_SERVICE_TEXT).trim_end_matches('.').to_owned();
    (!text.is_empty()).then_some(text)
}

/// Returns a text, or those of a list, whose entries may be maps, as in JSON:API. A map by field is decoded elsewhere.
fn reason_in(value: &Value) -> Option<String> {
    fn of_entry(entry: &Value) -> Option<&str> {
        let field = |key: &&str| entry.get(*key)?.as_str();
        entry.as_str().or_else(|| ["message", "msg", "detail", "title"].iter().find_map(field))
    }
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(entries) => entries.iter().filter_map(of_entry).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let texts: Vec<&str> = texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Extracts the messages by field: from an `errors` map, a `message` that is a map, or lists of texts at the top level.
fn field_errors(answer: &Answer) -> Vec<FieldError> {
    let Ok(root) = answer.json().map(|json| json.value) else { return Vec::new() };
    let map = ["errors", "message"].iter().find_map(|key| root.get(*key)?.as_object());
    let is_field = |name: &str, value: &Value| {
        let texts = value.as_array().is_some_and(|texts| !texts.is_empty() && texts.iter().all(Value::is_string));
        map.is_some() || (texts && !SERVICE_TEXTS.contains(&name))
    };
    map.or_else(|| root.as_object())
        .into_iter()
        .flatten()
        .filter(|(name, value)| is_field(name, value))
        .map(|(field, texts)| FieldError { field: clean(field).into_owned(), texts: texts_of(texts) })
        .filter(|error| !error.texts.is_empty())
        .collect()
}

fn texts_of(value: &Value) -> Vec<String> {
    let one = |text: &str| fit(&clean(text.trim()), LONGEST_SERVICE_TEXT).into_owned();
    let mut texts = match value {
        Value::String(text) => vec![one(text)],
        Value::Array(list) => list.iter().map(|text| one(text.as_str().unwrap_or(&text.to_string()))).collect(),
        Value::Object(map) => map.values().flat_map(texts_of).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => vec![one(&value.to_string())],
    };
    texts.retain(|text| !text.is_empty());
    texts
}

/// Parses `Retry-After`, or else `X-RateLimit-Reset`; clamped.
fn retry_after(answer: &Answer) -> Option<Duration> {
    let reset = || rate_budget::number(&answer.headers, "x-ratelimit-reset").map(rate_budget::until);
    retry_after_header(answer).or_else(|| reset().map(clamp_wait))
}

/// Parses `Retry-After` as seconds or a date; clamped.
fn retry_after_header(answer: &Answer) -> Option<Duration> {
    let header = answer.header(RETRY_AFTER).map(str::trim);
    let seconds = header.and_then(|text| text.parse::<u64>().ok()).map(Duration::from_secs);
    let date = || {
        let at = httpdate::parse_http_date(header?).ok()?;
        Some(at.duration_since(SystemTime::now()).unwrap_or_default())
    };
    seconds.or_else(date).map(clamp_wait)
}

fn clamp_wait(wait: Duration) -> Duration {
    wait.clamp(SHORTEST_WAIT, LONGEST_WAIT)
}

fn asks_to_wait(wait: Duration) -> String {
    format!("The service asks to wait {} s", wait.as_secs())
}

fn wait_with_jitter() -> Duration {
    let mut byte = [0_u8];
    // Without random numbers there is no jitter.
    let _ = getrandom::fill(&mut byte);
    WAIT_WITHOUT_A_HINT + WAIT_WITHOUT_A_HINT.mul_f64(f64::from(byte[0]) / 1024.0)
}

/// The failure if the service has no report pages, or none for this report.
pub(super) fn no_page(why: &str) -> Failure {
    let why = format!("the service has no page for it ({why})");
    let advice =
        "Only reportdeck's own service has report pages, of reports that exist; open the web page itself instead";
    Failure::new(FailureKind::NotFound, Operation::OpenPage.failed(&why), advice)
}

/// The failure of a path that no URL can contain, because its last part is `.`, `..` or empty.
pub(super) fn unencodable_path(operation: Operation, path: &str) -> Failure {
    let why = format!("`{}` cannot be part of a URL", clean(path));
    Failure::new(FailureKind::Invalid, operation.failed(&why), "Check the id")
}
