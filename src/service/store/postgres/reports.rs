//! The tables of reports, their results and their earlier results.

use tokio_postgres::{Error, Row};

use super::parameters::parameters;
use super::projects;
use super::transactions::PgConnection;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::text::search_text;
use crate::service::store::rows::{
    AuditRecord, ChangeOutcome, DUPLICATES_AMONG, DuplicateCounts, HistoryRow, MOST_FORMER, NewReportRow, ReportRow,
    RowUpdate, StoredReport,
};

pub const COLUMNS: &str = "id, url, (SELECT name FROM projects WHERE projects.id = project_id), result, score, \
     generated_at, created_at, updated_at, privacy, password_hash IS NOT NULL, failed, fetch_error";

pub fn read(row: &Row) -> Result<ReportRow, Error> {
    Ok(ReportRow {
        id: row.try_get(0)?,
        url: row.try_get(1)?,
        project: row.try_get(2)?,
        rank: row.try_get(3)?,
        score: row.try_get(4)?,
        generated_at: row.try_get(5)?,
        created_at: row.try_get(6)?,
        updated_at: row.try_get(7)?,
        // The table allows 0 to 2; any other value would be private.
        privacy: u8::try_from(row.try_get::<_, i16>(8)?).unwrap_or(1),
        has_password: row.try_get(9)?,
        failed: row.try_get(10)?,
        fetch_error: row.try_get(11)?,
    })
}

async fn find(connection: &PgConnection, sql: &str, id: i64) -> Result<Option<Row>, Error> {
    connection.query_typed_opt(sql, parameters![id]).await
}

/// Returns a report's row.
pub async fn row(connection: &PgConnection, id: i64) -> Result<Option<ReportRow>, Error> {
    let found = find(connection, &format!("SELECT {COLUMNS} FROM reports WHERE id = $1"), id).await?;
    found.map(|row| read(&row)).transpose()
}

/// Reads the newest report, if any.
pub async fn read_newest(connection: &PgConnection) -> Result<(), Error> {
    let sql = format!("SELECT {COLUMNS} FROM reports ORDER BY id DESC LIMIT 1");
    let newest = connection.query_typed_opt(&sql, &[]).await?;
    newest.map_or(Ok(()), |row| read(&row).map(drop))
}

/// Returns a report's row and checks, with at most `most` earlier results.
pub async fn opened(connection: &PgConnection, id: i64, most: u16) -> Result<Option<StoredReport>, Error> {
    let sql = format!(
        "SELECT {COLUMNS}, coalesce((SELECT checks FROM results WHERE report_id = reports.id), '{{}}') \
         FROM reports WHERE id = $1"
    );
    let Some(found) = find(connection, &sql, id).await? else { return Ok(None) };
    Ok(Some((read(&found)?, found.try_get(12)?, former(connection, id, most).await?)))
}

/// Counts the other public reports of the project, of other URLs, with this title or this description, among the latest
/// ones. PostgreSQL cannot extract `\\u0000` from JSON; pages containing it are skipped.
pub async fn duplicates(
    connection: &PgConnection,
    id: i64,
    title: &str,
    description: &str,
) -> Result<DuplicateCounts, Error> {
    let sql = "WITH this AS (SELECT project_id, url FROM reports WHERE id = $1), \
         near AS (SELECT id, url, privacy FROM reports WHERE project_id = (SELECT project_id FROM this) \
                  ORDER BY generated_at DESC, id DESC LIMIT $4), \
         found AS (SELECT CASE WHEN position('\\u0000' IN checks) = 0 THEN checks::json END AS checks \
                   FROM near JOIN results ON report_id = near.id \
                   WHERE near.id <> $1 AND near.url <> (SELECT url FROM this) AND privacy = 0) \
         SELECT count(*) FILTER (WHERE $2 <> '' AND checks #>> '{title,value,title}' = $2), \
                count(*) FILTER (WHERE $3 <> '' AND checks #>> '{meta_description,value}' = $3) FROM found";
    // PostgreSQL does not store NUL either.
    let without_nul = |text: &'_ str| if text.contains('\0') { String::new() } else { text.to_owned() };
    let (title, description, most) = (without_nul(title), without_nul(description), i64::from(DUPLICATES_AMONG));
    let row = connection.query_typed_opt(sql, parameters![id, title, description, most]).await?;
    let read = |row: Row| Ok(DuplicateCounts { titles: row.try_get(0)?, descriptions: row.try_get(1)? });
    row.map_or(Ok(DuplicateCounts::default()), read)
}

