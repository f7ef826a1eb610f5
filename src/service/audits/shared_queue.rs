//! One instance's side of the audit queue in the shared database: it runs audits for its own requests and for those of
//! other instances, and completes its own requests whichever instance runs their audits.
//!
//! A request inserts its audit and usually claims it in the same transaction. Otherwise it waits until the audit has
//! ended, which a notification signals; without notifications the rows are polled every second.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Mutex as Turn, Notify, OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::commit_retry::retry_commit;
use super::job::AuditJob;
use super::leases::{Lease, RunningAudits};
use super::local_queue::PLACES;
use super::page_auditor::AuditFailure;
use super::queue_parts::QueueParts;
use crate::service::handlers::errors::ErrorResponse;
use crate::service::handlers::report_form;
use crate::service::store::Store;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::PostgresStore;
use crate::service::store::postgres::instances::audit_jobs::AuditJobs;
use crate::service::store::postgres::instances::job_rows::{ClaimedJob, Enqueued, JobEnd, JobOutcome};
use crate::service::store::rows::{ResultWrite, SHOWN_FORMER, StoredReport};

/// How long a request waits for its turn to insert its audit.
const INSERT_WAIT: Duration = Duration::from_secs(8);
/// How often the rows are polled, with or without notifications.
const POLL: Duration = Duration::from_secs(1);
/// The timeout for withdrawing an audit.
const WITHDRAW_TIMEOUT: Duration = Duration::from_secs(10);

/// One instance's part in the queue.
pub struct SharedQueue {
    jobs: AuditJobs,
    store: PostgresStore,
    parts: QueueParts,
    slots: Arc<Semaphore>,
    /// The audits that run here.
    running: RunningAudits,
    /// The waiting requests of this instance, by the id of their audit.
    waiters: Mutex<HashMap<i64, oneshot::Sender<Result<JobEnd, StoreError>>>>,
    /// Held by the request that is inserting its audit.
    insert_turn: Turn<()>,
    /// Notified when an audit may have ended or become claimable.
    wake: Notify,
}

impl SharedQueue {
    /// Creates the queue on a store, and the tasks that claim audits, extend leases and listen for notifications.
    pub fn start(store: PostgresStore, parts: QueueParts) -> (Arc<Self>, JoinSet<()>) {
        let queue = Arc::new(Self {
            jobs: AuditJobs::new(&store, parts.times.lease),
            store,
            slots: Arc::new(Semaphore::new(parts.side_by_side)),
            parts,
            running: RunningAudits::default(),
            waiters: Mutex::default(),
            insert_turn: Turn::default(),
            wake: Notify::new(),
        });
        let mut background = JoinSet::new();
        background.spawn(Arc::clone(&queue).run_claims().boxed());
        background.spawn(Arc::clone(&queue).extend_leases().boxed());
        let listening = Arc::clone(&queue);
        let listens = async move { listening.store.listen_for_audits(|| listening.wake.notify_one()).await };
        background.spawn(listens.boxed());
        (queue, background)
    }

    /// Returns the number of audits that run here, and of those that wait on any instance.
    pub async fn busy(&self) -> Result<(usize, usize), ErrorResponse> {
        let waiting = self.jobs.waiting().await?;
        Ok((self.running.keys().len(), usize::try_from(waiting).unwrap_or_default()))
    }

    /// Queues an audit and waits for it to end. If the caller is dropped, the audit runs nevertheless.
    ///
    /// An error means the audit was withdrawn or ended without a result; [`ErrorResponse::Unconfirmed`] means neither
    /// is known.
    pub async fn audit(self: &Arc<Self>, job: AuditJob) -> Result<StoredReport, ErrorResponse> {
        let deadline = Instant::now() + self.parts.times.wait;
        // A shutdown waits for this request.
        let _open = self.parts.tasks.token();
        // In its own task: a client that disconnects now may have an audit that was already claimed here.
        let (queue, queued) = (Arc::clone(self), job.clone());
        let (id, ended) = self.parts.tasks.finish_unlimited(async move { queue.submit(&queued).await }).await?;
        let refusal = tokio::select! {
            ended = ended => match ended {
                Ok(Ok((outcome, report))) => return self.answer(&job, outcome, report).await,
                // If it can be withdrawn now, it was not stored.
                Ok(Err(StoreError::Unconfirmed(error))) => StoreError::Unavailable(error).into(),
                Ok(Err(error)) => error.into(),
                Err(_) => ErrorResponse::Stopping,
            },
            () = tokio::time::sleep_until(deadline) => ErrorResponse::NoTurn,
            () = self.parts.tasks.given_up() => ErrorResponse::Stopping,
        };
        match tokio::time::timeout(WITHDRAW_TIMEOUT, self.jobs.withdraw(id)).await {
            Ok(Ok(None)) => {
                self.running.revoke(id);
                Err(refusal)
            }
            Ok(Ok(Some(outcome))) => self.answer(&job, outcome, None).await,
            Ok(Err(_)) | Err(_) => Err(ErrorResponse::Unconfirmed),
        }
    }

