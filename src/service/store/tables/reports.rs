//! The tables of reports and their results.

use super::{history, projects};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::service::store::error::StoreError;
use crate::service::store::rows::{
    AuditRecord, ChangeOutcome, DUPLICATES_AMONG, DuplicateCounts, NewReportRow, ReportRow, ResultWrite, RowUpdate,
    SHOWN_FORMER, StoredReport,
};
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, bind};

/// The columns of a [`ReportRow`].
pub const COLUMNS: &str = "id, url, (SELECT name FROM projects WHERE projects.id = project_id), result, score, \
     generated_at, created_at, updated_at, privacy, password_hash IS NOT NULL, failed, fetch_error";

/// The place of a column that a statement selects after [`COLUMNS`].
const NEXT: usize = 12;

pub fn read(row: &SqlRow<'_>) -> Result<ReportRow, StoreError> {
    Ok(ReportRow {
        id: row.get(0)?,
        url: row.get(1)?,
        project: row.get(2)?,
        rank: row.get(3)?,
        score: row.get(4)?,
        generated_at: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        // The table allows 0 to 2; any other value would be private.
        privacy: u8::try_from(row.get::<i16>(8)?).unwrap_or(1),
        has_password: row.get(9)?,
        failed: row.get(10)?,
        fetch_error: row.get(11)?,
    })
}

/// Returns a report's row.
pub async fn row(transaction: &impl SqlTransaction, id: i64) -> Result<Option<ReportRow>, StoreError> {
    transaction.row(&format!("SELECT {COLUMNS} FROM reports WHERE id = ?1"), bind![id], read).await
}

/// Returns the newest report's row.
pub async fn newest(transaction: &impl SqlTransaction) -> Result<Option<ReportRow>, StoreError> {
    transaction.row(&format!("SELECT {COLUMNS} FROM reports ORDER BY id DESC LIMIT 1"), bind![], read).await
}

/// Returns a report's row and checks, with at most `most` earlier results.
pub async fn opened(transaction: &impl SqlTransaction, id: i64, most: u16) -> Result<Option<StoredReport>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, coalesce((SELECT checks FROM results WHERE report_id = reports.id), '{{}}') \
         FROM reports WHERE id = ?1"
    );
    let found = transaction.row(&sql, bind![id], |row| Ok((read(row)?, row.get(NEXT)?))).await?;
    let Some((row, checks)) = found else { return Ok(None) };
    Ok(Some((row, checks, history::former(transaction, id, most).await?)))
}

/// Counts the other public reports of the project, of other URLs, with this title or this description, among the latest
/// ones. PostgreSQL cannot extract `\\u0000` from JSON; pages containing it are skipped.
pub async fn duplicates<S: SqlTransaction>(
    transaction: &S,
    id: i64,
    title: &str,
    description: &str,
) -> Result<DuplicateCounts, StoreError> {
    let (found_title, found_description, readable, is_readable) = match S::ENGINE {
        Engine::Sqlite => (
            "json_extract(checks, '$.title.value.title')",
            "json_extract(checks, '$.meta_description.value')",
            "checks",
            // Not a CASE around the column, with which SQLite parses the text again for each value.
            "json_valid(checks)",
        ),
        Engine::Postgres => (
            "checks #>> '{title,value,title}'",
            "checks #>> '{meta_description,value}'",
            "CASE WHEN position('\\u0000' IN checks) = 0 THEN checks::json END",
            "TRUE",
        ),
    };
    let sql = format!(
        "WITH this AS (SELECT project_id, url FROM reports WHERE id = ?1), \
         near AS (SELECT id, url, privacy FROM reports WHERE project_id = (SELECT project_id FROM this) \
                  ORDER BY generated_at DESC, id DESC LIMIT ?4), \
         found AS (SELECT {readable} AS checks FROM near JOIN results ON report_id = near.id \
                   WHERE near.id <> ?1 AND near.url <> (SELECT url FROM this) AND privacy = 0 AND {is_readable}) \
         SELECT count(*) FILTER (WHERE ?2 <> '' AND {found_title} = ?2), \
                count(*) FILTER (WHERE ?3 <> '' AND {found_description} = ?3) FROM found"
    );
    // PostgreSQL does not store NUL either.
    let [title, description] = [title, description].map(|text| if text.contains('\0') { "" } else { text });
    let read = |row: &SqlRow<'_>| Ok(DuplicateCounts { titles: row.get(0)?, descriptions: row.get(1)? });
    transaction.one(&sql, bind![id, title, description, i64::from(DUPLICATES_AMONG)], read).await
}

/// Returns a report's row with the hash of its page password, if it has one.
pub async fn protected(
    transaction: &impl SqlTransaction,
    id: i64,
) -> Result<Option<(ReportRow, Option<String>)>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, password_hash FROM reports WHERE id = ?1");
    transaction.row(&sql, bind![id], |row| Ok((read(row)?, row.get(NEXT)?))).await
}

