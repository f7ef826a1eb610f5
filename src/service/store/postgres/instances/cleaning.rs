//! Deletes obsolete shared rows: outcomes, hosts without audits, expired counters.

use super::audit_jobs::HOSTS_LOCK;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::PostgresStore;
use crate::service::store::postgres::parameters::parameters;
use crate::service::store::postgres::transaction::PgTransaction;

const MINUTE: i64 = 60 * 1000;
/// Retention of an audit's outcome, in milliseconds: longer than any request waits.
const OUTCOME_KEPT: i64 = 10 * MINUTE;
/// Retention of a host after its last audit, in milliseconds.
const HOST_KEPT: i64 = 24 * 60 * MINUTE;
/// Retention of counters, in milliseconds: longer than their windows.
const COUNTER_KEPT: i64 = 60 * MINUTE;

impl PostgresStore {
    /// Deletes all rows past their retention.
    pub async fn clean(&self) -> Result<(), StoreError> {
        let clean = |transaction: PgTransaction| async move {
            let now = transaction.now;
            let ages = [
                ("DELETE FROM audits WHERE state IN (2, 3) AND ended_at < $1", OUTCOME_KEPT),
                ("DELETE FROM budgets WHERE since < $1", COUNTER_KEPT),
                ("DELETE FROM password_attempts WHERE since < $1", COUNTER_KEPT),
            ];
            for (sql, kept) in ages {
                transaction.execute_typed(sql, parameters![now - kept]).await?;
            }
            // Skipped while an audit is being inserted.
            let lock = format!("SELECT pg_try_advisory_xact_lock({HOSTS_LOCK})");
            if transaction.query_typed_one(&lock, &[]).await?.try_get(0)? {
                let sql = "DELETE FROM hosts WHERE next_at < $1 \
                           AND NOT EXISTS (SELECT 1 FROM audits WHERE audits.host = hosts.host)";
                transaction.execute_typed(sql, parameters![now - HOST_KEPT]).await?;
            }
            Ok(())
        };
        self.0.write_beside(clean).await
    }
}
