//! Copies rows out of a PostgreSQL store and into one.

use std::collections::HashMap;
use std::pin::pin;

use futures_util::TryStreamExt as _;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row};

use super::desk::{reads, transfer, writes};
use super::projects;
use super::transactions::PgConnection;
use super::transfer_insert::{RowBatch, insert_former, insert_report};
use crate::domain::desk::ChangeId;
use crate::service::store::desk::import::DeskImport;
use crate::service::store::transfer::{
    CopyDigest, CopyRefusal, FormerCopy, ImportCounts, KeyCopy, LastId, ProjectCopy, ReportCopy, RowReceiver,
    RowSender, SecretCopy, TABLES_WITH_IDS, TableDigest, TransferRow,
};

const PROJECTS: &str = "SELECT id, name, created_at FROM projects ORDER BY id";
const REPORTS: &str = "SELECT id, project_id, url, result, score, generated_at, created_at, updated_at, \
                       privacy::bigint, password_hash, failed, fetch_error, checks FROM reports \
                       LEFT JOIN results ON report_id = id ORDER BY id";
const HISTORY: &str = "SELECT id, report_id, result, score, generated_at, failed, checks FROM history ORDER BY id";
const KEYS: &str =
    "SELECT id, name, role, digest, created_at, last_used_at, expires_at, revoked_at, person FROM keys ORDER BY id";
const SECRETS: &str = "SELECT name, value FROM secrets ORDER BY name";

/// Disables the idle timeout, since the other store may be slow.
async fn without_idle_timeout(connection: &PgConnection) -> Result<(), Error> {
    connection.batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0").await
}

/// Sends all rows, then the end marker. Stops if the receiver is gone.
pub async fn send(connection: &PgConnection, sender: &RowSender) -> Result<(), Error> {
    without_idle_timeout(connection).await?;
    for (sql, read) in READERS {
        let mut rows = pin!(connection.query_typed_raw(sql, NO_PARAMETERS).await?);
        while let Some(row) = rows.try_next().await? {
            if sender.send(Some(read(&row)?)).await.is_err() {
                return Ok(());
            }
        }
    }
    for table in TABLES_WITH_IDS {
        if sender.send(Some(last_id(connection, table).await?)).await.is_err() {
            return Ok(());
        }
    }
    // A receiver that is gone has reported why.
    let _ = sender.send(None).await;
    Ok(())
}

const NO_PARAMETERS: [(&(dyn ToSql + Sync), Type); 0] = [];

type ReadRow = fn(&Row) -> Result<TransferRow, Error>;

/// The tables in the order they are sent.
const READERS: [(&str, ReadRow); 11] = [
    (PROJECTS, read_project),
    (REPORTS, read_report),
    (HISTORY, read_former),
    (transfer::TABLES[0].0, |row| transfer::TABLES[0].1(row).map(TransferRow::Desk)),
    (transfer::TABLES[1].0, |row| transfer::TABLES[1].1(row).map(TransferRow::Desk)),
    (transfer::TABLES[2].0, |row| transfer::TABLES[2].1(row).map(TransferRow::Desk)),
    (transfer::TABLES[3].0, |row| transfer::TABLES[3].1(row).map(TransferRow::Desk)),
    (transfer::TABLES[4].0, |row| transfer::TABLES[4].1(row).map(TransferRow::Desk)),
    (transfer::TABLES[5].0, |row| transfer::TABLES[5].1(row).map(TransferRow::Desk)),
    (KEYS, read_key),
    (SECRETS, read_secret),
];

fn read_project(row: &Row) -> Result<TransferRow, Error> {
    Ok(TransferRow::Project(ProjectCopy { id: row.try_get(0)?, name: row.try_get(1)?, created_at: row.try_get(2)? }))
}

fn read_report(row: &Row) -> Result<TransferRow, Error> {
    Ok(TransferRow::Report(Box::new(ReportCopy {
        id: row.try_get(0)?,
        project_id: row.try_get(1)?,
        url: row.try_get(2)?,
        rank: row.try_get(3)?,
        score: row.try_get(4)?,
        generated_at: row.try_get(5)?,
        created_at: row.try_get(6)?,
        updated_at: row.try_get(7)?,
        privacy: row.try_get(8)?,
        password_hash: row.try_get(9)?,
        failed: row.try_get(10)?,
        fetch_error: row.try_get(11)?,
        checks: row.try_get(12)?,
    })))
}

fn read_former(row: &Row) -> Result<TransferRow, Error> {
    Ok(TransferRow::Former(FormerCopy {
        id: row.try_get(0)?,
        report_id: row.try_get(1)?,
        rank: row.try_get(2)?,
        score: row.try_get(3)?,
        generated_at: row.try_get(4)?,
        failed: row.try_get(5)?,
        checks: row.try_get(6)?,
    }))
}

fn read_key(row: &Row) -> Result<TransferRow, Error> {
    Ok(TransferRow::Key(KeyCopy {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        role: row.try_get(2)?,
        digest: row.try_get(3)?,
        created_at: row.try_get(4)?,
        last_used_at: row.try_get(5)?,
        expires_at: row.try_get(6)?,
        revoked_at: row.try_get(7)?,
        person: row.try_get(8)?,
    }))
}

fn read_secret(row: &Row) -> Result<TransferRow, Error> {
    Ok(TransferRow::Secret(SecretCopy { name: row.try_get(0)?, value: row.try_get(1)? }))
}

/// Returns the last id assigned by a table; 0 if none.
async fn last_id(connection: &PgConnection, table: &str) -> Result<TransferRow, Error> {
    let sql = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_id_seq");
    let id = connection.query_typed_one(&sql, &[]).await?.try_get(0)?;
    Ok(TransferRow::LastId(LastId { table: table.to_owned(), id }))
}

