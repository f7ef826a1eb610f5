//! Bulk inserts of rows from another store.

use tokio_postgres::Error;
use tokio_postgres::types::{ToSql, Type};

use super::desk::transfer;
use super::transactions::PgConnection;
use crate::domain::text::search_text;
use crate::service::store::transfer::{FormerCopy, KeyCopy, LastId, ProjectCopy, ReportCopy, TransferRow};

/// The most rows per statement.
const ROWS: usize = 500;

/// Rows waiting to be inserted together.
#[derive(Default)]
pub struct RowBatch {
    projects: Vec<ProjectCopy>,
    reports: Vec<ReportCopy>,
    former: Vec<FormerCopy>,
}

impl RowBatch {
    /// Adds a row, and flushes when enough rows wait. Rows of other kinds are inserted immediately.
    pub async fn add(&mut self, connection: &PgConnection, row: TransferRow) -> Result<(), Error> {
        match row {
            TransferRow::Project(project) => self.projects.push(project),
            TransferRow::Report(report) => self.reports.push(*report),
            TransferRow::Former(former) => self.former.push(former),
            TransferRow::Desk(row) => transfer::insert(connection, &row).await?,
            TransferRow::Key(key) => insert_key(connection, key).await?,
            TransferRow::Secret(secret) => {
                let values = [(&secret.name as _, Type::TEXT), (&secret.value as _, Type::BYTEA)];
                connection.execute_typed("INSERT INTO secrets (name, value) VALUES ($1, $2)", &values).await?;
            }
            TransferRow::LastId(last) => {
                self.flush(connection).await?;
                set_last_id(connection, &last).await?;
            }
        }
        if self.projects.len() + self.reports.len() + self.former.len() >= ROWS {
            self.flush(connection).await?;
        }
        Ok(())
    }

    /// Inserts all waiting rows: projects before their reports, and reports before their results.
    pub async fn flush(&mut self, connection: &PgConnection) -> Result<(), Error> {
        insert_projects(connection, &std::mem::take(&mut self.projects)).await?;
        insert_reports(connection, &std::mem::take(&mut self.reports)).await?;
        insert_history(connection, &std::mem::take(&mut self.former)).await
    }
}

/// Returns the values of one column.
fn column<'r, R, T>(rows: &'r [R], value: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

async fn insert_projects(connection: &PgConnection, rows: &[ProjectCopy]) -> Result<(), Error> {
    let sql = "INSERT INTO projects (id, name, search_text, created_at) \
               SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])";
    let values: [(&(dyn ToSql + Sync), Type); 4] = [
        (&column(rows, |row| row.id), Type::INT8_ARRAY),
        (&column(rows, |row| row.name.as_str()), Type::TEXT_ARRAY),
        (&column(rows, |row| search_text::always(&row.name)), Type::TEXT_ARRAY),
        (&column(rows, |row| row.created_at), Type::INT8_ARRAY),
    ];
    if rows.is_empty() { Ok(()) } else { connection.execute_typed(sql, &values).await.map(drop) }
}

async fn insert_reports(connection: &PgConnection, rows: &[ReportCopy]) -> Result<(), Error> {
    let sql = "INSERT INTO reports (id, project_id, url, search_text, result, score, generated_at, created_at, \
               updated_at, privacy, password_hash, failed, fetch_error) \
               SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], \
               $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[])";
    let values: [(&(dyn ToSql + Sync), Type); 13] = [
        (&column(rows, |row| row.id), Type::INT8_ARRAY),
        (&column(rows, |row| row.project_id), Type::INT8_ARRAY),
        (&column(rows, |row| row.url.as_str()), Type::TEXT_ARRAY),
        (&column(rows, |row| search_text::always(&row.url)), Type::TEXT_ARRAY),
        (&column(rows, |row| row.rank), Type::INT8_ARRAY),
        (&column(rows, |row| row.score), Type::INT8_ARRAY),
        (&column(rows, |row| row.generated_at), Type::INT8_ARRAY),
        (&column(rows, |row| row.created_at), Type::INT8_ARRAY),
        (&column(rows, |row| row.updated_at), Type::INT8_ARRAY),
        (&column(rows, |row| row.privacy), Type::INT8_ARRAY),
        (&column(rows, |row| row.password_hash.as_deref()), Type::TEXT_ARRAY),
        (&column(rows, |row| row.failed.as_str()), Type::TEXT_ARRAY),
        (&column(rows, |row| row.fetch_error.as_deref()), Type::TEXT_ARRAY),
    ];
    if rows.is_empty() {
        return Ok(());
    }
    connection.execute_typed(sql, &values).await?;
    let sql = "INSERT INTO results (report_id, checks) \
               SELECT * FROM unnest($1::bigint[], $2::text[]) AS result (report_id, checks) WHERE checks IS NOT NULL";
    let values: [(&(dyn ToSql + Sync), Type); 2] = [
        (&column(rows, |row| row.id), Type::INT8_ARRAY),
        (&column(rows, |row| row.checks.as_deref()), Type::TEXT_ARRAY),
    ];
    connection.execute_typed(sql, &values).await.map(drop)
}

