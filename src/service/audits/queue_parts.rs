//! What a queue of audits is made of, and its time limits.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::page_audits::PageAudits;
use crate::service::server::task_pool::TaskPool;

/// Time limits of audits.
#[derive(Debug, Clone, Copy)]
pub struct AuditTimes {
    /// How long a request waits for its audit, the audit included.
    pub wait: Duration,
    /// How long an instance that shares a database has an audit without saying that it is still alive.
    pub lease: Duration,
    /// How long the result of an audit is kept, and its commit repeated, while a database is gone.
    pub commit_retry: Duration,
}

impl Default for AuditTimes {
    /// A wait that is shorter than the timeout of our clients, and a lease that outlasts a restart of the database.
    fn default() -> Self {
        Self { wait: Duration::from_secs(100), lease: Duration::from_secs(30), commit_retry: Duration::from_secs(20) }
    }
}

/// What a queue works with.
pub struct QueueParts {
    /// Runs the audits.
    pub audits: PageAudits,
    /// How many run side by side.
    pub side_by_side: usize,
    /// Time limits.
    pub times: AuditTimes,
    /// The tasks that a stop waits for.
    pub tasks: TaskPool,
    /// Cancelled when no further audit is to begin that the process need not finish.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))] // a queue in this process finishes all
    pub stop: CancellationToken,
}
