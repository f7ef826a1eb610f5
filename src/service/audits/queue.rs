//! The audit queue: a limited number of audits run, one for each host, and a limited number wait.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, Semaphore};

use crate::api::contract::parameter;
use crate::audit::normalize;
use crate::domain::report::check::Check;
use crate::domain::report::outcome::Outcome;

use crate::service::handlers::errors::{ErrorResponse, StoredResult};
use crate::service::server::metrics::Metrics;
use crate::service::store::values;

/// The most audits that wait.
const PLACES: usize = 64;
/// The timeout of an audit in wall clock time. Audits have limits of their own, partly in processor time, which an
/// overloaded machine may not reach.
const LIMIT: Duration = Duration::from_mins(1);

/// Audits pages.
pub trait PageAuditor: Send + Sync + 'static {
    /// Audits one page. An unreachable page is a bad result, not a failure.
    fn audit<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<AuditResult, AuditFailure>>;
}

/// Why an audit has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFailure {
    /// The URL must not be fetched; a sentence that says why.
    Refused(String),
    /// The page exceeded the limits of an audit.
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
    /// 0–100.
    pub score: u8,
    /// Good, decent or bad.
    pub outcome: Outcome,
    /// All checks.
    pub checks: Vec<Check>,
}

/// Runs a limited number of audits side by side, one at a time for each host, and lets a limited number wait.
#[derive(Clone)]
pub struct AuditQueue {
    audits: Arc<dyn PageAuditor>,
    places: Arc<Semaphore>,
    hosts: Arc<HostTurns>,
    running: Arc<Semaphore>,
    side_by_side: usize,
    most: u32,
    metrics: Arc<Metrics>,
}

impl AuditQueue {
    pub fn new(audits: Arc<dyn PageAuditor>, side_by_side: usize, metrics: Arc<Metrics>) -> Self {
        let side_by_side = side_by_side.max(1);
        let places = side_by_side + PLACES;
        Self {
            audits,
            places: Arc::new(Semaphore::new(places)),
            hosts: Arc::default(),
            running: Arc::new(Semaphore::new(side_by_side)),
            side_by_side,
            most: u32::try_from(places).unwrap_or(u32::MAX),
            metrics,
        }
    }

    /// The number of running and of waiting audits.
    pub fn busy(&self) -> (usize, usize) {
        let running = self.side_by_side - self.running.available_permits();
        let all = self.side_by_side + PLACES - self.places.available_permits();
        (running, all.saturating_sub(running))
    }

    /// Audits a page when it is its turn. A panic or a timeout is an error of this request alone.
    pub async fn audit(&self, url: &str) -> Result<AuditResult, ErrorResponse> {
        let _place = self.places.try_acquire().map_err(|_| ErrorResponse::Busy(self.most))?;
        let _host = self.hosts.take(host_of(url)).await;
        let _turn = self.running.acquire().await.map_err(|_| ErrorResponse::Stopping)?;
        let started = Instant::now();
        let audited = self.audit_now(url).await;
        let refused = matches!(audited, Err(ErrorResponse::Invalid(_)));
        let ended = audited.as_ref().map(|audited| values::word(values::rank(&audited.outcome, audited.score)));
        let result = ended.unwrap_or(if refused { "refused" } else { "failed" });
        self.metrics.audited(result, started.elapsed());
        audited
    }

    async fn audit_now(&self, url: &str) -> Result<AuditResult, ErrorResponse> {
        let audit = AssertUnwindSafe(async { self.audits.audit(url).await }).catch_unwind();
        match tokio::time::timeout(LIMIT, audit).await {
            Ok(Ok(Ok(audited))) => Ok(audited),
            Ok(Ok(Err(AuditFailure::Refused(text)))) => Err(ErrorResponse::invalid(parameter::URL, text)),
            Ok(Ok(Err(AuditFailure::Unfinished(reason)))) => {
                tracing::warn!(reason, "an audit could not be finished");
                Err(ErrorResponse::Unfinished(StoredResult::None))
            }
            Ok(Ok(Err(AuditFailure::Panicked)) | Err(_)) => {
                tracing::error!("an audit panicked");
                Err(ErrorResponse::Internal)
            }
            Err(_) => {
                tracing::error!("an audit did not end in time");
                Err(ErrorResponse::Unfinished(StoredResult::None))
            }
        }
    }
}

/// The host whose audits take turns; a URL that cannot be read has its turns under its own text.
fn host_of(url: &str) -> String {
    let read = normalize(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    read.unwrap_or_else(|| url.to_owned())
}

/// The turns of the hosts that are audited or waited for.
#[derive(Default)]
struct HostTurns(Mutex<HashMap<String, Weak<Turn<()>>>>);

impl HostTurns {
    /// Waits until no other audit of the host runs. The turn ends when the value is dropped.
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

    #[tokio::test]
    async fn running_and_waiting_audits_are_limited() {
        let audits = Arc::new(Waiting::new());
        let queue = AuditQueue::new(audits.clone(), 2, Arc::default());
        let mut tasks = tokio::task::JoinSet::new();
        for host in 0..2 + PLACES {
            let queue = queue.clone();
            tasks.spawn(async move { queue.audit(&format!("https://{host}.example/")).await });
        }
        while queue.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.busy(), (2, PLACES));
        assert!(matches!(queue.audit("https://shop.example/").await, Err(ErrorResponse::Busy(66))));
        audits.end.add_permits(2 + PLACES);
        while let Some(ended) = tasks.join_next().await {
            assert!(matches!(ended.unwrap(), Err(ErrorResponse::Invalid(_))));
        }
        assert_eq!(audits.most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn audits_of_one_host_take_turns() {
        let audits = Arc::new(Waiting::new());
        let queue = AuditQueue::new(audits.clone(), 4, Arc::default());
        let mut tasks = tokio::task::JoinSet::new();
        for url in ["https://shop.example/1", "http://SHOP.example:80/2", "shop.example/3", "https://tea.example/"] {
            let queue = queue.clone();
            tasks.spawn(async move { queue.audit(url).await });
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
        let queue = AuditQueue::new(Arc::new(Waiting::new()), 1, Arc::default());
        for _ in 0..3 {
            assert!(matches!(queue.audit("panic").await, Err(ErrorResponse::Internal)));
        }
        assert_eq!(queue.places.available_permits(), 1 + PLACES);
    }

    #[tokio::test(start_paused = true)]
    async fn an_audit_that_never_ends_is_given_up() {
        let queue = AuditQueue::new(Arc::new(Waiting::new()), 1, Arc::default());
        assert!(matches!(queue.audit("https://shop.example/").await, Err(ErrorResponse::Unfinished(_))));
    }

    #[tokio::test]
    async fn an_unfinished_audit_is_no_result_and_frees_its_place() {
        let audits = Arc::new(Waiting::new());
        audits.end.add_permits(1);
        let queue = AuditQueue::new(audits, 1, Arc::default());
        assert!(matches!(queue.audit("unfinished").await, Err(ErrorResponse::Unfinished(StoredResult::None))));
        assert_eq!(queue.places.available_permits(), 1 + PLACES);
    }
}