async fn insert_history(connection: &PgConnection, rows: &[FormerCopy]) -> Result<(), Error> {
    let sql = "INSERT INTO history (id, report_id, result, score, generated_at, failed, checks) \
               SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], \
               $7::text[])";
    let values: [(&(dyn ToSql + Sync), Type); 7] = [
        (&column(rows, |row| row.id), Type::INT8_ARRAY),
        (&column(rows, |row| row.report_id), Type::INT8_ARRAY),
        (&column(rows, |row| row.rank), Type::INT8_ARRAY),
        (&column(rows, |row| row.score), Type::INT8_ARRAY),
        (&column(rows, |row| row.generated_at), Type::INT8_ARRAY),
        (&column(rows, |row| row.failed.as_str()), Type::TEXT_ARRAY),
        (&column(rows, |row| row.checks.as_str()), Type::TEXT_ARRAY),
    ];
    let Some(last) = rows.last() else { return Ok(()) };
    connection.execute_typed(sql, &values).await?;
    set_last_id(connection, &LastId { table: "history".to_owned(), id: last.id }).await
}

async fn insert_key(connection: &PgConnection, key: KeyCopy) -> Result<(), Error> {
    let sql = "INSERT INTO keys (id, name, role, digest, created_at, last_used_at, expires_at, revoked_at, \
               person) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values: [(&(dyn ToSql + Sync), Type); 9] = [
        (&key.id, Type::INT8),
        (&key.name, Type::TEXT),
        (&key.role, Type::TEXT),
        (&key.digest, Type::BYTEA),
        (&key.created_at, Type::INT8),
        (&key.last_used_at, Type::INT8),
        (&key.expires_at, Type::INT8),
        (&key.revoked_at, Type::INT8),
        (&key.person, Type::TEXT),
    ];
    connection.execute_typed(sql, &values).await.map(drop)
}

/// Advances a table's id sequence, so that new ids follow this one.
async fn set_last_id(connection: &PgConnection, last: &LastId) -> Result<(), Error> {
    if last.id == 0 {
        return Ok(());
    }
    let sql = "SELECT setval(pg_get_serial_sequence($1, 'id'), $2)";
    connection.query_typed_one(sql, &[(&last.table, Type::TEXT), (&last.id, Type::INT8)]).await.map(drop)
}

/// Inserts a report into a project with a new id, and returns the id.
pub async fn insert_report(connection: &PgConnection, project: i64, mut report: ReportCopy) -> Result<i64, Error> {
    report.id = next_id(connection, "reports").await?;
    report.project_id = project;
    let id = report.id;
    insert_reports(connection, &[report]).await?;
    Ok(id)
}

/// Inserts an earlier result with a new id.
pub async fn insert_former(connection: &PgConnection, report: i64, mut former: FormerCopy) -> Result<(), Error> {
    former.id = next_id(connection, "history").await?;
    former.report_id = report;
    insert_history(connection, &[former]).await
}

async fn next_id(connection: &PgConnection, table: &str) -> Result<i64, Error> {
    let sql = "SELECT nextval(pg_get_serial_sequence($1, 'id'))";
    connection.query_typed_one(sql, &[(&table, Type::TEXT)]).await?.try_get(0)
}
