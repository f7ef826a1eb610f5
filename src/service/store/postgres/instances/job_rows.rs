//! Rows of the audit queue, as plain values.

use serde::{Deserialize, Serialize};

use crate::service::audits::page_auditor::AuditFailure;
use crate::service::store::rows::StoredReport;

/// An audit that this worker holds until its lease ends.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// The audit's id.
    pub id: i64,
    /// The host whose audits take turns.
    pub host: String,
    /// The attempt number; only the latest attempt can store a result.
    pub attempt: i16,
    /// JSON of an `AuditJob`: the page, and what to store with the result.
    pub purpose: String,
    /// When the lease ends, in Unix milliseconds by the server's clock.
    pub lease_until: i64,
}

/// The outcome of queuing an audit.
#[derive(Debug)]
pub enum Enqueued {
    /// Too many audits wait; nothing was stored.
    Full,
    /// The audit waits, with this id.
    Waiting(i64),
    /// The audit is claimed by this worker.
    Claimed(ClaimedJob),
}

/// How an audit ended, readable by any instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobOutcome {
    /// The result was stored in the report with this id.
    Stored(i64),
    /// The audit failed.
    Failed(AuditFailure),
    /// The report to re-run no longer exists.
    Gone,
    /// The report to re-run would lack its required password.
    WithoutPassword,
    /// Every allowed attempt lost its worker.
    Abandoned,
}

/// How an audit ended, with the report as its write left it if known.
pub type JobEnd = (JobOutcome, Option<Box<StoredReport>>);

/// An audit's id and its attempt number.
pub type AttemptKey = (i64, i16);
