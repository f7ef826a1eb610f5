//! Configuration of the audit queue: dependencies and time limits.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::page_audits::PageAudits;
use crate::service::server::task_pool::TaskPool;

/// Times of audits and of their queue.
#[derive(Debug, Clone, Copy)]
pub struct AuditTimes {
    /// How long a request waits for its audit, the audit included.
    pub wait: Duration,
    /// How long an instance sharing a database may hold an audit without extending its lease.
    pub lease: Duration,
    /// How long a finished audit's commit is retried while the database is unavailable.
    pub commit_retry: Duration,
    /// How often obsolete rows are deleted from a shared database.
    pub clean: Duration,
}

impl Default for AuditTimes {
    /// The wait is shorter than our clients' timeout; the lease outlasts a restart of the database.
    fn default() -> Self {
        Self {
            wait: Duration::from_secs(100),
            lease: Duration::from_secs(30),
            commit_retry: Duration::from_secs(20),
            clean: Duration::from_mins(10),
        }
    }
}

/// The dependencies and limits of an audit queue.
pub struct QueueParts {
    /// Runs the audits.
    pub audits: PageAudits,
    /// How many audits run concurrently.
    pub side_by_side: usize,
    /// Time limits.
    pub times: AuditTimes,
    /// The tasks that a shutdown waits for.
    pub tasks: TaskPool,
    /// Cancelled when no further audits should start that other instances can run.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))] // the in-process queue finishes all its audits
    pub stop: CancellationToken,
}
