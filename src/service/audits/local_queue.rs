//! The in-process audit queue: limits how many audits run and wait, with at most one running per host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard, Semaphore};

use super::commit_retry::retry_commit;
use super::job::AuditJob;
use super::page_auditor::AuditResult;
use super::queue_parts::QueueParts;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::handlers::report_form;
use crate::service::store::Store;
use crate::service::store::rows::StoredReport;

/// The most audits that may wait.
pub const PLACES: usize = 64;

/// Runs a limited number of audits concurrently, one at a time per host, with a limited number waiting.
pub struct LocalQueue {
    store: Store,
    parts: QueueParts,
    places: Semaphore,
    hosts: HostTurns,
    running: Semaphore,
}

impl LocalQueue {
    pub fn new(store: Store, parts: QueueParts) -> Self {
        let (places, running) = (Semaphore::new(parts.side_by_side + PLACES), Semaphore::new(parts.side_by_side));
        Self { store, parts, places, hosts: HostTurns::default(), running }
    }

    /// Returns the numbers of running and of waiting audits.
    pub fn busy(&self) -> (usize, usize) {
        let running = self.parts.side_by_side - self.running.available_permits();
        let all = self.parts.side_by_side + PLACES - self.places.available_permits();
        (running, all.saturating_sub(running))
    }

    /// Audits a page when it is its turn and stores the result in SQLite, where a failed commit has changed nothing and
    /// may be repeated.
    pub async fn audit(self: &Arc<Self>, job: AuditJob) -> Result<StoredReport, ErrorResponse> {
        let queue = Arc::clone(self);
        let audit = async move {
            let audited = queue.audit_in_turn(&job).await?;
            let write = job.write(audited);
            let commit = || queue.store.store_result(write.clone());
            report_form::changed(retry_commit(queue.parts.times.commit_retry, commit).await?)
        };
        self.parts.tasks.finish(audit).await
    }

    /// Waits for a turn and audits a page. A panic or a timeout fails this request alone.
    async fn audit_in_turn(&self, job: &AuditJob) -> Result<AuditResult, ErrorResponse> {
        let all = || u32::try_from(self.parts.side_by_side + PLACES).unwrap_or(u32::MAX);
        let _place = self.places.try_acquire().map_err(|_| ErrorResponse::Busy(all()))?;
        let audit = async {
            let _host = self.hosts.take(job.host()).await;
            let _turn = self.running.acquire().await.map_err(|_| ErrorResponse::Stopping)?;
            self.parts.audits.audit(&job.url).await.map_err(|failure| job.refusal(failure))
        };
        tokio::time::timeout(self.parts.times.wait, audit).await.unwrap_or(Err(ErrorResponse::NoTurn))
    }
}

/// One lock per host that is being audited or waited for.
#[derive(Default)]
struct HostTurns(Mutex<HashMap<String, Weak<Turn<()>>>>);

