//! Deletes rows that nobody needs any more: outcomes that nobody waits for, hosts without audits, counters that are over.

use tokio_postgres::types::Type;

use super::audit_jobs::HOSTS_LOCK;
use crate::service::store::error::StoreError;
use crate::service::store::postgres::transactions::{PgConnection, Transactions};

const MINUTE: i64 = 60 * 1000;
/// How long the outcome of an audit is kept, in milliseconds: longer than anybody waits for it.
const OUTCOME_KEPT: i64 = 10 * MINUTE;
/// How long a host is kept after its last audit, in milliseconds.
const HOST_KEPT: i64 = 24 * 60 * MINUTE;
/// How long counters are kept, in milliseconds: longer than any of them counts.
const COUNTER_KEPT: i64 = 60 * MINUTE;

/// Deletes what is older than it is needed.
pub async fn clean(transactions: &Transactions) -> Result<(), StoreError> {
    let clean = |connection: PgConnection, now: i64| async move {
        let ages = [
            ("DELETE FROM audits WHERE state IN (2, 3) AND ended_at < $1", OUTCOME_KEPT),
            ("DELETE FROM budgets WHERE since < $1", COUNTER_KEPT),
            ("DELETE FROM password_attempts WHERE since < $1", COUNTER_KEPT),
        ];
        for (sql, kept) in ages {
            connection.execute_typed(sql, &[(&(now - kept), Type::INT8)]).await?;
        }
        // While somebody inserts an audit, hosts stay.
        let lock = format!("SELECT pg_try_advisory_xact_lock({HOSTS_LOCK})");
        if connection.query_typed_one(&lock, &[]).await?.try_get(0)? {
            let sql = "DELETE FROM hosts WHERE next_at < $1 \
                       AND NOT EXISTS (SELECT 1 FROM audits WHERE audits.host = hosts.host)";
            connection.execute_typed(sql, &[(&(now - HOST_KEPT), Type::INT8)]).await?;
        }
        Ok(())
    };
    transactions.write_beside(clean).await
}