/// Returns at most `most` earlier results of a report, latest first.
pub async fn former(connection: &PgConnection, id: i64, most: u16) -> Result<Vec<HistoryRow>, Error> {
    let sql = "SELECT result, score, generated_at, failed FROM history WHERE report_id = $1 ORDER BY id DESC LIMIT $2";
    let most = i64::from(most);
    let rows = connection.query_typed(sql, parameters![id, most]).await?;
    let read = |row: &Row| {
        Ok(HistoryRow {
            rank: row.try_get(0)?,
            score: row.try_get(1)?,
            generated_at: row.try_get(2)?,
            failed: row.try_get(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// Returns a report's row with the hash of its page password, if it has one.
pub async fn protected(connection: &PgConnection, id: i64) -> Result<Option<(ReportRow, Option<String>)>, Error> {
    let found = find(connection, &format!("SELECT {COLUMNS}, password_hash FROM reports WHERE id = $1"), id).await?;
    found.map(|row| Ok((read(&row)?, row.try_get(12)?))).transpose()
}

/// Inserts a report and returns its id.
pub async fn insert(connection: &PgConnection, new: &NewReportRow, now: i64) -> Result<i64, Error> {
    let id = insert_row(connection, new, now).await?;
    let sql = "INSERT INTO results (report_id, checks) VALUES ($1, $2)";
    connection.execute_typed(sql, parameters![id, new.findings.checks]).await?;
    Ok(id)
}

/// Inserts a report's row with this time as created and generated.
pub async fn insert_row(connection: &PgConnection, new: &NewReportRow, time: i64) -> Result<i64, Error> {
    let findings = &new.findings;
    let project = projects::number(connection, &findings.project, time).await?;
    let (score, privacy) = (i64::from(findings.score), i16::from(new.privacy));
    let (text, fetch_error) = (search_text::always(&new.url), findings.fetch_failure.map(FetchFailure::name));
    let sql = "INSERT INTO reports (project_id, url, search_text, result, score, generated_at, created_at, updated_at, \
               privacy, password_hash, failed, fetch_error) VALUES ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8, $9, $10) \
               RETURNING id";
    let (url, password, failed) = (&new.url, &new.password_hash, &findings.failed);
    let values = parameters![project, url, text, findings.rank, score, time, privacy, password, failed, fetch_error];
    let id = connection.query_typed_one(sql, values).await?.try_get(0)?;
    projects::recount(connection, None, Some((project, findings.rank))).await?;
    Ok(id)
}

/// Updates a report, and returns it with at most `most` earlier results.
pub async fn change(
    connection: &PgConnection,
    id: i64,
    change: &RowUpdate,
    most: u16,
    now: i64,
) -> Result<ChangeOutcome, Error> {
    let Some(before) = row(connection, id).await? else { return Ok(ChangeOutcome::Gone) };
    let Some(privacy) = change.privacy_after(&before) else { return Ok(ChangeOutcome::WithoutPassword) };
    let sql =
        "UPDATE reports SET privacy = $2, password_hash = coalesce($3, password_hash), updated_at = $4 WHERE id = $1";
    let privacy = i16::from(privacy);
    connection.execute_typed(sql, parameters![id, privacy, change.password_hash, now]).await?;
    if let Some(findings) = &change.findings {
        remember(connection, id).await?;
        replace(connection, id, findings, now).await?;
    }
    // Read in the same transaction, so that the response shows this change and no other.
    let after = opened(connection, id, most).await?;
    Ok(after.map_or(ChangeOutcome::Gone, |after| ChangeOutcome::Changed(Box::new(after))))
}

/// Copies the current result into the history, and deletes the oldest beyond the limit.
async fn remember(connection: &PgConnection, id: i64) -> Result<(), Error> {
    let sql = "INSERT INTO history (report_id, result, score, generated_at, failed, checks) \
               SELECT id, result, score, generated_at, failed, \
               coalesce((SELECT checks FROM results WHERE report_id = id), '{}') FROM reports WHERE id = $1";
    connection.execute_typed(sql, parameters![id]).await?;
    let sql = "DELETE FROM history WHERE id IN \
               (SELECT id FROM history WHERE report_id = $1 ORDER BY id DESC OFFSET $2)";
    let most = i64::from(MOST_FORMER);
    connection.execute_typed(sql, parameters![id, most]).await.map(drop)
}

/// Replaces the current result.
async fn replace(connection: &PgConnection, id: i64, findings: &AuditRecord, now: i64) -> Result<(), Error> {
    let sql = "SELECT project_id, result FROM reports WHERE id = $1";
    let before = connection.query_typed_one(sql, parameters![id]).await?;
    let before = (before.try_get(0)?, before.try_get(1)?);
    let project = projects::number(connection, &findings.project, now).await?;
    let (score, fetch_error) = (i64::from(findings.score), findings.fetch_failure.map(FetchFailure::name));
    let sql = "UPDATE reports SET project_id = $2, result = $3, score = $4, generated_at = $5, failed = $6, \
               fetch_error = $7 WHERE id = $1";
    connection
        .execute_typed(sql, parameters![id, project, findings.rank, score, now, findings.failed, fetch_error])
        .await?;
    let sql = "INSERT INTO results (report_id, checks) VALUES ($1, $2) \
               ON CONFLICT (report_id) DO UPDATE SET checks = excluded.checks";
    connection.execute_typed(sql, parameters![id, findings.checks]).await?;
    projects::recount(connection, Some(before), Some((project, findings.rank))).await
}

/// Deletes a report; false if it does not exist.
pub async fn delete(connection: &PgConnection, id: i64) -> Result<bool, Error> {
    let deleted = find(connection, "DELETE FROM reports WHERE id = $1 RETURNING project_id, result", id).await?;
    let Some(row) = deleted else { return Ok(false) };
    projects::recount(connection, Some((row.try_get(0)?, row.try_get(1)?)), None).await?;
    Ok(true)
}
