//! The in-process audit queue: limits how many audits run and wait, with at most one running per host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedMutexGuard, Semaphore};

use super::job::AuditJob;
use super::page_auditor::AuditResult;
use super::page_audits::PageAudits;
use crate::service::handlers::errors::ErrorResponse;

/// The most audits that may wait.
pub const PLACES: usize = 64;

/// Runs a limited number of audits concurrently, one at a time per host, with a limited number waiting.
#[derive(Clone)]
pub struct LocalQueue {
    audits: PageAudits,
    places: Arc<Semaphore>,
    hosts: Arc<HostTurns>,
    running: Arc<Semaphore>,
    side_by_side: usize,
    most: u32,
    longest_wait: Duration,
}

impl LocalQueue {
    pub fn new(audits: PageAudits, side_by_side: usize, longest_wait: Duration) -> Self {
        let places = side_by_side + PLACES;
        Self {
            audits,
            places: Arc::new(Semaphore::new(places)),
            hosts: Arc::default(),
            running: Arc::new(Semaphore::new(side_by_side)),
            side_by_side,
            most: u32::try_from(places).unwrap_or(u32::MAX),
            longest_wait,
        }
    }

    /// Returns the numbers of running and of waiting audits.
    pub fn busy(&self) -> (usize, usize) {
        let running = self.side_by_side - self.running.available_permits();
        let all = self.side_by_side + PLACES - self.places.available_permits();
        (running, all.saturating_sub(running))
    }

    /// Waits for a turn and audits a page. A panic or a timeout fails this request alone.
    pub async fn audit(&self, job: &AuditJob) -> Result<AuditResult, ErrorResponse> {
        let _place = self.places.try_acquire().map_err(|_| ErrorResponse::Busy(self.most))?;
        let audit = async {
            let _host = self.hosts.take(job.host()).await;
            let _turn = self.running.acquire().await.map_err(|_| ErrorResponse::Stopping)?;
            self.audits.audit(&job.url).await.map_err(|failure| job.refusal(failure))
        };
        tokio::time::timeout(self.longest_wait, audit).await.unwrap_or(Err(ErrorResponse::NoTurn))
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
    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use std::sync::atomic::{AtomicUsize, Ordering};

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

    fn queue(auditor: Arc<Waiting>, side_by_side: usize) -> LocalQueue {
        LocalQueue::new(PageAudits::new(auditor, Arc::default()), side_by_side, Duration::from_secs(100))
    }

    async fn audit(queue: &LocalQueue, url: &str) -> Result<AuditResult, ErrorResponse> {
        let purpose = AuditPurpose::Create { privacy: 0, password_hash: None };
        queue.audit(&AuditJob { url: url.to_owned(), purpose }).await
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
