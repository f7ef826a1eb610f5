//! The audit queue: in this process (SQLite), or in the database that instances share (PostgreSQL).

#[cfg(feature = "postgres")]
use std::sync::Arc;

use tokio::task::JoinSet;

use super::job::AuditJob;
use super::local_queue::LocalQueue;
use super::queue_parts::QueueParts;
#[cfg(feature = "postgres")]
use super::shared_queue::SharedQueue;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::handlers::report_form;
use crate::service::server::task_pool::TaskPool;
use crate::service::store::Store;
use crate::service::store::rows::{ChangeOutcome, ResultWrite, SHOWN_FORMER, StoredReport};

/// Audits pages and stores their results. Clones share the queue.
#[derive(Clone)]
pub enum AuditQueue {
    /// In this process.
    Local {
        /// The queue.
        queue: LocalQueue,
        /// Where results are stored.
        store: Store,
        /// The tasks that a shutdown waits for.
        tasks: TaskPool,
    },
    /// In the shared database.
    #[cfg(feature = "postgres")]
    Shared(Arc<SharedQueue>),
}

impl AuditQueue {
    /// Creates the queue for a store, and the background tasks it needs while in use.
    pub fn new(store: &Store, parts: QueueParts) -> (Self, JoinSet<()>) {
        match store {
            Store::Sqlite(_) => {
                let queue = LocalQueue::new(parts.audits, parts.side_by_side, parts.times.wait);
                (Self::Local { queue, store: store.clone(), tasks: parts.tasks }, JoinSet::new())
            }
            #[cfg(feature = "postgres")]
            Store::Postgres(store) => {
                let (queue, background) = SharedQueue::start(store.clone(), parts);
                (Self::Shared(queue), background)
            }
        }
    }

    /// Returns the number of audits that run here, and of those that wait.
    pub async fn busy(&self) -> Result<(usize, usize), ErrorResponse> {
        match self {
            Self::Local { queue, .. } => Ok(queue.busy()),
            #[cfg(feature = "postgres")]
            Self::Shared(queue) => queue.busy().await,
        }
    }

    /// Audits a page when it is its turn and stores the result, even if the caller is dropped meanwhile. Returns the
    /// report as this write left it.
    pub async fn audit(&self, job: AuditJob) -> Result<StoredReport, ErrorResponse> {
        match self {
            Self::Local { queue, store, tasks } => {
                let (queue, store) = (queue.clone(), store.clone());
                tasks.finish(async move { audit_here(&queue, &store, job).await }).await
            }
            #[cfg(feature = "postgres")]
            Self::Shared(queue) => queue.audit(job).await,
        }
    }
}

async fn audit_here(queue: &LocalQueue, store: &Store, job: AuditJob) -> Result<StoredReport, ErrorResponse> {
    let audited = queue.audit(&job).await?;
    match job.write(audited) {
        ResultWrite::Create(new) => store.create(new, SHOWN_FORMER).await?.ok_or(ErrorResponse::Internal),
        ResultWrite::Change(id, update) => match store.change(id, update, SHOWN_FORMER).await? {
            ChangeOutcome::Changed(report) => Ok(*report),
            ChangeOutcome::Gone => Err(ErrorResponse::NotFound("Report")),
            ChangeOutcome::WithoutPassword => Err(report_form::needs_password()),
        },
    }
}
