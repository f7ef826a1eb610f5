//! The audit queue: in this process (SQLite), or in the database that instances share (PostgreSQL).

use std::sync::Arc;

use tokio::task::JoinSet;

use super::job::AuditJob;
use super::local_queue::LocalQueue;
use super::queue_parts::QueueParts;
#[cfg(feature = "postgres")]
use super::shared_queue::SharedQueue;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::store::Store;
use crate::service::store::rows::StoredReport;

/// Audits pages and stores their results.
pub enum AuditQueue {
    /// In this process.
    Local(Arc<LocalQueue>),
    /// In the shared database.
    #[cfg(feature = "postgres")]
    Shared(Arc<SharedQueue>),
}

impl AuditQueue {
    /// Creates the queue for a store, and the background tasks it needs while in use.
    pub fn new(store: &Store, parts: QueueParts) -> (Self, JoinSet<()>) {
        match store {
            Store::Sqlite(_) => (Self::Local(Arc::new(LocalQueue::new(store.clone(), parts))), JoinSet::new()),
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
            Self::Local(queue) => Ok(queue.busy()),
            #[cfg(feature = "postgres")]
            Self::Shared(queue) => queue.busy().await,
        }
    }

    /// Audits a page when it is its turn and stores the result, even if the caller is dropped meanwhile. Returns the
    /// report as this write left it.
    pub async fn audit(&self, job: AuditJob) -> Result<StoredReport, ErrorResponse> {
        match self {
            Self::Local(queue) => queue.audit(job).await,
            #[cfg(feature = "postgres")]
            Self::Shared(queue) => queue.audit(job).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::audits::job::AuditPurpose;
    use crate::service::audits::page_auditor::{AuditFailure, AuditResult, PageAuditor};
    use crate::service::audits::page_audits::PageAudits;
    use crate::service::audits::queue_parts::AuditTimes;
    use crate::service::server::task_pool::TaskPool;
    use crate::service::store::sqlite::{SqliteStore, SqliteTransaction};
    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    struct Good;

    impl PageAuditor for Good {
        fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
            let (url, project, checks) = (url.to_owned(), "shop.example".to_owned(), Vec::new());
            async move { Ok(AuditResult { url, project, score: 100, checks }) }.boxed()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_result_is_stored_although_another_write_blocks_the_database_for_longer_than_a_write_waits() {
        let directory = tempfile::tempdir().unwrap();
        let sqlite = SqliteStore::open(directory.path()).unwrap();
        let parts = QueueParts {
            audits: PageAudits::new(Arc::new(Good), Arc::default()),
            side_by_side: 1,
            times: AuditTimes::default(),
            tasks: TaskPool::default(),
            stop: CancellationToken::new(),
        };
        let (queue, _background) = AuditQueue::new(&Store::Sqlite(sqlite.clone()), parts);
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (go_on, may_go_on) = std::sync::mpsc::channel();
        let blocking = tokio::spawn(async move {
            let block = async move |_: &SqliteTransaction<'_>| {
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                Ok(())
            };
            sqlite.write(block).await
        });
        has_begun.await.unwrap();
        let purpose = AuditPurpose::Create { privacy: 0, password_hash: None };
        let job = AuditJob { url: "https://shop.example/".to_owned(), purpose };
        let audit = tokio::spawn(async move { queue.audit(job).await.map(|report| report.0.url) });
        for _ in 0..15 {
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        go_on.send(()).unwrap();
        blocking.await.unwrap().unwrap();
        let stored = audit.await.unwrap();
        assert_eq!(stored.ok().as_deref(), Some("https://shop.example/"));
    }
}
