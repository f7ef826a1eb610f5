//! The audit queue that instances share: a table whose rows are claimed for the duration of a lease.
//!
//! A claim locks the audit and its host, skipping locked rows. The host's row holds the time until which it is taken,
//! so that two audits of a host never run at once. The attempt number is a fencing token: a worker that lost the lease
//! stores nothing.

use std::time::Duration;

use serde::Serialize;
use tokio_postgres::Row;

use super::job_rows::{AttemptKey, ClaimedJob, Enqueued, JobEnd, JobOutcome};
use crate::domain::text::clean;
use crate::service::audits::job::AuditJob;
use crate::service::audits::page_auditor::AuditFailure;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::PostgresStore;
use crate::service::store::postgres::parameters::{TypedParameter, parameters, typed};
use crate::service::store::postgres::transaction::PgTransaction;
use crate::service::store::postgres::transactions::Transactions;
use crate::service::store::rows::{ChangeOutcome, ResultWrite};
use crate::service::store::tables::reports;

/// The notification channel: the id of each audit that ended.
pub const CHANNEL: &str = "audit";
/// The priority of an audit that a request waits for. Lower values run first.
const REQUEST_PRIORITY: i16 = 0;
/// The priority of an audit that no request waits for.
const BACKGROUND_PRIORITY: i16 = 1;
/// The most attempts at an audit.
const MOST_ATTEMPTS: i16 = 3;
/// How much later than one that begins now a lease may end, in milliseconds. A lease that ends later was given before the
/// server's clock was set back, and counts as expired. With the lease, this is shorter than a request waits.
const CLOCK_TOLERANCE: i64 = 60 * 1000;
/// The advisory lock that keeps a host's row from being deleted under a new audit: "audits" in ASCII, then 1.
pub const HOSTS_LOCK: i64 = 0x0061_7564_6974_7301;

/// The queue, as one worker sees it. Clones are the same worker.
#[derive(Clone)]
pub struct AuditJobs {
    transactions: Transactions,
    worker: String,
    lease: i64,
}

impl AuditJobs {
    /// Creates a worker whose leases last this long.
    pub fn new(store: &PostgresStore, lease: Duration) -> Self {
        // Identifies the process to people who inspect the table; the fencing token is the attempt number.
        let worker = format!("{:016x}", getrandom::u64().unwrap_or_else(|_| std::process::id().into()));
        Self { transactions: store.0.clone(), worker, lease: i64::try_from(lease.as_millis()).unwrap_or(i64::MAX) }
    }

    /// Inserts an audit unless `places` audits wait already, and claims it if `may_run` is set and its host is free.
    /// Audits of one `host` take turns; `purpose` is the JSON of an `AuditJob`.
    ///
    /// Concurrent inserts may exceed `places` by one per instance.
    pub async fn enqueue(
        &self,
        host: String,
        purpose: String,
        places: i64,
        may_run: bool,
    ) -> Result<Enqueued, StoreError> {
        let jobs = self.clone();
        let insert = move |transaction: PgTransaction| async move {
            // The lock comes first, in its own statement, so that the next one sees whether the host was deleted.
            let lock = format!("SELECT pg_advisory_xact_lock_shared({HOSTS_LOCK})");
            transaction.query_typed_one(&lock, &[]).await?;
            let sql = "WITH known AS (INSERT INTO hosts (host, next_at) VALUES ($1, 0) ON CONFLICT (host) DO NOTHING) \
                       INSERT INTO audits (host, priority, purpose) SELECT $1, $2, $3 \
                       WHERE (SELECT count(*) FROM audits WHERE state = 0) < $4 RETURNING id";
            let values = parameters![host, REQUEST_PRIORITY, purpose, places];
            let Some(row) = transaction.query_typed_opt(sql, values).await? else { return Ok(Enqueued::Full) };
            let id = row.try_get(0)?;
            let claimed = if may_run { jobs.claim(&transaction, Some(vec![id])).await? } else { None };
            Ok(claimed.map_or(Enqueued::Waiting(id), Enqueued::Claimed))
        };
        self.transactions.write_beside(insert).await
    }

