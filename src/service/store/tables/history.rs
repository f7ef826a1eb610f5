//! The table of earlier results of reports.

use crate::service::store::error::StoreError;
use crate::service::store::rows::{HistoryRow, MOST_FORMER};
use crate::service::store::sql::{SqlRow, SqlTransaction, bind};

/// Copies the current result into the history, and deletes the oldest beyond the limit.
pub async fn remember(transaction: &impl SqlTransaction, id: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO history (report_id, result, score, generated_at, failed, checks) \
               SELECT id, result, score, generated_at, failed, \
               coalesce((SELECT checks FROM results WHERE report_id = id), '{}') FROM reports WHERE id = ?1";
    transaction.execute(sql, bind![id]).await?;
    let sql = "DELETE FROM history WHERE report_id = ?1 AND id <= \
               (SELECT id FROM history WHERE report_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)";
    transaction.execute(sql, bind![id, i64::from(MOST_FORMER)]).await.map(drop)
}

/// Returns at most `most` earlier results of a report, latest first.
pub async fn former(transaction: &impl SqlTransaction, id: i64, most: u16) -> Result<Vec<HistoryRow>, StoreError> {
    let sql = "SELECT result, score, generated_at, failed FROM history WHERE report_id = ?1 ORDER BY id DESC LIMIT ?2";
    let read = |row: &SqlRow<'_>| {
        Ok(HistoryRow { rank: row.get(0)?, score: row.get(1)?, generated_at: row.get(2)?, failed: row.get(3)? })
    };
    transaction.rows(sql, bind![id, i64::from(most)], read).await
}
