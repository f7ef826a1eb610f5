//! The table of projects, with the number of reports of each.

use tokio_postgres::{Error, Row};

use super::parameters::parameters;
use super::transactions::PgConnection;
use crate::domain::text::search_text;
use crate::service::store::rows::{ProjectRow, ReportCounts, StoreTotals};

pub const COLUMNS: &str = "id, name, created_at, reports, good, decent, bad";

/// Where a report is counted: its project's id, and the rank of its result.
pub type CountedAt = (i64, i64);

fn read_counts(row: &Row, first: usize) -> Result<ReportCounts, Error> {
    Ok(ReportCounts {
        reports: row.try_get(first)?,
        good: row.try_get(first + 1)?,
        decent: row.try_get(first + 2)?,
        bad: row.try_get(first + 3)?,
    })
}

pub fn read(row: &Row) -> Result<ProjectRow, Error> {
    Ok(ProjectRow {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        created_at: row.try_get(2)?,
        counts: read_counts(row, 3)?,
    })
}

/// Returns the id and counts of a project; `None` if it does not exist.
pub async fn counts(connection: &PgConnection, name: &str) -> Result<Option<(i64, ReportCounts)>, Error> {
    // No project's name contains NUL, and the server rejects it in parameters.
    if name.contains('\0') {
        return Ok(None);
    }
    let sql = "SELECT id, reports, good, decent, bad FROM projects WHERE name = $1";
    let found = connection.query_typed_opt(sql, parameters![name]).await?;
    found.map(|row| Ok((row.try_get(0)?, read_counts(&row, 1)?))).transpose()
}

/// Returns the numbers of reports and projects. Summed up on read: a row of totals would be contended by all writers.
pub async fn totals(connection: &PgConnection) -> Result<StoreTotals, Error> {
    let sql = "SELECT coalesce(sum(reports), 0)::bigint, coalesce(sum(good), 0)::bigint, \
               coalesce(sum(decent), 0)::bigint, coalesce(sum(bad), 0)::bigint, count(*) FROM projects";
    let row = connection.query_typed_one(sql, &[]).await?;
    Ok(StoreTotals { counts: read_counts(&row, 0)?, projects: row.try_get(4)? })
}

/// Returns a project's id, creating it if missing.
pub async fn number(connection: &PgConnection, name: &str, time: i64) -> Result<i64, Error> {
    if let Some((id, _)) = counts(connection, name).await? {
        return Ok(id);
    }
    let text = search_text::always(name);
    let sql = "INSERT INTO projects (name, search_text, created_at) VALUES ($1, $2, $3) RETURNING id";
    connection.query_typed_one(sql, parameters![name, text, time]).await?.try_get(0)
}

/// Moves a report's count from `before` to `now`. A project without reports is deleted.
pub async fn recount(
    connection: &PgConnection,
    before: Option<CountedAt>,
    now: Option<CountedAt>,
) -> Result<(), Error> {
    // `now` is counted first; otherwise a project would be deleted when its only report is recounted within it.
    for (place, step) in [(now, 1_i64), (before, -1)] {
        let Some((project, rank)) = place else { continue };
        let sql = "UPDATE projects SET reports = reports + $3, good = good + CASE $2 WHEN 2 THEN $3 ELSE 0 END, \
                   decent = decent + CASE $2 WHEN 1 THEN $3 ELSE 0 END, bad = bad + CASE $2 WHEN 0 THEN $3 ELSE 0 END \
                   WHERE id = $1";
        connection.execute_typed(sql, parameters![project, rank, step]).await?;
    }
    if let Some((project, _)) = before {
        let sql = "DELETE FROM projects WHERE id = $1 AND reports = 0";
        connection.execute_typed(sql, parameters![project]).await?;
    }
    Ok(())
}

/// Recounts the reports of all projects.
pub async fn recount_all(connection: &PgConnection) -> Result<(), Error> {
    let sql = "UPDATE projects SET (reports, good, decent, bad) = (SELECT count(*), \
               count(*) FILTER (WHERE result = 2), count(*) FILTER (WHERE result = 1), \
               count(*) FILTER (WHERE result = 0) FROM reports WHERE project_id = projects.id)";
    connection.execute_typed(sql, &[]).await.map(drop)
}

/// Deletes a project with all its reports; false if it does not exist.
pub async fn delete(connection: &PgConnection, name: &str) -> Result<bool, Error> {
    let Some((id, _)) = counts(connection, name).await? else { return Ok(false) };
    connection.execute_typed("DELETE FROM projects WHERE id = $1", parameters![id]).await?;
    Ok(true)
}