    /// Claims the next audit whose host is free, if any. With ids, claims one of these that no other waiting audit of its
    /// host precedes; without, first requeues audits whose lease has expired.
    pub async fn claim_next(&self, one_of: Option<Vec<i64>>) -> Result<Option<ClaimedJob>, StoreError> {
        let jobs = self.clone();
        let claim = move |transaction: PgTransaction| async move {
            if one_of.is_none() {
                recover(&transaction, jobs.latest_end(transaction.now)).await?;
            }
            jobs.claim(&transaction, one_of).await
        };
        self.transactions.write_beside(claim).await
    }

    /// Returns the latest end of a lease, unless the server's clock was set back.
    fn latest_end(&self, now: i64) -> i64 {
        now.saturating_add(self.lease).saturating_add(CLOCK_TOLERANCE)
    }

    async fn claim(
        &self,
        transaction: &PgTransaction,
        one_of: Option<Vec<i64>>,
    ) -> Result<Option<ClaimedJob>, StoreError> {
        let (now, until) = (transaction.now, transaction.now.saturating_add(self.lease));
        let latest = self.latest_end(now);
        let mut values: Vec<TypedParameter<'_>> = parameters![now, until, self.worker, latest].to_vec();
        let which = match &one_of {
            None => "",
            Some(ids) => {
                values.push(typed(ids));
                "AND audits.id = ANY($5) AND NOT EXISTS (SELECT 1 FROM audits before WHERE before.host = audits.host \
                 AND before.state = 0 AND (before.priority, before.id) < (audits.priority, audits.id))"
            }
        };
        // Not FOR UPDATE: inserting an audit for the same host holds its row with FOR KEY SHARE.
        let sql = format!(
            "WITH claimed AS ( \
               SELECT audits.id, audits.host FROM audits JOIN hosts USING (host) \
               WHERE audits.state = 0 AND (hosts.next_at <= $1 OR hosts.next_at > $4) {which} \
               ORDER BY audits.priority, audits.id LIMIT 1 FOR NO KEY UPDATE OF audits, hosts SKIP LOCKED \
             ), taken AS (UPDATE hosts SET next_at = $2 FROM claimed WHERE hosts.host = claimed.host) \
             UPDATE audits SET state = 1, attempt = attempt + 1, worker = $3, lease_until = $2 \
             FROM claimed WHERE audits.id = claimed.id \
             RETURNING audits.id, audits.host, audits.attempt, audits.purpose, audits.lease_until"
        );
        let claimed = transaction.query_typed_opt(&sql, &values).await?;
        claimed.map(|row| read_claimed(&row)).transpose()
    }

    /// Extends the leases of audits that run here, and returns the extended ones with the new end of their leases, in
    /// Unix milliseconds by the server's clock; the others are lost.
    pub async fn extend(&self, running: Vec<AttemptKey>) -> Result<(Vec<AttemptKey>, i64), StoreError> {
        let lease = self.lease;
        let extend = move |transaction: PgTransaction| async move {
            let (ids, attempts): (Vec<i64>, Vec<i16>) = running.into_iter().unzip();
            let (now, until) = (transaction.now, transaction.now.saturating_add(lease));
            // Locked rows are just being ended, withdrawn or recovered.
            let sql = "WITH mine AS ( \
                         SELECT audits.id, audits.host FROM audits \
                         JOIN unnest($1::bigint[], $2::smallint[]) AS running (id, attempt) USING (id, attempt) \
                         WHERE audits.state = 1 AND audits.lease_until > $3 FOR NO KEY UPDATE OF audits SKIP LOCKED \
                       ), held AS (UPDATE hosts SET next_at = $4 FROM mine WHERE hosts.host = mine.host) \
                       UPDATE audits SET lease_until = $4 FROM mine WHERE audits.id = mine.id \
                       RETURNING audits.id, audits.attempt";
            let rows = transaction.query_typed(sql, parameters![ids, attempts, now, until]).await?;
            let read = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
            Ok((rows.iter().map(read).collect::<Result<_, StoreError>>()?, until))
        };
        self.transactions.write_beside(extend).await
    }

