//! Failures as people read them: what failed, why, and what to do next.
//!
//! Layers that talk to services, databases and pages map their errors to this type, so that the dashboard and the
//! command line depend on none of them. It carries context, never a secret.

use std::fmt;
use std::time::Duration;

use crate::domain::report::Report;
use crate::domain::report::privacy::Privacy;

/// The kinds of failure that something is decided on (exit codes, what the screen offers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    /// 401, or a redirect to a page where people log in.
    Unauthorised,
    /// 403: not allowed, or not ours.
    Forbidden,
    /// 404 on a report or project: it is gone.
    NotFound,
    /// The base URL looks wrong: 404, 405, 419 or HTML where a list should be, a redirect to another origin.
    WrongAddress,
    /// 422, or a value refused before it was sent.
    Invalid,
    /// 429: too many requests.
    RateLimited,
    /// 5xx, or an unexpected status.
    Service,
    /// The answer is not JSON, or not the JSON of this interface.
    Unreadable,
    /// The answer is larger than any list can be.
    TooLarge,
    /// No connection, or it broke.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// Something on this machine: a file, a database, the terminal.
    Local,
}

impl FailureKind {
    /// The word of JSON errors on the command line.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What the service says about one field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name on the wire: `url`, `privacy`, `password`, …
    pub field: String,
    /// The service's texts, cleaned, in its language. Shown, never matched on.
    pub texts: Vec<String>,
}

/// A failure, with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind, which decides what happens next.
    pub kind: FailureKind,
    /// What failed and why, in one line without a final full stop.
    pub message: String,
    /// What to do next, in one line; empty when there is nothing to add.
    pub advice: String,
    /// The HTTP status, when there was an answer.
    pub status: Option<u16>,
    /// Texts per field, when a service refused fields.
    pub fields: Vec<FieldError>,
    /// How long the service asked us to wait (429 and 503 only).
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure of which only the text is known yet.
    pub fn new(kind: FailureKind, message: impl Into<String>, advice: impl Into<String>) -> Self {
        let (message, advice) = (message.into(), advice.into());
        Self { kind, message, advice, status: None, fields: Vec::new(), retry_after: None }
    }

    /// The same with the HTTP status of the answer.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if !self.advice.is_empty() {
            write!(formatter, ". {}", self.advice)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// How a write went wrong. The difference decides whether it may simply be sent again.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteFailure {
    /// The service said no: certainly not done.
    Refused(Failure),
    /// No answer came: it may have been done. What is true now was looked up.
    Unsure {
        /// What went wrong on the way.
        failure: Failure,
        /// What the look-up found.
        found: LookupOutcome,
    },
}

impl WriteFailure {
    /// The failure itself.
    pub fn failure(&self) -> &Failure {
        match self {
            Self::Refused(failure) | Self::Unsure { failure, .. } => failure,
        }
    }
}

/// What is true after a write whose answer never came.
#[derive(Debug, Clone, PartialEq)]
pub enum LookupOutcome {
    /// After create: a report of that URL among the newest. After update or delete: the report as it is now.
    Report(Box<Report>),
    /// After create: no report of that URL among the newest. After update or delete: the report is gone.
    Nothing,
    /// The look-up failed too: the outcome is unknown.
    Unknown(Failure),
}

impl LookupOutcome {
    /// What is true after an update or delete, as a sentence without its full stop.
    pub fn after_change(&self) -> String {
        match self {
            Self::Report(report) => {
                let privacy = report.privacy.map_or("of unknown privacy", Privacy::word);
                format!("Read again, the report is {}, {privacy}", report.verdict())
            }
            Self::Nothing => "Read again, it is gone".to_owned(),
            Self::Unknown(second) => format!("What is true now could not be found out: {}", second.message),
        }
    }

    /// What is true after a create that may have failed, as a sentence without its full stop.
    pub fn after_create(&self) -> String {
        match self {
            Self::Report(_) => "The report was made".to_owned(),
            Self::Nothing => "No such report is among the newest: it was most likely not made".to_owned(),
            Self::Unknown(second) => format!("Whether it was made could not be found out: {}", second.message),
        }
    }
}