    /// Inserts an audit, and runs it here if it can be claimed immediately.
    async fn submit(
        self: &Arc<Self>,
        job: &AuditJob,
    ) -> Result<(i64, oneshot::Receiver<Result<JobEnd, StoreError>>), ErrorResponse> {
        let purpose = serde_json::to_string(job).map_err(|error| {
            tracing::error!(%error, "an audit cannot be written as JSON");
            ErrorResponse::Internal
        })?;
        // One at a time, so that concurrent requests are counted.
        let turn = tokio::time::timeout(INSERT_WAIT, self.insert_turn.lock()).await;
        let turn = turn.map_err(|_| ErrorResponse::Locked)?;
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok();
        // Audits that can run here do not use up waiting places.
        let places = PLACES + self.slots.available_permits() + usize::from(slot.is_some());
        let (most, asked) = (i64::try_from(places).unwrap_or(i64::MAX), Instant::now());
        let queued = self.jobs.enqueue(job.host(), purpose, most, slot.is_some()).await?;
        drop(turn);
        let (ended, waits) = oneshot::channel();
        match (queued, slot) {
            (Enqueued::Full, _) => Err(ErrorResponse::Busy(u32::try_from(places).unwrap_or(u32::MAX))),
            (Enqueued::Claimed(job), Some(slot)) => {
                let id = job.id;
                locked(&self.waiters).insert(id, ended);
                self.run_in_task(job, asked, slot);
                Ok((id, waits))
            }
            (Enqueued::Claimed(ClaimedJob { id, .. }) | Enqueued::Waiting(id), slot) => {
                locked(&self.waiters).insert(id, ended);
                drop(slot);
                self.wake.notify_one();
                Ok((id, waits))
            }
        }
    }

    /// Builds the response for an audit that has ended.
    async fn answer(
        &self,
        job: &AuditJob,
        outcome: JobOutcome,
        report: Option<Box<StoredReport>>,
    ) -> Result<StoredReport, ErrorResponse> {
        match (outcome, report) {
            (JobOutcome::Stored(_), Some(report)) => Ok(*report),
            (JobOutcome::Stored(id), None) => Store::Postgres(self.store.clone())
                .opened(id, SHOWN_FORMER)
                .await?
                .ok_or(ErrorResponse::NotFound("Report")),
            (JobOutcome::Failed(failure), _) => Err(job.refusal(failure)),
            (JobOutcome::Gone, _) => Err(ErrorResponse::NotFound("Report")),
            (JobOutcome::WithoutPassword, _) => Err(report_form::needs_password()),
            (JobOutcome::Abandoned, _) => Err(ErrorResponse::Abandoned),
        }
    }

    /// Claims audits while there are free slots, and notifies waiting requests of ended audits.
    async fn run_claims(self: Arc<Self>) {
        let (mut cleaned, mut is_failing) = (Instant::now(), false);
        loop {
            let _ = tokio::time::timeout(POLL, self.wake.notified()).await;
            let mut looked = self.notify_waiters().await;
            if looked.is_ok() {
                looked = self.claim_all().await;
            }
            if looked.is_ok() && cleaned.elapsed() >= self.parts.times.clean {
                cleaned = Instant::now();
                looked = self.store.clean().await;
            }
            // Logged once per outage.
            match &looked {
                Err(error) if !is_failing => tracing::warn!(%error, "no audits can be claimed"),
                Ok(()) if is_failing => tracing::info!("audits can be claimed again"),
                Ok(()) | Err(_) => {}
            }
            is_failing = looked.is_err();
            if is_failing {
                tokio::time::sleep(POLL).await;
            }
        }
    }

