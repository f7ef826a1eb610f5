//! Error responses, and the envelopes of single results.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::api::contract::field;
use crate::domain::desk::{DeskRow, Role};
use crate::service::server::rate_limit_status::RateLimitStatus;
use crate::service::store::error::StoreError;
use crate::service::store::key_rows::KeyEnd;

/// `Retry-After` when the audit queue is full.
const WAIT: Duration = Duration::from_secs(5);

/// `Retry-After` when the service is overloaded.
const OVERLOAD: Duration = Duration::from_secs(2);

/// `Retry-After` for an unfinished audit: an immediate retry most likely ends the same way.
const UNFINISHED: Duration = Duration::from_mins(1);

/// Invalid fields with their messages, in the order they were found.
pub type Errors = Map<String, Value>;

/// Whether a report whose audit was not finished has an earlier result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum StoredResult {
    /// None: the report was to be created, and nothing was stored.
    #[strum(to_string = "Nothing was stored")]
    None,
    /// The earlier result is kept.
    #[strum(to_string = "The previous result is kept and nothing was changed")]
    Kept,
}

/// An error response, with its message for people.
#[derive(Debug, thiserror::Error)]
pub enum ErrorResponse {
    /// No key, or an unknown one.
    #[error("Unauthenticated.")]
    Unauthenticated,
    /// The key is no longer active.
    #[error("The API key {0}.")]
    KeyEnded(KeyEnd),
    /// The key's role is too low: the key's role, and the role required.
    #[error("{}", role_too_low(*.0, *.1))]
    RoleTooLow(Role, Role),
    /// The note belongs to another person.
    #[error("This is another person's note: only its author and admins may withdraw it.")]
    NotYours,
    /// The `Host` header names another machine.
    #[error("This service accepts requests to its own address only. Behind a proxy, set public_url under [serve].")]
    WrongHost,
    /// The named resource does not exist.
    #[error("{0} not found.")]
    NotFound(&'static str),
    /// The path does not support the method; `Allow` lists those it does.
    #[error("This path does not support this method.")]
    MethodNotAllowed,
    /// The body is too long.
    #[error("The body is too long: at most 64 KiB.")]
    TooLarge,
    /// The body did not arrive in time.
    #[error("The body did not arrive in time.")]
    TooSlow,
    /// The named part of the request is not valid HTTP.
    #[error("The request is malformed: {0}.")]
    Malformed(&'static str),
    /// The body does not have the named content type.
    #[error("The body must be {0}.")]
    WrongType(&'static str),
    /// The precondition of a write does not hold; the current row.
    #[error("The row has changed meanwhile; this is the current row. Nothing was changed.")]
    Conflict(Option<Box<DeskRow>>),
    /// A row write without a precondition.
    #[error("A write needs If-Match with the version of the row, or If-None-Match: * if there is none.")]
    PreconditionRequired,
    /// Some fields are invalid.
    #[error("Some values are invalid: {}.", .0.keys().map(String::as_str).collect::<Vec<_>>().join(", "))]
    Invalid(Errors),
    /// The key's rate limit is used up.
    #[error("Too many requests: this key may send {} per minute.", .0.limit)]
    TooMany(RateLimitStatus),
    /// The audit queue is full; its capacity.
    #[error("Too many audits are waiting. Try again in a few seconds.")]
    Busy(u32),
    /// The audit could not be finished, which says nothing about the page.
    #[error(
        "The audit could not be finished: the page takes too long to process, or the service is overloaded. {0}: try \
         again later."
    )]
    Unfinished(StoredResult),
    /// The audit had no turn within the time a request waits; it was withdrawn.
    #[error(
        "The audit did not finish in time: too many audits are queued ahead. Nothing was changed: try again in a \
         moment."
    )]
    NoTurn,
    /// Workers were lost while auditing the page, as often as an audit is attempted.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))] // only from the shared queue
    #[error("Auditing this page crashed three workers; it is not retried. Nothing was changed.")]
    Abandoned,
    /// The service is stopping.
    #[error("The service is stopping.")]
    Stopping,
    /// The disk is full: nothing was changed.
    #[error("The service's disk is full: nothing was changed. Free some space there and try again.")]
    Full,
    /// The service has more to do than it can queue.
    #[error("The service is overloaded. Nothing was changed: try again in a moment.")]
    Overloaded,
    /// Other writes locked the database for too long: nothing was changed.
    #[error("Other writes blocked the service's database for too long. Nothing was changed: try again in a moment.")]
    Locked,
    /// A newer version of the program has migrated the database: nothing was changed.
    #[error(
        "A newer reportdeck has migrated the service's database. Nothing was changed: restart the service with it."
    )]
    Migrated,
    /// The database is damaged.
    #[error(
        "The service's database is damaged. Restore it from a backup: `reportdeck doctor` on its machine names the file."
    )]
    Damaged,
    /// The database server cannot be reached: nothing was changed.
    #[error("The service's database cannot be reached. Nothing was changed: try again in a moment.")]
    Unavailable,
    /// A part of a project was deleted, then the database failed.
    #[error("Some reports of the project are left, because the service's database failed. Delete the project again.")]
    PartlyDeleted,
    /// The connection to the database broke during a commit: the write may have been made.
    #[error("The service's database did not confirm this write. It may have been saved: check before repeating it.")]
    Unconfirmed,
    /// An internal error. Details are in the log only.
    #[error("The service failed. Its log says why.")]
    Internal,
}