impl HostTurns {
    /// Waits until no other audit of the host runs. The turn ends when the guard is dropped.
    async fn take(&self, host: String) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| turn.strong_count() > 0);
            let known = turns.get(&host).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let turn = Arc::default();
                turns.insert(host, Arc::downgrade(&turn));
                turn
            })
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::audits::job::AuditPurpose;
    use crate::service::audits::page_auditor::{AuditFailure, PageAuditor};
    use crate::service::audits::page_audits::PageAudits;
    use crate::service::audits::queue_parts::AuditTimes;
    use crate::service::server::task_pool::TaskPool;
    use crate::service::store::sqlite::SqliteStore;
    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio_util::sync::CancellationToken;

    /// An auditor whose audits wait for a permit, and count how many run.
    struct Waiting {
        running: AtomicUsize,
        most: AtomicUsize,
        end: Semaphore,
    }

    impl Waiting {
        fn new() -> Self {
            Self { running: AtomicUsize::new(0), most: AtomicUsize::new(0), end: Semaphore::new(0) }
        }
    }

    impl PageAuditor for Waiting {
        fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>> {
            async move {
                assert!(url != "panic", "as the test wants it");
                let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
                self.most.fetch_max(running, Ordering::SeqCst);
                self.end.acquire().await.unwrap().forget();
                self.running.fetch_sub(1, Ordering::SeqCst);
                Err(if url == "unfinished" {
                    AuditFailure::Unfinished("as the test wants it".to_owned())
                } else {
                    AuditFailure::Refused("no".to_owned())
                })
            }
            .boxed()
        }
    }

    fn queue(auditor: Arc<Waiting>, side_by_side: usize) -> Arc<LocalQueue> {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::Sqlite(SqliteStore::open(directory.path()).unwrap());
        let parts = QueueParts {
            audits: PageAudits::new(auditor, Arc::default()),
            side_by_side,
            times: AuditTimes::default(),
            tasks: TaskPool::default(),
            stop: CancellationToken::new(),
        };
        Arc::new(LocalQueue::new(store, parts))
    }

    async fn audit(queue: &LocalQueue, url: &str) -> Result<AuditResult, ErrorResponse> {
        let purpose = AuditPurpose::Create { privacy: 0, password_hash: None };
        queue.audit_in_turn(&AuditJob { url: url.to_owned(), purpose }).await
    }

    #[tokio::test]
    async fn running_and_waiting_audits_are_limited() {
        let audits = Arc::new(Waiting::new());
        let queue = queue(audits.clone(), 2);
        let mut tasks = tokio::task::JoinSet::new();
        for host in 0..2 + PLACES {
            let queue = queue.clone();
            tasks.spawn(async move { audit(&queue, &format!("https://{host}.example/")).await });
        }
        while queue.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.busy(), (2, PLACES));
        assert!(matches!(audit(&queue, "https://shop.example/").await, Err(ErrorResponse::Busy(66))));
        audits.end.add_permits(2 + PLACES);
        while let Some(ended) = tasks.join_next().await {
            assert!(matches!(ended.unwrap(), Err(ErrorResponse::Invalid(_))));
        }
        assert_eq!(audits.most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn audits_of_one_host_take_turns() {
        let audits = Arc::new(Waiting::new());
        let queue = queue(audits.clone(), 4);
        let mut tasks = tokio::task::JoinSet::new();
        for url in ["https://shop.example/1", "http://SHOP.example:80/2", "shop.example/3", "https://tea.example/"] {
            let queue = queue.clone();
            tasks.spawn(async move { audit(&queue, url).await });
        }
        while audits.running.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        audits.end.add_permits(4);
        while tasks.join_next().await.is_some() {}
        assert_eq!(audits.most.load(Ordering::SeqCst), 2, "one of each host");
        assert_eq!(queue.hosts.0.lock().unwrap().values().filter(|turn| turn.strong_count() > 0).count(), 0);
    }

    #[tokio::test]
    async fn a_panic_frees_its_place() {
        let queue = queue(Arc::new(Waiting::new()), 1);
        for _ in 0..3 {
            assert!(matches!(audit(&queue, "panic").await, Err(ErrorResponse::Internal)));
        }
        assert_eq!(queue.places.available_permits(), 1 + PLACES);
    }

    #[tokio::test(start_paused = true)]
    async fn an_audit_that_never_ends_times_out() {
        let queue = queue(Arc::new(Waiting::new()), 1);
        assert!(matches!(audit(&queue, "https://shop.example/").await, Err(ErrorResponse::Unfinished(_))));
    }

    #[tokio::test]
    async fn an_unfinished_audit_is_not_a_result_and_frees_its_place() {
        let audits = Arc::new(Waiting::new());
        audits.end.add_permits(1);
        let queue = queue(audits, 1);
        assert!(matches!(audit(&queue, "unfinished").await, Err(ErrorResponse::Unfinished(_))));
        assert_eq!(queue.places.available_permits(), 1 + PLACES);
    }
}