    async fn claim_all(self: &Arc<Self>) -> Result<(), StoreError> {
        while let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
            let asked = Instant::now();
            // A stopping instance finishes what its own requests wait for, and leaves the rest to others.
            let one_of = self.parts.stop.is_cancelled().then(|| self.waited_for().0);
            match self.jobs.claim_next(one_of).await? {
                Some(job) => self.run_in_task(job, asked, slot),
                None => break,
            }
        }
        Ok(())
    }

    /// Returns the audits that requests of this instance wait for, and removes and returns those whose clients have
    /// disconnected.
    fn waited_for(&self) -> (Vec<i64>, Vec<i64>) {
        let mut waiters = locked(&self.waiters);
        let gone = waiters.extract_if(|_, waiter| waiter.is_closed()).map(|(id, _)| id).collect();
        (waiters.keys().copied().collect(), gone)
    }

    /// Notifies requests whose audits have ended on other instances.
    async fn notify_waiters(&self) -> Result<(), StoreError> {
        let (mut ids, gone) = self.waited_for();
        if !gone.is_empty() {
            self.jobs.requeue(gone).await?;
        }
        let here: HashSet<i64> = self.running.keys().into_iter().map(|(id, _)| id).collect();
        ids.retain(|id| !here.contains(id));
        if !ids.is_empty() {
            for (id, end) in self.jobs.ends(ids).await? {
                self.notify_waiter(id, Ok(end));
            }
        }
        Ok(())
    }

    fn notify_waiter(&self, id: i64, ended: Result<JobEnd, StoreError>) {
        let waiter = locked(&self.waiters).remove(&id);
        if let Some(waiter) = waiter {
            // The receiver may be gone.
            let _ = waiter.send(ended);
        }
    }

    /// Extends the leases of the audits that run here. Those taken over by another instance or withdrawn are aborted.
    async fn extend_leases(self: Arc<Self>) {
        let lease = self.parts.times.lease;
        loop {
            tokio::time::sleep(lease / 3).await;
            let asked = self.running.keys();
            if asked.is_empty() {
                continue;
            }
            let now = Instant::now();
            match self.jobs.extend(asked.clone()).await {
                Ok((extended, until)) => self.running.extend(&asked, &extended, Lease { ends: now + lease, until }),
                // The leases expire by themselves.
                Err(error) => tracing::warn!(%error, "leases of audits could not be extended"),
            }
        }
    }

    fn run_in_task(self: &Arc<Self>, job: ClaimedJob, asked: Instant, slot: OwnedSemaphorePermit) {
        let queue = Arc::clone(self);
        let lease = Lease { ends: asked + self.parts.times.lease, until: job.lease_until };
        drop(self.parts.tasks.spawn(async move {
            queue.run(&job, lease, slot).await;
            queue.wake.notify_one();
        }));
    }

    /// Audits a page and ends its job in the queue.
    async fn run(&self, job: &ClaimedJob, lease: Lease, slot: OwnedSemaphorePermit) {
        let mut held = self.running.insert((job.id, job.attempt), lease);
        let audited = tokio::select! {
            // Before the audit goes on, which would send its next request.
            biased;
            () = held.ended() => None,
            audited = self.audit_page(job) => Some(audited),
        };
        // The slot is free for other audits while this result is stored.
        drop(slot);
        self.wake.notify_one();
        let ended = match audited {
            Some(audited) => self.store_end(job, &audited).await,
            None => Ok(None),
        };
        let until = held.until();
        // Removed first, so that a notified request finds the audit no longer running.
        drop(held);
        match ended {
            Ok(Some(ended)) => self.notify_waiter(job.id, Ok(ended)),
            // Another attempt continues, or this one was stored by an unconfirmed commit: polling the row will tell.
            Ok(None) => {
                tracing::warn!(id = job.id, "an audit ended without effect: it was withdrawn, or its lease expired");
                // If this fails, the host is free when the lease ends.
                drop(self.jobs.free_host(job.host.clone(), until).await);
            }
            Err(error) => {
                tracing::error!(%error, "the end of an audit could not be stored");
                self.notify_waiter(job.id, Err(error));
            }
        }
    }

    /// Audits the page of a claimed job and returns the write that stores its result.
    async fn audit_page(&self, job: &ClaimedJob) -> Result<ResultWrite, AuditFailure> {
        let asked: AuditJob = serde_json::from_str(&job.purpose).map_err(|error| {
            tracing::error!(%error, "an audit in the queue cannot be read: was it queued by a newer version?");
            AuditFailure::Panicked
        })?;
        let audited = self.parts.audits.audit(&asked.url).await?;
        Ok(asked.write(audited))
    }

    /// Stores how an audit ended, retrying while the database is unavailable or busy. An attempt stores at most one
    /// result.
    async fn store_end(
        &self,
        job: &ClaimedJob,
        audited: &Result<ResultWrite, AuditFailure>,
    ) -> Result<Option<JobEnd>, StoreError> {
        retry_commit(self.parts.times.commit_retry, || {
            let is_elsewhere = !locked(&self.waiters).contains_key(&job.id);
            self.jobs.end(job, audited.clone(), is_elsewhere)
        })
        .await
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
