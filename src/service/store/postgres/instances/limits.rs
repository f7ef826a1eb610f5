//! Limits shared by all instances: requests per key and minute, and password attempts per page.
//!
//! Their tables are unlogged: counting restarts after a crash of the server.

use std::time::Duration;

use tokio_postgres::Row;

use crate::service::store::error::StoreError;
use crate::service::store::postgres::PostgresStore;
use crate::service::store::postgres::parameters::parameters;
use crate::service::store::postgres::transaction::PgTransaction;

/// A number of requests that one instance may accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetPortion {
    /// How many requests.
    pub granted: u32,
    /// How many all instances have taken in this minute, including these.
    pub taken: u32,
    /// Time until the next minute begins.
    pub reset: Duration,
}

impl PostgresStore {
    /// Takes up to `portion` requests of a key's `limit` per minute. The minute begins with the key's first request.
    pub async fn take_portion(&self, key: i64, limit: u32, portion: u32) -> Result<BudgetPortion, StoreError> {
        let take = move |transaction: PgTransaction| async move {
            let now = transaction.now;
            let (most, step, minute) = (i64::from(limit), i64::from(portion.min(limit)), 60_000_i64);
            // A minute that began in the future was counted by a clock that has been set back since.
            let is_over = "$2 NOT BETWEEN budgets.since - $5 AND budgets.since + $5 - 1";
            let sql = format!(
                "INSERT INTO budgets (key, since, taken) VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE \
                 SET since = CASE WHEN {is_over} THEN $2 ELSE budgets.since END, \
                 taken = CASE WHEN {is_over} THEN $3 ELSE budgets.taken + $3 END \
                 WHERE {is_over} OR budgets.taken < $4 RETURNING since, taken"
            );
            let values = parameters![key, now, step, most, minute];
            let read = |row: &Row, is_granted: bool| -> Result<BudgetPortion, StoreError> {
                let (since, taken): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
                let granted = if is_granted { step - (taken - most).max(0) } else { 0 };
                Ok(BudgetPortion {
                    granted: u32::try_from(granted).unwrap_or_default(),
                    taken: u32::try_from(taken.min(most)).unwrap_or(limit),
                    reset: milliseconds(since + minute - now),
                })
            };
            if let Some(row) = transaction.query_typed_opt(&sql, values).await? {
                return read(&row, true);
            }
            let sql = "SELECT since, taken FROM budgets WHERE key = $1";
            read(&transaction.query_typed_one(sql, &values[..1]).await?, false)
        };
        self.0.write_beside(take).await
    }

    /// Counts a password attempt for a report's page, unless the network made `most` attempts within the window, which
    /// the last of them starts anew. In that case, the inner error is the time to wait.
    pub async fn begin_attempt(
        &self,
        report: i64,
        network: String,
        (most, window): (u32, Duration),
    ) -> Result<Result<(), Duration>, StoreError> {
        let begin = move |transaction: PgTransaction| async move {
            let now = transaction.now;
            let window = i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
            let most = i64::from(most);
            let is_over = "$3 NOT BETWEEN password_attempts.since - $5 AND password_attempts.since + $5 - 1";
            let sql = format!(
                "INSERT INTO password_attempts (report, network, since, attempts) VALUES ($1, $2, $3, 1) \
                 ON CONFLICT (report, network) DO UPDATE \
                 SET since = CASE WHEN {is_over} OR password_attempts.attempts = $4 - 1 THEN $3 \
                 ELSE password_attempts.since END, \
                 attempts = CASE WHEN {is_over} THEN 1 ELSE password_attempts.attempts + 1 END \
                 WHERE {is_over} OR password_attempts.attempts < $4"
            );
            let values = parameters![report, network, now, most, window];
            if transaction.execute_typed(&sql, values).await? > 0 {
                return Ok(Ok(()));
            }
            let sql = "SELECT since FROM password_attempts WHERE report = $1 AND network = $2";
            let since: i64 = transaction.query_typed_one(sql, &values[..2]).await?.try_get(0)?;
            Ok(Err(milliseconds(since + window - now)))
        };
        self.0.write_beside(begin).await
    }

    /// Uncounts an attempt whose password was not compared.
    pub async fn refund_attempt(&self, report: i64, network: String) -> Result<(), StoreError> {
        let sql = "UPDATE password_attempts SET attempts = greatest(attempts - 1, 0) \
                   WHERE report = $1 AND network = $2";
        self.change_attempts(sql, report, network).await
    }

    /// Clears the attempts of a network that then knew the password.
    pub async fn forget_attempts(&self, report: i64, network: String) -> Result<(), StoreError> {
        let sql = "DELETE FROM password_attempts WHERE report = $1 AND network = $2";
        self.change_attempts(sql, report, network).await
    }

    async fn change_attempts(&self, sql: &'static str, report: i64, network: String) -> Result<(), StoreError> {
        let change = move |transaction: PgTransaction| async move {
            transaction.execute_typed(sql, parameters![report, network]).await?;
            Ok(())
        };
        self.0.write_beside(change).await
    }
}

/// Converts milliseconds; negative values become zero.
fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(u64::try_from(count).unwrap_or_default())
}