    /// Stores the result of an audit, if it has one, and ends the audit in one transaction; `None`, with nothing written,
    /// if the attempt is outdated. If the waiting request `is_elsewhere`, the report is also stored in the audit's row.
    pub async fn end(
        &self,
        job: &ClaimedJob,
        audited: Result<ResultWrite, AuditFailure>,
        is_elsewhere: bool,
    ) -> Result<Option<JobEnd>, StoreError> {
        let job = job.clone();
        let end = move |transaction: PgTransaction| async move {
            if !is_current(&transaction, &job).await? {
                return Ok(None);
            }
            let (outcome, report) = match audited {
                Err(failure) => (JobOutcome::Failed(failure), None),
                Ok(write) => match reports::store_result(&transaction, &write).await? {
                    ChangeOutcome::Changed(report) => (JobOutcome::Stored(report.0.id), Some(report)),
                    ChangeOutcome::Gone => (JobOutcome::Gone, None),
                    ChangeOutcome::WithoutPassword => (JobOutcome::WithoutPassword, None),
                },
            };
            let kept = report.as_ref().filter(|_| is_elsewhere).map(text_of);
            end(&transaction, &job, &outcome, kept).await?;
            Ok(Some((outcome, report)))
        };
        self.transactions.write(end).await
    }

    /// Frees the host of an aborted audit, unless another audit has taken it.
    pub async fn free_host(&self, host: String, lease_until: i64) -> Result<(), StoreError> {
        let free = move |transaction: PgTransaction| async move { free_host(&transaction, &host, lease_until).await };
        self.transactions.write_beside(free).await
    }

    /// Returns the ends of those audits that have ended.
    pub async fn ends(&self, ids: Vec<i64>) -> Result<Vec<(i64, JobEnd)>, StoreError> {
        let read = |transaction: PgTransaction| async move {
            let sql = "SELECT id, outcome, report FROM audits WHERE id = ANY($1) AND state = 2";
            let rows = transaction.query_typed(sql, parameters![ids]).await?;
            let read = |row: &Row| {
                // If it cannot be parsed, the current report is read later.
                let report = row.try_get::<_, Option<&str>>(2)?.and_then(|text| serde_json::from_str(text).ok());
                Ok((row.try_get(0)?, (read_outcome(row.try_get(1)?), report)))
            };
            rows.iter().map(read).collect()
        };
        self.transactions.read(read).await
    }

    /// Withdraws an audit, so that no result is stored. Returns the outcome if it has already ended.
    pub async fn withdraw(&self, id: i64) -> Result<Option<JobOutcome>, StoreError> {
        let withdraw = move |transaction: PgTransaction| async move {
            let sql = "UPDATE audits SET state = 3, purpose = '', ended_at = $2 WHERE id = $1 AND state IN (0, 1)";
            if transaction.execute_typed(sql, parameters![id, transaction.now]).await? > 0 {
                return Ok(None);
            }
            let sql = "SELECT outcome FROM audits WHERE id = $1 AND state = 2";
            let ended = transaction.query_typed_opt(sql, parameters![id]).await?;
            ended.map(|row| Ok(read_outcome(row.try_get(0)?))).transpose()
        };
        self.transactions.write_beside(withdraw).await
    }

    /// Moves audits behind those that requests wait for, since their own clients have gone.
    pub async fn requeue(&self, ids: Vec<i64>) -> Result<(), StoreError> {
        let put_back = move |transaction: PgTransaction| async move {
            let sql = "UPDATE audits SET priority = $2 WHERE id = ANY($1) AND state = 0";
            transaction.execute_typed(sql, parameters![ids, BACKGROUND_PRIORITY]).await?;
            Ok(())
        };
        self.transactions.write_beside(put_back).await
    }

    /// Returns how many audits wait.
    pub async fn waiting(&self) -> Result<i64, StoreError> {
        let count = |transaction: PgTransaction| async move {
            let row = transaction.query_typed_one("SELECT count(*) FROM audits WHERE state = 0", &[]).await?;
            Ok(row.try_get(0)?)
        };
        self.transactions.read(count).await
    }
}