/// Inserts a report and returns its id.
pub async fn insert(transaction: &impl SqlTransaction, new: &NewReportRow) -> Result<i64, StoreError> {
    let id = insert_row(transaction, new, transaction.now()).await?;
    let sql = "INSERT INTO results (report_id, checks) VALUES (?1, ?2)";
    transaction.execute(sql, bind![id, new.findings.checks]).await?;
    Ok(id)
}

/// Inserts a report's row with this time as created and generated.
pub async fn insert_row<S: SqlTransaction>(transaction: &S, new: &NewReportRow, time: i64) -> Result<i64, StoreError> {
    let NewReportRow { url, findings, privacy, password_hash } = new;
    let AuditRecord { rank, score, failed, .. } = findings;
    let project = projects::number(transaction, &findings.project, time).await?;
    let (score, privacy) = (i64::from(*score), i16::from(*privacy));
    let (text, fetch_error) = (projects::stored_search_text::<S>(url), findings.fetch_failure.map(FetchFailure::name));
    let sql = "INSERT INTO reports (project_id, url, search_text, result, score, generated_at, created_at, updated_at, \
               privacy, password_hash, failed, fetch_error) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6, ?7, ?8, ?9, ?10) \
               RETURNING id";
    let values = bind![project, url, text, rank, score, time, privacy, password_hash, failed, fetch_error];
    let id = transaction.one(sql, values, |row| row.get(0)).await?;
    projects::recount(transaction, None, Some((project, *rank))).await?;
    Ok(id)
}

/// Stores the result of an audit.
pub async fn store_result(transaction: &impl SqlTransaction, write: &ResultWrite) -> Result<ChangeOutcome, StoreError> {
    match write {
        ResultWrite::Create(new) => {
            let id = insert(transaction, new).await?;
            changed(transaction, id).await
        }
        ResultWrite::Change(id, update) => change(transaction, *id, update).await,
    }
}

/// Updates a report.
pub async fn change(
    transaction: &impl SqlTransaction,
    id: i64,
    change: &RowUpdate,
) -> Result<ChangeOutcome, StoreError> {
    let Some(before) = row(transaction, id).await? else { return Ok(ChangeOutcome::Gone) };
    let Some(privacy) = change.privacy_after(&before) else { return Ok(ChangeOutcome::WithoutPassword) };
    let sql =
        "UPDATE reports SET privacy = ?2, password_hash = coalesce(?3, password_hash), updated_at = ?4 WHERE id = ?1";
    let values = bind![id, i16::from(privacy), change.password_hash, transaction.now()];
    transaction.execute(sql, values).await?;
    if let Some(findings) = &change.findings {
        history::remember(transaction, id).await?;
        replace(transaction, id, findings).await?;
    }
    changed(transaction, id).await
}

/// Returns a report that was just written, read in the same transaction, so that the response shows this write and no
/// other.
async fn changed(transaction: &impl SqlTransaction, id: i64) -> Result<ChangeOutcome, StoreError> {
    let after = opened(transaction, id, SHOWN_FORMER).await?;
    Ok(after.map_or(ChangeOutcome::Gone, |after| ChangeOutcome::Changed(Box::new(after))))
}

/// Replaces the current result.
async fn replace(transaction: &impl SqlTransaction, id: i64, findings: &AuditRecord) -> Result<(), StoreError> {
    let AuditRecord { rank, failed, checks, .. } = findings;
    let sql = "SELECT project_id, result FROM reports WHERE id = ?1";
    let before = transaction.one(sql, bind![id], |row| Ok((row.get(0)?, row.get(1)?))).await?;
    let now = transaction.now();
    let project = projects::number(transaction, &findings.project, now).await?;
    let (score, fetch_error) = (i64::from(findings.score), findings.fetch_failure.map(FetchFailure::name));
    let sql = "UPDATE reports SET project_id = ?2, result = ?3, score = ?4, generated_at = ?5, failed = ?6, \
               fetch_error = ?7 WHERE id = ?1";
    transaction.execute(sql, bind![id, project, rank, score, now, failed, fetch_error]).await?;
    let sql = "INSERT INTO results (report_id, checks) VALUES (?1, ?2) \
               ON CONFLICT (report_id) DO UPDATE SET checks = excluded.checks";
    transaction.execute(sql, bind![id, checks]).await?;
    projects::recount(transaction, Some(before), Some((project, *rank))).await
}

/// Deletes a report; false if it does not exist.
pub async fn delete(transaction: &impl SqlTransaction, id: i64) -> Result<bool, StoreError> {
    let sql = "DELETE FROM reports WHERE id = ?1 RETURNING project_id, result";
    let deleted = transaction.row(sql, bind![id], |row| Ok((row.get(0)?, row.get(1)?))).await?;
    let Some(before) = deleted else { return Ok(false) };
    projects::recount(transaction, Some(before), None).await?;
    Ok(true)
}