impl ErrorResponse {
    /// Creates the error of one invalid field.
    pub fn invalid(name: &str, text: impl Into<String>) -> Self {
        let mut errors = Errors::new();
        errors.insert(name.to_owned(), json!([text.into()]));
        Self::Invalid(errors)
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status_and_wait().0
    }

    /// Returns the HTTP status, and in how many seconds to try again, if that may help.
    fn status_and_wait(&self) -> (StatusCode, Option<u64>) {
        match self {
            Self::Unauthenticated | Self::KeyEnded(_) => (StatusCode::UNAUTHORIZED, None),
            Self::RoleTooLow(..) | Self::NotYours | Self::WrongHost => (StatusCode::FORBIDDEN, None),
            Self::Malformed(_) => (StatusCode::BAD_REQUEST, None),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, None),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, None),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, None),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, None),
            Self::WrongType(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, None),
            Self::Conflict(_) => (StatusCode::PRECONDITION_FAILED, None),
            Self::PreconditionRequired => (StatusCode::PRECONDITION_REQUIRED, None),
            Self::Invalid(_) => (StatusCode::UNPROCESSABLE_ENTITY, None),
            Self::TooMany(budget) => (StatusCode::TOO_MANY_REQUESTS, Some(budget.seconds())),
            Self::Busy(_) => (StatusCode::TOO_MANY_REQUESTS, Some(WAIT.as_secs())),
            Self::NoTurn => (StatusCode::SERVICE_UNAVAILABLE, Some(WAIT.as_secs())),
            Self::Stopping | Self::Overloaded | Self::Locked | Self::Unavailable | Self::PartlyDeleted => {
                (StatusCode::SERVICE_UNAVAILABLE, Some(OVERLOAD.as_secs()))
            }
            Self::Unfinished(_) => (StatusCode::SERVICE_UNAVAILABLE, Some(UNFINISHED.as_secs())),
            Self::Full => (StatusCode::INSUFFICIENT_STORAGE, None),
            Self::Abandoned | Self::Migrated | Self::Damaged | Self::Unconfirmed | Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, None)
            }
        }
    }

    /// Returns the error's headers: `Retry-After`, `WWW-Authenticate`, rate limits.
    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let (status, wait) = self.status_and_wait();
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Self::TooMany(budget) = self {
            budget.write(&mut headers);
        }
        if let Self::Busy(places) = self {
            RateLimitStatus { limit: *places, remaining: 0, reset: WAIT }.write(&mut headers);
        }
        headers.extend(wait.map(|seconds| (header::RETRY_AFTER, seconds.into())));
        headers
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut body = Map::new();
        body.insert(field::MESSAGE.to_owned(), self.to_string().into());
        let headers = self.headers();
        if let Self::Conflict(present) = &self {
            body.insert(field::DATA.to_owned(), serde_json::to_value(present).unwrap_or_default());
        }
        if let Self::Invalid(errors) = self {
            body.insert(field::ERRORS.to_owned(), Value::Object(errors));
        }
        body.insert(field::STATUS.to_owned(), status.as_u16().into());
        (status, headers, Json(body)).into_response()
    }
}