/// Inserts the rows of another store with their ids if this one is empty, and verifies them against what was received.
pub async fn receive_copy(
    connection: PgConnection,
    mut receiver: RowReceiver,
) -> Result<Result<Vec<TableDigest>, CopyRefusal>, Error> {
    without_idle_timeout(&connection).await?;
    connection.batch_execute("SAVEPOINT transfer").await?;
    let copied = fill(&connection, &mut receiver).await?;
    release(&connection, copied).await
}

async fn fill(
    connection: &PgConnection,
    receiver: &mut RowReceiver,
) -> Result<Result<Vec<TableDigest>, CopyRefusal>, Error> {
    let filled = "SELECT EXISTS (SELECT 1 FROM projects) OR EXISTS (SELECT 1 FROM keys) \
                  OR EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM people) \
                  OR EXISTS (SELECT 1 FROM desk_events)";
    if connection.query_typed_one(filled, &[]).await?.try_get(0)? {
        return Ok(Err(CopyRefusal::NotEmpty));
    }
    let (mut source, mut batch) = (CopyDigest::default(), RowBatch::default());
    loop {
        match receiver.recv().await {
            Some(Some(row)) if source.add(&row) => batch.add(connection, row).await?,
            Some(None) => break,
            Some(Some(_)) | None => return Ok(Err(CopyRefusal::CutOff)),
        }
    }
    batch.flush(connection).await?;
    projects::recount_all(connection).await?;
    let mut target = CopyDigest::default();
    for (sql, read) in READERS {
        let mut rows = pin!(connection.query_typed_raw(sql, NO_PARAMETERS).await?);
        while let Some(row) = rows.try_next().await? {
            target.add(&read(&row)?);
        }
    }
    for table in TABLES_WITH_IDS {
        target.add(&last_id(connection, table).await?);
    }
    Ok(CopyRefusal::compare(source.tables(), &target.tables()))
}

/// Rolls back to the savepoint after a refusal.
async fn release<T>(connection: &PgConnection, ended: Result<T, CopyRefusal>) -> Result<Result<T, CopyRefusal>, Error> {
    if ended.is_err() {
        connection.batch_execute("ROLLBACK TO transfer").await?;
    }
    connection.batch_execute("RELEASE transfer").await?;
    Ok(ended)
}

/// Inserts the reports of another store with new ids, their earlier results, and the desk's data about them. Skips
/// reports whose project had their URL before the import.
pub async fn receive_import(
    connection: PgConnection,
    mut receiver: RowReceiver,
    (change, now): (ChangeId, i64),
) -> Result<Result<ImportCounts, CopyRefusal>, Error> {
    without_idle_timeout(&connection).await?;
    connection.batch_execute("SAVEPOINT transfer").await?;
    let desk = DeskImport::new(change, reads::desk(&connection).await?.revision, now);
    let imported = import(&connection, &mut receiver, desk, now).await?;
    release(&connection, imported).await
}

async fn import(
    connection: &PgConnection,
    receiver: &mut RowReceiver,
    mut desk: DeskImport,
    now: i64,
) -> Result<Result<ImportCounts, CopyRefusal>, Error> {
    let (mut projects, mut ids) = (HashMap::new(), HashMap::new());
    let last = connection.query_typed_one("SELECT coalesce(max(id), 0) FROM reports", &[]).await?.try_get(0)?;
    let mut counts = ImportCounts::default();
    loop {
        match receiver.recv().await {
            Some(Some(TransferRow::Project(project))) => drop(projects.insert(project.id, project)),
            Some(Some(TransferRow::Report(report))) => {
                let Some(project) = projects.get(&report.project_id) else { return Ok(Err(CopyRefusal::CutOff)) };
                let project = projects::number(connection, &project.name, project.created_at).await?;
                if is_known(connection, (project, &report.url), last).await? {
                    counts.skipped += 1;
                } else {
                    let (id, rank) = (report.id, report.rank);
                    ids.insert(id, insert_report(connection, project, *report).await?);
                    projects::recount(connection, None, Some((project, rank))).await?;
                    counts.reports += 1;
                }
            }
            Some(Some(TransferRow::Former(former))) => {
                if let Some(report) = ids.get(&former.report_id) {
                    insert_former(connection, *report, former).await?;
                    counts.former += 1;
                }
            }
            Some(Some(TransferRow::Desk(row))) => {
                for statement in desk.take(row, |id| ids.get(&id).copied()) {
                    writes::apply(connection, &statement, now).await?;
                }
            }
            // Keys and secrets of the other store must not grant access here.
            Some(Some(TransferRow::Key(_) | TransferRow::Secret(_) | TransferRow::LastId(_))) => {}
            Some(None) => return Ok(Ok(counts)),
            None => return Ok(Err(CopyRefusal::CutOff)),
        }
    }
}

/// Whether a project has a report of a URL, among those up to the id `last`.
async fn is_known(connection: &PgConnection, (project, url): (i64, &str), last: i64) -> Result<bool, Error> {
    // The index covers the prefix of the URL.
    let sql = "SELECT EXISTS (SELECT 1 FROM reports WHERE project_id = $1 AND left(url, 600) = left($2, 600) \
               AND url = $2 AND id <= $3)";
    let values: [(&(dyn ToSql + Sync), Type); 3] = [(&project, Type::INT8), (&url, Type::TEXT), (&last, Type::INT8)];
    connection.query_typed_one(sql, &values).await?.try_get(0)
}
