//! The table of earlier results of reports.

use rusqlite::{Connection, Transaction};

use crate::service::store::rows::{HistoryRow, MOST_FORMER};

/// Copies the current result into the history, and deletes the oldest beyond the limit.
pub fn remember(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO history (report_id, result, score, generated_at, failed, checks) \
             SELECT id, result, score, generated_at, failed, \
             coalesce((SELECT checks FROM results WHERE report_id = id), '{}') FROM reports WHERE id = ?1",
        )?
        .execute([id])?;
    transaction
        .prepare_cached(
            "DELETE FROM history WHERE id IN \
             (SELECT id FROM history WHERE report_id = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)",
        )?
        .execute((id, MOST_FORMER))?;
    Ok(())
}

/// Shifts the times of audits since `since` into the past by `by` milliseconds, plus up to an hour each.
pub fn shift_audits(transaction: &Transaction<'_>, since: i64, by: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE reports SET generated_at = generated_at - ?2 - id * 7 % 60 * 60000, \
               updated_at = updated_at - ?2 - id * 7 % 60 * 60000, \
               created_at = CASE WHEN created_at >= ?1 THEN created_at - ?2 - id * 7 % 60 * 60000 ELSE created_at END \
               WHERE generated_at >= ?1";
    transaction.execute(sql, (since, by))?;
    transaction.execute("UPDATE projects SET created_at = created_at - ?2 WHERE created_at >= ?1", (since, by))?;
    Ok(())
}

/// Returns at most `most` earlier results of a report, latest first.
pub fn former(connection: &Connection, id: i64, most: u16) -> rusqlite::Result<Vec<HistoryRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT result, score, generated_at, failed FROM history WHERE report_id = ?1 ORDER BY id DESC LIMIT ?2",
    )?;
    let rows = statement.query_map((id, most), |row| {
        Ok(HistoryRow { rank: row.get(0)?, score: row.get(1)?, generated_at: row.get(2)?, failed: row.get(3)? })
    })?;
    rows.collect()
}
