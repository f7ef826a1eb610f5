//! Failures in user-facing terms: what failed, why, and what to do next.
//!
//! Layers that access services, databases and pages map their errors to this type, so that the dashboard and the
//! command line depend on none of them. A failure carries context, never a secret.

use std::time::Duration;

use crate::domain::report::Report;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::with_advice;

/// The kind of a failure, which decides exit codes and what the screen offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    /// 401, or a redirect to a login page.
    Unauthorised,
    /// 403: not allowed, or owned by someone else.
    Forbidden,
    /// 404 for a report or project: it no longer exists.
    NotFound,
    /// The base URL is probably wrong: 404, 405, 419 or HTML instead of a list, or a redirect to another origin.
    WrongAddress,
    /// 422, or a value refused before it was sent.
    Invalid,
    /// 429: too many requests.
    RateLimited,
    /// 5xx, or an unexpected status.
    Service,
    /// The response is not JSON, or not the JSON of this API.
    Unreadable,
    /// The response exceeds the size limit.
    TooLarge,
    /// No connection, or it was lost.
    Unreachable,
    /// No response in time.
    TimedOut,
    /// A local problem: a file, a database, the terminal.
    Local,
}

impl FailureKind {
    /// The name in JSON errors on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A validation error of one form field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name in the API: `url`, `privacy`, `password`, …
    pub field: String,
    /// The service's messages, sanitised, in the service's language. Shown, never matched on.
    pub texts: Vec<String>,
}

/// A failure, with advice on what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", with_advice(message, advice))]
pub struct Failure {
    /// The kind, which decides how the failure is handled.
    pub kind: FailureKind,
    /// What failed and why, in one line without a final full stop.
    pub message: String,
    /// What to do next, in one line; may be empty.
    pub advice: String,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Messages per field, if a service rejected fields.
    pub fields: Vec<FieldError>,
    /// How long to wait before another attempt (429 and 503 only): as the service asks, or else a usual time.
    pub retry_after: Option<Duration>,
    /// Whether the service did not ask for that time.
    pub is_wait_guessed: bool,
}

impl Failure {
    /// Creates a failure without status, fields or retry time.
    pub fn new(kind: FailureKind, message: impl Into<String>, advice: impl Into<String>) -> Self {
        let (message, advice) = (message.into(), advice.into());
        Self { kind, message, advice, status: None, fields: Vec::new(), retry_after: None, is_wait_guessed: false }
    }

    /// Returns the failure with the HTTP status of the response.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Whether a report may still appear after this failure to create it: an audit may take longer than the client waits,
    /// and a list may show an accepted report (201, 202, 204) only later.
    pub fn may_be_created_later(&self) -> bool {
        self.kind == FailureKind::TimedOut || self.status.is_some_and(|status| (201..300).contains(&status))
    }

    /// Appends the messages of rejected fields to a text about the failure.
    pub fn with_fields(&self, text: String) -> String {
        let fields = self.fields.iter().map(|error| format!("{}: {}", error.field, error.texts.join(", ")));
        std::iter::once(text).chain(fields).collect::<Vec<_>>().join(" · ")
    }
}

/// How a write failed, which decides whether it may be sent again.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteFailure {
    /// The service rejected it: certainly not applied.
    Refused(Failure),
    /// No response arrived: it may have been applied. The current state was looked up.
    Unsure {
        /// The transport failure.
        failure: Failure,
        /// The result of the look-up.
        found: LookupOutcome,
    },
}

/// The state found after a write without a response.
#[derive(Debug, Clone, PartialEq)]
pub enum LookupOutcome {
    /// After a create: a report of that URL among the newest. After an update or delete: the report as it is now.
    Report(Box<Report>),
    /// After a create: no report of that URL among the newest. After an update or delete: the report no longer exists.
    Nothing,
    /// The look-up failed too: the outcome is unknown.
    Unknown(Failure),
}

impl LookupOutcome {
    /// Describes the state after an update or delete, as a sentence without its full stop.
    pub fn after_change(&self) -> String {
        match self {
            Self::Report(report) => {
                let privacy = report.privacy.map_or("privacy unknown", Privacy::name);
                format!("The report is now {}, {privacy}", report.verdict())
            }
            Self::Nothing => "The report no longer exists".to_owned(),
            Self::Unknown(second) => format!("The current state could not be determined: {}", second.message),
        }
    }

    /// Describes the state after a create that failed in this way, as a sentence without its full stop.
    pub fn after_create(&self, failure: &Failure) -> String {
        match self {
            Self::Report(_) => "The report was created".to_owned(),
            Self::Nothing if failure.may_be_created_later() => {
                "No such report is listed yet; the service may still create it".to_owned()
            }
            Self::Nothing => "No such report is among the newest: it was probably not created".to_owned(),
            Self::Unknown(second) => format!("Whether it was created could not be determined: {}", second.message),
        }
    }
}
