//! A worker: runs audits queued in the service's database, without listening on an address.

use std::sync::Arc;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::audits::page_auditor::PageAuditor;
use super::audits::page_audits::PageAudits;
use super::audits::queue::AuditQueue;
use super::audits::queue_parts::{AuditTimes, QueueParts};
use super::server::metrics::Metrics;
use super::server::task_pool::{PATIENCE, TaskPool};
use super::store::Store;
use super::store::address::StoreAddress;
use super::store::error::OpenError;

/// What a worker needs to start.
pub struct WorkerOptions {
    /// The auditor.
    pub audits: Arc<dyn PageAuditor>,
    /// The database of the service.
    pub store: StoreAddress,
    /// The number of concurrent audits.
    pub max_audits: usize,
    /// Time limits of audits.
    pub audit_times: AuditTimes,
}

/// Why a worker did not start. The message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store is a data directory.
    #[error(
        "a worker needs the PostgreSQL database of a service: with a data directory, `serve` runs the audits. Name a \
         database in REPORTDECK_DATABASE_URL, or with database or database_command under [serve]"
    )]
    NoDatabase,
}

/// A running worker. Dropping it without [`Worker::shut_down`] aborts its audits.
pub struct Worker {
    stop: CancellationToken,
    work: TaskPool,
    background: JoinSet<()>,
}

impl Worker {
    /// Starts a worker.
    pub async fn start(options: WorkerOptions) -> Result<Self, WorkerError> {
        if matches!(options.store, StoreAddress::Data(_)) {
            return Err(WorkerError::NoDatabase);
        }
        let store = Store::open(options.store).await?;
        let (work, stop) = (TaskPool::default(), CancellationToken::new());
        let parts = QueueParts {
            audits: PageAudits::new(options.audits, Arc::new(Metrics::default())),
            side_by_side: options.max_audits.max(1),
            times: options.audit_times,
            tasks: work.clone(),
            stop: stop.clone(),
        };
        let (_, background) = AuditQueue::new(&store, parts);
        Ok(Self { stop, work, background })
    }

    /// Starts no further audits, finishes running ones, and aborts them after a timeout; another worker then takes
    /// over.
    pub async fn shut_down(mut self) {
        self.stop.cancel();
        self.work.end(PATIENCE).await;
        self.background.shutdown().await;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.work.give_up();
    }
}
