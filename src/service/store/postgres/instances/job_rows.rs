//! Rows of the queue of audits, as plain values.

use serde::{Deserialize, Serialize};

use crate::service::audits::page_auditor::AuditFailure;
use crate::service::store::rows::StoredReport;

/// An audit to wait for.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Whose audits take turns.
    pub host: String,
    /// 0: a request waits for it; it goes before those for which nobody waits any more.
    pub priority: i16,
    /// JSON: the page, and what to store with its result.
    pub purpose: String,
}

/// An audit that is to run here, until its lease ends.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    /// Its number.
    pub id: i64,
    /// Whose audits take turns.
    pub host: String,
    /// The number of this attempt: a result is stored only by the last one.
    pub attempt: i16,
    /// JSON: the page, and what to store with its result.
    pub purpose: String,
    /// When the lease ends, in milliseconds since 1970 by the server's clock.
    pub lease_until: i64,
}

/// What became of an audit that was to be queued.
#[derive(Debug)]
pub enum Enqueued {
    /// Too many wait; nothing was stored.
    Full,
    /// It waits, under this number.
    Waiting(i64),
    /// It is to run here.
    Claimed(ClaimedJob),
}

/// How an audit ended, as any instance reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobOutcome {
    /// The report with this id has its result.
    Stored(i64),
    /// There is no result.
    Failed(AuditFailure),
    /// The report to re-run is gone.
    Gone,
    /// The report to re-run would need a password and have none.
    WithoutPassword,
    /// As many workers as may try it were lost while they audited it.
    Abandoned,
}

/// How an audit ended, and the report as its write left it where this instance wrote it.
pub type JobEnd = (JobOutcome, Option<Box<StoredReport>>);

/// The present lease of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtendedLease {
    /// The audit.
    pub id: i64,
    /// The attempt that holds it.
    pub attempt: i16,
    /// When it ends, in milliseconds since 1970 by the server's clock.
    pub until: i64,
}