impl From<StoreError> for ErrorResponse {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a request failed in the store");
        match error {
            StoreError::Busy => Self::Locked,
            StoreError::Overloaded => Self::Overloaded,
            StoreError::Full(_) => Self::Full,
            StoreError::Migrated { .. } => Self::Migrated,
            StoreError::Damaged(_) => Self::Damaged,
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::Unconfirmed(_) => Self::Unconfirmed,
            StoreError::Database(_) | StoreError::Refused(_) | StoreError::Desk(_) | StoreError::BrokenOff => {
                Self::Internal
            }
        }
    }
}

fn role_too_low(role: Role, needed: Role) -> String {
    match role {
        Role::Viewer => "This key may only read: its role is viewer.".to_owned(),
        Role::Triage | Role::Admin => {
            format!("This requires a key with the role {}; this key has the role {}.", needed.name(), role.name())
        }
    }
}

/// Builds the response of a single result: `{"data": …, "status": …}`.
pub fn one(status: StatusCode, data: impl Serialize) -> Response {
    #[derive(Serialize)]
    struct One<T> {
        data: T,
        status: u16,
    }
    (status, Json(One { data, status: status.as_u16() })).into_response()
}

/// Builds the response to a deletion.
pub fn deleted(id: impl Serialize, object: &'static str) -> Response {
    let status = StatusCode::OK.as_u16();
    Json(json!({ "id": id, "object": object, "deleted": true, "status": status })).into_response()
}

/// Builds the response after a handler panicked. The panic message goes to the log only.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a handler panicked");
    ErrorResponse::Internal.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_audit_queue_sends_retry_after() {
        let response = ErrorResponse::Busy(64).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        for (name, value) in [("retry-after", "5"), ("x-ratelimit-limit", "64"), ("x-ratelimit-remaining", "0")] {
            assert_eq!(response.headers()[name], value);
        }
        assert!(response.headers().contains_key("x-ratelimit-reset"));
    }

    #[test]
    fn a_temporarily_unavailable_service_sends_retry_after() {
        for (refusal, wait) in [
            (ErrorResponse::Overloaded, "2"),
            (ErrorResponse::Locked, "2"),
            (ErrorResponse::Unavailable, "2"),
            (ErrorResponse::Stopping, "2"),
            (ErrorResponse::NoTurn, "5"),
        ] {
            let response = refusal.into_response();
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(response.headers()["retry-after"], wait);
        }
    }

    #[test]
    fn an_unfinished_audit_says_whether_a_previous_result_is_kept() {
        for (former, expected) in
            [(StoredResult::None, "Nothing was stored"), (StoredResult::Kept, "previous result is kept")]
        {
            let refusal = ErrorResponse::Unfinished(former);
            assert!(refusal.to_string().contains(expected), "{}", refusal.to_string());
            let response = refusal.into_response();
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(response.headers()["retry-after"], "60");
        }
    }

    #[test]
    fn a_full_disk_and_a_damaged_database_differ_from_internal_errors() {
        for (error, status, expected) in [
            (StoreError::Full("no space".into()), StatusCode::INSUFFICIENT_STORAGE, "disk is full"),
            (StoreError::Migrated { found: 10, known: 9 }, StatusCode::INTERNAL_SERVER_ERROR, "A newer reportdeck"),
            (StoreError::Damaged("no page".into()), StatusCode::INTERNAL_SERVER_ERROR, "Restore it from a backup"),
            (StoreError::Database("no table".into()), StatusCode::INTERNAL_SERVER_ERROR, "Its log says why"),
        ] {
            let refusal = ErrorResponse::from(error);
            assert!(refusal.to_string().contains(expected), "{refusal:?}");
            assert_eq!(refusal.into_response().status(), status);
        }
    }
}
