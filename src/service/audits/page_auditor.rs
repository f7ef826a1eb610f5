//! The auditor interface that the queue uses, and the results and failures of an audit.

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::domain::report::check::Check;

/// Audits pages.
pub trait PageAuditor: Send + Sync + 'static {
    /// Audits one page. An unreachable page is a bad result, not a failure.
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>>;
}

/// Why an audit has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditFailure {
    /// The URL must not be fetched; the text says why.
    Refused(String),
    /// The page exceeded the limits of an audit; the text says which.
    Unfinished(String),
    /// A check panicked.
    Panicked,
}

/// The result of an audit.
#[derive(Debug, Clone)]
pub struct AuditResult {
    /// The requested URL, normalised.
    pub url: String,
    /// The host of the final URL, lower case, without `www.`.
    pub project: String,
    /// 0 to 100.
    pub score: u8,
    /// All checks.
    pub checks: Vec<Check>,
}
