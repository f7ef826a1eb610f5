//! The table of projects, with the number of reports of each.

use crate::domain::text::search_text;
use crate::service::store::error::StoreError;
use crate::service::store::rows::{ProjectRow, ReportCounts, StoreTotals};
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, bind};

pub const COLUMNS: &str = "id, name, created_at, reports, good, decent, bad";

/// Counts the reports of all projects, after reports were inserted without counting them.
pub const RECOUNT: &str = "UPDATE projects SET (reports, good, decent, bad) = (SELECT count(*), \
    count(*) FILTER (WHERE result = 2), count(*) FILTER (WHERE result = 1), count(*) FILTER (WHERE result = 0) \
    FROM reports WHERE project_id = projects.id)";

/// The most reports that one transaction deletes, so that other writes wait for less than a second.
pub const MOST_DELETED: u32 = 1_000;

/// Where a report is counted: its project's id, and the rank of its result.
pub type CountedAt = (i64, i64);

fn read_counts(row: &SqlRow<'_>, first: usize) -> Result<ReportCounts, StoreError> {
    Ok(ReportCounts {
        reports: row.get(first)?,
        good: row.get(first + 1)?,
        decent: row.get(first + 2)?,
        bad: row.get(first + 3)?,
    })
}

pub fn read(row: &SqlRow<'_>) -> Result<ProjectRow, StoreError> {
    Ok(ProjectRow { id: row.get(0)?, name: row.get(1)?, created_at: row.get(2)?, counts: read_counts(row, 3)? })
}

/// Returns the text that a row's search text column contains: `None` if SQLite derives it from the row.
pub fn stored_search_text<S: SqlTransaction>(text: &str) -> Option<String> {
    match S::ENGINE {
        Engine::Sqlite => search_text::search_text(text),
        Engine::Postgres => Some(search_text::always(text)),
    }
}

/// Returns the id and counts of a project; `None` if it does not exist.
pub async fn counts<S: SqlTransaction>(transaction: &S, name: &str) -> Result<Option<(i64, ReportCounts)>, StoreError> {
    // PostgreSQL neither stores NUL nor accepts it in a condition.
    if S::ENGINE == Engine::Postgres && name.contains('\0') {
        return Ok(None);
    }
    let sql = "SELECT id, reports, good, decent, bad FROM projects WHERE name = ?1";
    transaction.row(sql, bind![name], |row| Ok((row.get(0)?, read_counts(row, 1)?))).await
}

/// Returns the numbers of reports and projects.
pub async fn totals<S: SqlTransaction>(transaction: &S) -> Result<StoreTotals, StoreError> {
    let sql = match S::ENGINE {
        Engine::Sqlite => "SELECT reports, good, decent, bad, projects FROM totals",
        // Summed up on read: a row of totals would be contended by all writers.
        Engine::Postgres => {
            "SELECT coalesce(sum(reports), 0)::bigint, coalesce(sum(good), 0)::bigint, \
             coalesce(sum(decent), 0)::bigint, coalesce(sum(bad), 0)::bigint, count(*) FROM projects"
        }
    };
    let read = |row: &SqlRow<'_>| Ok(StoreTotals { counts: read_counts(row, 0)?, projects: row.get(4)? });
    transaction.one(sql, bind![], read).await
}

/// Returns a project's id, creating it if missing.
pub async fn number<S: SqlTransaction>(transaction: &S, name: &str, time: i64) -> Result<i64, StoreError> {
    if let Some((id, _)) = counts(transaction, name).await? {
        return Ok(id);
    }
    let sql = "INSERT INTO projects (name, search_text, created_at) VALUES (?1, ?2, ?3) RETURNING id";
    transaction.one(sql, bind![name, stored_search_text::<S>(name), time], |row| row.get(0)).await
}

/// Moves a report's count from `before` to `now`, which SQLite's triggers do by themselves. A project without reports is
/// deleted.
pub async fn recount<S: SqlTransaction>(
    transaction: &S,
    before: Option<CountedAt>,
    now: Option<CountedAt>,
) -> Result<(), StoreError> {
    if S::ENGINE == Engine::Sqlite {
        return Ok(());
    }
    // `now` is counted first; otherwise a project would be deleted when its only report is recounted within it.
    for (place, step) in [(now, 1_i64), (before, -1)] {
        let Some((project, rank)) = place else { continue };
        let sql = "UPDATE projects SET reports = reports + ?3, good = good + CASE ?2 WHEN 2 THEN ?3 ELSE 0 END, \
                   decent = decent + CASE ?2 WHEN 1 THEN ?3 ELSE 0 END, bad = bad + CASE ?2 WHEN 0 THEN ?3 ELSE 0 END \
                   WHERE id = ?1";
        transaction.execute(sql, bind![project, rank, step]).await?;
    }
    if let Some((project, _)) = before {
        transaction.execute("DELETE FROM projects WHERE id = ?1 AND reports = 0", bind![project]).await?;
    }
    Ok(())
}

/// Deletes the next reports of a project, at most [`MOST_DELETED`], and with the last one the project. Returns whether
/// some are left; `None` if the project does not exist.
pub async fn delete<S: SqlTransaction>(transaction: &S, name: &str) -> Result<Option<bool>, StoreError> {
    let Some((id, counts)) = counts(transaction, name).await? else { return Ok(None) };
    let sql = "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE project_id = ?1 LIMIT ?2)";
    transaction.execute(sql, bind![id, i64::from(MOST_DELETED)]).await?;
    let is_left = counts.reports > i64::from(MOST_DELETED);
    if !is_left {
        // SQLite's trigger has deleted it with its last report.
        transaction.execute("DELETE FROM projects WHERE id = ?1", bind![id]).await?;
    } else if S::ENGINE == Engine::Postgres {
        transaction.execute(&format!("{RECOUNT} WHERE id = ?1"), bind![id]).await?;
    }
    Ok(Some(is_left))
}
