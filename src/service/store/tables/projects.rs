//! Projects and how many reports each of them holds. The counts are kept by the schema's triggers.
//!
//! Must not know who asks.

use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use crate::domain::list::query::ResultFilter;
use crate::domain::text::search_text::search_text;

pub const COLUMNS: &str = "id, name, created_at, reports, good, decent, bad";

/// One project as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// Its number in the database. Never answered: the interface knows projects by name.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// When its first report came, in milliseconds.
    pub created_at: i64,
    /// How many reports it holds.
    pub counts: ResultCounts,
}

/// How many reports there are of each result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultCounts {
    /// All of them.
    pub reports: i64,
    /// The good ones.
    pub good: i64,
    /// The decent ones.
    pub decent: i64,
    /// The bad ones.
    pub bad: i64,
}

impl ResultCounts {
    /// How many there are of one result, or of all.
    pub fn of(self, result: Option<ResultFilter>) -> i64 {
        match result {
            None => self.reports,
            Some(ResultFilter::Good) => self.good,
            Some(ResultFilter::Decent) => self.decent,
            Some(ResultFilter::Bad) => self.bad,
        }
    }

    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            reports: row.get(first)?,
            good: row.get(first + 1)?,
            decent: row.get(first + 2)?,
            bad: row.get(first + 3)?,
        })
    }
}

pub fn read(row: &Row<'_>) -> rusqlite::Result<ProjectRow> {
    Ok(ProjectRow { id: row.get(0)?, name: row.get(1)?, created_at: row.get(2)?, counts: ResultCounts::read(row, 3)? })
}

/// The number and the counts of a project; `None` when there is none of that name.
pub fn counts(connection: &Connection, name: &str) -> rusqlite::Result<Option<(i64, ResultCounts)>> {
    connection
        .prepare_cached("SELECT id, reports, good, decent, bad FROM projects WHERE name = ?1")?
        .query_one([name], |row| Ok((row.get(0)?, ResultCounts::read(row, 1)?)))
        .optional()
}

/// The counts of all projects together.
pub fn totals(connection: &Connection) -> rusqlite::Result<ResultCounts> {
    connection
        .prepare_cached("SELECT reports, good, decent, bad FROM totals")?
        .query_one([], |row| ResultCounts::read(row, 0))
}

/// How many projects there are.
pub fn how_many(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("SELECT projects FROM totals")?.query_one([], |row| row.get(0))
}

/// The number of a project, which comes into being when it is first named.
pub fn number(transaction: &Transaction<'_>, name: &str, time: i64) -> rusqlite::Result<i64> {
    if let Some((id, _)) = counts(transaction, name)? {
        return Ok(id);
    }
    transaction
        .prepare_cached("INSERT INTO projects (name, created_at, search_text) VALUES (?1, ?2, ?3) RETURNING id")?
        .query_one((name, time, search_text(name)), |row| row.get(0))
}

/// Deletes a project with all its reports; false when there is none of that name.
pub fn delete(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<bool> {
    let Some((id, _)) = counts(transaction, name)? else { return Ok(false) };
    // The project goes with its last report: the schema's trigger sees to it.
    transaction.execute("DELETE FROM reports WHERE project_id = ?1", [id])?;
    Ok(true)
}
