//! The tables of reports and their results.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::search_text::search_text;

use super::{history, projects};
use crate::service::store::rows::{
    AuditRecord, ChangeOutcome, DUPLICATES_AMONG, DuplicateCounts, NewReportRow, ReportRow, RowUpdate, StoredReport,
};
use crate::service::store::values;

pub const COLUMNS: &str = "id, url, (SELECT name FROM projects WHERE projects.id = project_id), result, score, \
     generated_at, created_at, updated_at, privacy, password_hash IS NOT NULL, failed, fetch_error";

pub fn read(row: &Row<'_>) -> rusqlite::Result<ReportRow> {
    Ok(ReportRow {
        id: row.get(0)?,
        url: row.get(1)?,
        project: row.get(2)?,
        rank: row.get(3)?,
        score: row.get(4)?,
        generated_at: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        privacy: row.get(8)?,
        has_password: row.get(9)?,
        failed: row.get(10)?,
        fetch_error: row.get(11)?,
    })
}

/// Returns a report's row.
pub fn row(connection: &Connection, id: i64) -> rusqlite::Result<Option<ReportRow>> {
    let sql = format!("SELECT {COLUMNS} FROM reports WHERE id = ?1");
    connection.prepare_cached(&sql)?.query_one([id], read).optional()
}

/// Returns the newest report's row.
pub fn newest(connection: &Connection) -> rusqlite::Result<Option<ReportRow>> {
    let sql = format!("SELECT {COLUMNS} FROM reports ORDER BY id DESC LIMIT 1");
    connection.prepare_cached(&sql)?.query_one([], read).optional()
}

/// Returns a report's row with its checks as JSON.
pub fn whole(connection: &Connection, id: i64) -> rusqlite::Result<Option<(ReportRow, String)>> {
    let Some(row) = row(connection, id)? else { return Ok(None) };
    let checks = connection
        .prepare_cached("SELECT checks FROM results WHERE report_id = ?1")?
        .query_one([id], |row| row.get(0))
        .optional()?;
    Ok(Some((row, checks.unwrap_or_else(|| "{}".to_owned()))))
}

/// Returns a report's row and checks, with at most `most` earlier results.
pub fn opened(connection: &Connection, id: i64, most: u16) -> rusqlite::Result<Option<StoredReport>> {
    let whole = whole(connection, id)?;
    whole.map(|(row, checks)| Ok((row, checks, history::former(connection, id, most)?))).transpose()
}

/// Counts the other public reports of the project, of other URLs, with this title or this description, among the latest
/// ones.
pub fn duplicates(
    connection: &Connection,
    id: i64,
    title: &str,
    description: &str,
) -> rusqlite::Result<DuplicateCounts> {
    let sql = "WITH this AS (SELECT project_id, url FROM reports WHERE id = ?1), \
         near AS (SELECT id, url, privacy FROM reports WHERE project_id = (SELECT project_id FROM this) \
                  ORDER BY generated_at DESC, id DESC LIMIT ?4) \
         SELECT count(*) FILTER (WHERE ?2 <> '' AND json_extract(checks, '$.title.value.title') = ?2), \
                count(*) FILTER (WHERE ?3 <> '' AND json_extract(checks, '$.meta_description.value') = ?3) \
         FROM near JOIN results ON report_id = near.id \
         WHERE near.id <> ?1 AND near.url <> (SELECT url FROM this) AND privacy = 0 AND json_valid(checks)";
    let read = |row: &Row<'_>| Ok(DuplicateCounts { titles: row.get(0)?, descriptions: row.get(1)? });
    connection.prepare_cached(sql)?.query_one(params![id, title, description, DUPLICATES_AMONG], read)
}

/// Returns a report's row with the hash of its page password, if it has one.
pub fn protected(connection: &Connection, id: i64) -> rusqlite::Result<Option<(ReportRow, Option<String>)>> {
    let sql = format!("SELECT {COLUMNS}, password_hash FROM reports WHERE id = ?1");
    let both = |row: &Row<'_>| Ok((read(row)?, row.get(row.as_ref().column_count() - 1)?));
    connection.prepare_cached(&sql)?.query_one([id], both).optional()
}

/// Inserts a report and returns its id.
pub fn insert(transaction: &Transaction<'_>, new: &NewReportRow) -> rusqlite::Result<i64> {
    let id = insert_row(transaction, new, values::now())?;
    transaction
        .prepare_cached("INSERT INTO results (report_id, checks) VALUES (?1, ?2)")?
        .execute((id, &new.findings.checks))?;
    Ok(id)
}

/// Inserts a report's row with this time as created and generated.
pub fn insert_row(transaction: &Transaction<'_>, new: &NewReportRow, time: i64) -> rusqlite::Result<i64> {
    let findings = &new.findings;
    let project = projects::number(transaction, &findings.project, time)?;
    transaction
        .prepare_cached(
            "INSERT INTO reports (project_id, url, result, score, generated_at, created_at, updated_at, privacy, \
             password_hash, failed, search_text, fetch_error) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id",
        )?
        .query_one(
            params![
                project,
                new.url,
                findings.rank,
                findings.score,
                time,
                new.privacy,
                new.password_hash,
                findings.failed,
                search_text(&new.url),
                findings.fetch_failure.map(FetchFailure::name)
            ],
            |row| row.get(0),
        )
}

/// Updates a report, and returns it with at most `most` earlier results.
pub fn change(
    transaction: &Transaction<'_>,
    id: i64,
    change: &RowUpdate,
    most: u16,
) -> rusqlite::Result<ChangeOutcome> {
    let Some(before) = row(transaction, id)? else { return Ok(ChangeOutcome::Gone) };
    let Some(privacy) = change.privacy_after(&before) else { return Ok(ChangeOutcome::WithoutPassword) };
    let now = values::now();
    transaction
        .prepare_cached(
            "UPDATE reports SET privacy = ?2, password_hash = coalesce(?3, password_hash), updated_at = ?4 WHERE id = ?1",
        )?
        .execute((id, privacy, &change.password_hash, now))?;
    if let Some(findings) = &change.findings {
        history::remember(transaction, id)?;
        replace(transaction, id, findings, now)?;
    }
    // Read in the same transaction, so that the response shows this change and no other.
    let after = opened(transaction, id, most)?;
    Ok(after.map_or(ChangeOutcome::Gone, |after| ChangeOutcome::Changed(Box::new(after))))
}

/// Replaces the current result.
fn replace(transaction: &Transaction<'_>, id: i64, findings: &AuditRecord, now: i64) -> rusqlite::Result<()> {
    let project = projects::number(transaction, &findings.project, now)?;
    transaction
        .prepare_cached(
            "UPDATE reports SET project_id = ?2, result = ?3, score = ?4, generated_at = ?5, failed = ?6, \
             fetch_error = ?7 WHERE id = ?1",
        )?
        .execute((
            id,
            project,
            findings.rank,
            findings.score,
            now,
            &findings.failed,
            findings.fetch_failure.map(FetchFailure::name),
        ))?;
    transaction
        .prepare_cached("INSERT OR REPLACE INTO results (report_id, checks) VALUES (?1, ?2)")?
        .execute((id, &findings.checks))?;
    Ok(())
}

/// Deletes a report; false if it does not exist.
pub fn delete(transaction: &Transaction<'_>, id: i64) -> rusqlite::Result<bool> {
    Ok(transaction.execute("DELETE FROM reports WHERE id = ?1", [id])? > 0)
}