/// Requeues audits whose lease has expired or ends after `latest`, or ends them after the last attempt.
async fn recover(transaction: &PgTransaction, latest: i64) -> Result<(), StoreError> {
    let sql = "WITH lost AS (SELECT id, purpose AS job FROM audits \
               WHERE state = 1 AND (lease_until < $1 OR lease_until > $4) FOR NO KEY UPDATE SKIP LOCKED) \
               UPDATE audits SET worker = NULL, lease_until = NULL, \
               state = CASE WHEN attempt < $2 THEN 0 ELSE 2 END, \
               purpose = CASE WHEN attempt < $2 THEN purpose ELSE '' END, \
               outcome = CASE WHEN attempt < $2 THEN NULL ELSE $3 END, \
               ended_at = CASE WHEN attempt < $2 THEN NULL ELSE $1 END \
               FROM lost WHERE audits.id = lost.id RETURNING audits.id, audits.attempt, audits.state = 2, \
               lost.job";
    let abandoned = text_of(&JobOutcome::Abandoned);
    for row in transaction.query_typed(sql, parameters![transaction.now, MOST_ATTEMPTS, abandoned, latest]).await? {
        let (id, attempt, has_ended): (i64, i16, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        // Only the page: the rest may contain a password hash.
        let page = serde_json::from_str::<AuditJob>(row.try_get(3)?).map(|job| job.url).unwrap_or_default();
        tracing::warn!(id, page = &*clean(&page), attempt, has_ended, "the worker of an audit was lost");
        if has_ended {
            notify(transaction, id).await?;
        }
    }
    Ok(())
}

/// Whether the attempt is the current one. Locks the audit's row until the transaction ends.
async fn is_current(transaction: &PgTransaction, job: &ClaimedJob) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM audits WHERE id = $1 AND state = 1 AND attempt = $2 FOR UPDATE";
    Ok(transaction.query_typed_opt(sql, parameters![job.id, job.attempt]).await?.is_some())
}

/// Ends an audit and notifies waiting requests. The page and the password hash are erased from its row.
async fn end(
    transaction: &PgTransaction,
    job: &ClaimedJob,
    outcome: &JobOutcome,
    report: Option<String>,
) -> Result<(), StoreError> {
    let sql = "UPDATE audits SET state = 2, purpose = '', outcome = $2, ended_at = $3, report = $4 WHERE id = $1 \
               RETURNING lease_until";
    let text = text_of(outcome);
    let until =
        transaction.query_typed_one(sql, parameters![job.id, text, transaction.now, report]).await?.try_get(0)?;
    free_host(transaction, &job.host, until).await?;
    notify(transaction, job.id).await
}

/// Frees a host unless another lease has taken it since.
async fn free_host(transaction: &PgTransaction, host: &str, lease_until: i64) -> Result<(), StoreError> {
    let sql = "UPDATE hosts SET next_at = $3 WHERE host = $1 AND next_at = $2";
    transaction.execute_typed(sql, parameters![host, lease_until, transaction.now]).await?;
    Ok(())
}

async fn notify(transaction: &PgTransaction, id: i64) -> Result<(), StoreError> {
    let payload = id.to_string();
    transaction.query_typed_one("SELECT pg_notify($1, $2)", parameters![CHANNEL, payload]).await?;
    Ok(())
}

fn read_claimed(row: &Row) -> Result<ClaimedJob, StoreError> {
    Ok(ClaimedJob {
        id: row.try_get(0)?,
        host: row.try_get(1)?,
        attempt: row.try_get(2)?,
        purpose: row.try_get(3)?,
        lease_until: row.try_get(4)?,
    })
}

fn text_of(data: &impl Serialize) -> String {
    // Writing plain data as JSON cannot fail.
    serde_json::to_string(data).unwrap_or_default()
}

/// Parses an outcome. An unknown one counts as a failure of the service.
fn read_outcome(text: &str) -> JobOutcome {
    serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::error!(%error, "the outcome of an audit cannot be read");
        JobOutcome::Failed(AuditFailure::Panicked)
    })
}
