//! The table of projects, with the number of reports of each. The schema's triggers maintain the counts.

use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use crate::domain::text::search_text::search_text;
use crate::service::store::rows::{ProjectRow, ReportCounts};

pub const COLUMNS: &str = "id, name, created_at, reports, good, decent, bad";

fn read_counts(row: &Row<'_>, first: usize) -> rusqlite::Result<ReportCounts> {
    Ok(ReportCounts {
        reports: row.get(first)?,
        good: row.get(first + 1)?,
        decent: row.get(first + 2)?,
        bad: row.get(first + 3)?,
    })
}

pub fn read(row: &Row<'_>) -> rusqlite::Result<ProjectRow> {
    Ok(ProjectRow { id: row.get(0)?, name: row.get(1)?, created_at: row.get(2)?, counts: read_counts(row, 3)? })
}

/// Returns the id and counts of a project; `None` if it does not exist.
pub fn counts(connection: &Connection, name: &str) -> rusqlite::Result<Option<(i64, ReportCounts)>> {
    connection
        .prepare_cached("SELECT id, reports, good, decent, bad FROM projects WHERE name = ?1")?
        .query_one([name], |row| Ok((row.get(0)?, read_counts(row, 1)?)))
        .optional()
}

/// Returns the counts of all projects together.
pub fn totals(connection: &Connection) -> rusqlite::Result<ReportCounts> {
    connection.prepare_cached("SELECT reports, good, decent, bad FROM totals")?.query_one([], |row| read_counts(row, 0))
}

/// Returns the number of projects.
pub fn how_many(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT projects FROM totals")?.query_one([], |row| row.get(0))
}

/// Returns a project's id, creating it if missing.
pub fn number(transaction: &Transaction<'_>, name: &str, time: i64) -> rusqlite::Result<i64> {
    if let Some((id, _)) = counts(transaction, name)? {
        return Ok(id);
    }
    transaction
        .prepare_cached("INSERT INTO projects (name, created_at, search_text) VALUES (?1, ?2, ?3) RETURNING id")?
        .query_one((name, time, search_text(name)), |row| row.get(0))
}

/// Deletes a project with all its reports; false if it does not exist.
pub fn delete(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<bool> {
    let Some((id, _)) = counts(transaction, name)? else { return Ok(false) };
    // A trigger deletes the project with its last report.
    transaction.execute("DELETE FROM reports WHERE project_id = ?1", [id])?;
    Ok(true)
}
