//! Copies rows out of an SQLite store and into one.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::desk::{reads, transfer, writes};
use super::tables::{bulk, projects};
use crate::domain::desk::ChangeId;
use crate::domain::text::search_text::search_text;
use crate::service::store::desk::import::DeskImport;
use crate::service::store::transfer::{
    CopyDigest, CopyRefusal, FormerCopy, ImportCounts, KeyCopy, LastId, ProjectCopy, ReportCopy, RowReceiver,
    RowSender, SecretCopy, TABLES_WITH_IDS, TableDigest, TransferRow,
};
use crate::service::store::values;

const REPORTS: &str = "SELECT id, project_id, url, result, score, generated_at, created_at, updated_at, privacy, \
                       password_hash, failed, fetch_error, checks FROM reports \
                       LEFT JOIN results ON report_id = id ORDER BY id";

/// Sends all rows of one snapshot, then the end marker. Stops if the receiver is gone. Blocks.
pub fn send(connection: &Connection, sender: &RowSender) -> rusqlite::Result<()> {
    if each_row(connection, &mut |row| sender.blocking_send(Some(row)).is_ok())? {
        // A receiver that is gone has reported why.
        let _ = sender.blocking_send(None);
    }
    Ok(())
}

/// Passes every row to `take` until it returns false.
fn each_row(connection: &Connection, take: &mut dyn FnMut(TransferRow) -> bool) -> rusqlite::Result<bool> {
    let mut go_on = each(connection, "SELECT id, name, created_at FROM projects ORDER BY id", take, |row| {
        Ok(TransferRow::Project(ProjectCopy { id: row.get(0)?, name: row.get(1)?, created_at: row.get(2)? }))
    })?;
    go_on = go_on && each(connection, REPORTS, take, read_report)?;
    let sql = "SELECT id, report_id, result, score, generated_at, failed, checks FROM history ORDER BY id";
    go_on = go_on && each(connection, sql, take, read_former)?;
    go_on = go_on && transfer::each_row(connection, &mut |row| take(TransferRow::Desk(row)))?;
    let sql =
        "SELECT id, name, role, digest, created_at, last_used_at, expires_at, revoked_at, person FROM keys ORDER BY id";
    go_on = go_on && each(connection, sql, take, read_key)?;
    go_on = go_on
        && each(connection, "SELECT name, value FROM secrets ORDER BY name", take, |row| {
            Ok(TransferRow::Secret(SecretCopy { name: row.get(0)?, value: row.get(1)? }))
        })?;
    for table in TABLES_WITH_IDS {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let id = connection.query_one(sql, [table], |row| row.get(0)).optional()?.unwrap_or_default();
        go_on = go_on && take(TransferRow::LastId(LastId { table: table.to_owned(), id }));
    }
    Ok(go_on)
}

fn each(
    connection: &Connection,
    sql: &str,
    take: &mut dyn FnMut(TransferRow) -> bool,
    read: impl Fn(&Row<'_>) -> rusqlite::Result<TransferRow>,
) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if !take(read(row)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn read_report(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Report(Box::new(ReportCopy {
        id: row.get(0)?,
        project_id: row.get(1)?,
        url: row.get(2)?,
        rank: row.get(3)?,
        score: row.get(4)?,
        generated_at: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        privacy: row.get(8)?,
        password_hash: row.get(9)?,
        failed: row.get(10)?,
        fetch_error: row.get(11)?,
        checks: row.get(12)?,
    })))
}

fn read_former(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Former(FormerCopy {
        id: row.get(0)?,
        report_id: row.get(1)?,
        rank: row.get(2)?,
        score: row.get(3)?,
        generated_at: row.get(4)?,
        failed: row.get(5)?,
        checks: row.get(6)?,
    }))
}

fn read_key(row: &Row<'_>) -> rusqlite::Result<TransferRow> {
    Ok(TransferRow::Key(KeyCopy {
        id: row.get(0)?,
        name: row.get(1)?,
        role: row.get(2)?,
        digest: row.get(3)?,
        created_at: row.get(4)?,
        last_used_at: row.get(5)?,
        expires_at: row.get(6)?,
        revoked_at: row.get(7)?,
        person: row.get(8)?,
    }))
}

/// Inserts the rows of another store with their ids if this one is empty, and verifies them against what was received.
/// Blocks.
pub fn receive_copy(
    transaction: &Transaction<'_>,
    receiver: &mut RowReceiver,
) -> rusqlite::Result<Result<Vec<TableDigest>, CopyRefusal>> {
    unless_refused(transaction, || {
        let filled = "SELECT EXISTS (SELECT 1 FROM reports) OR EXISTS (SELECT 1 FROM keys) \
                      OR EXISTS (SELECT 1 FROM secrets) OR EXISTS (SELECT 1 FROM people) \
                      OR EXISTS (SELECT 1 FROM desk_events)";
        if transaction.query_one(filled, [], |row| row.get(0))? {
            return Ok(Err(CopyRefusal::NotEmpty));
        }
        let definitions = bulk::drop_indexes(transaction)?;
        let mut source = CopyDigest::default();
        loop {
            match receiver.blocking_recv() {
                Some(Some(row)) if source.add(&row) => insert(transaction, &row)?,
                Some(None) => break,
                Some(Some(_)) | None => return Ok(Err(CopyRefusal::CutOff)),
            }
        }
        bulk::complete(transaction, &definitions)?;
        let mut target = CopyDigest::default();
        each_row(transaction, &mut |row| target.add(&row))?;
        Ok(CopyRefusal::compare(source.tables(), &target.tables()))
    })
}

/// Runs `work` in a savepoint, and rolls it back after a refusal.
fn unless_refused<T>(
    transaction: &Transaction<'_>,
    work: impl FnOnce() -> rusqlite::Result<Result<T, CopyRefusal>>,
) -> rusqlite::Result<Result<T, CopyRefusal>> {
    transaction.execute_batch("SAVEPOINT transfer")?;
    let ended = work()?;
    if ended.is_err() {
        transaction.execute_batch("ROLLBACK TO transfer")?;
    }
    transaction.execute_batch("RELEASE transfer")?;
    Ok(ended)
}

fn insert(transaction: &Transaction<'_>, row: &TransferRow) -> rusqlite::Result<()> {
    match row {
        TransferRow::Project(project) => transaction
            .prepare_cached("INSERT INTO projects (id, name, created_at, search_text) VALUES (?1, ?2, ?3, ?4)")?
            .execute((project.id, &project.name, project.created_at, search_text(&project.name)))
            .map(drop),
        TransferRow::Report(report) => insert_report(transaction, Some(report.id), report.project_id, report).map(drop),
        TransferRow::Former(former) => insert_former(transaction, Some(former.id), former.report_id, former),
        TransferRow::Desk(row) => transfer::insert(transaction, row),
        TransferRow::Key(key) => transaction
            .prepare_cached(
                "INSERT INTO keys (id, name, role, digest, created_at, last_used_at, expires_at, revoked_at, person) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                key.id,
                key.name,
                key.role,
                key.digest,
                key.created_at,
                key.last_used_at,
                key.expires_at,
                key.revoked_at,
                key.person
            ])
            .map(drop),
        TransferRow::Secret(secret) => transaction
            .prepare_cached("INSERT INTO secrets (name, value) VALUES (?1, ?2)")?
            .execute((&secret.name, &secret.value))
            .map(drop),
        TransferRow::LastId(last) => {
            let sql = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
            if last.id > 0 && transaction.execute(sql, (&last.table, last.id))? == 0 {
                transaction
                    .execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (&last.table, last.id))?;
            }
            Ok(())
        }
    }
}

/// Inserts a report and its result, and returns the id: the given one, or the next.
fn insert_report(
    transaction: &Transaction<'_>,
    id: Option<i64>,
    project: i64,
    report: &ReportCopy,
) -> rusqlite::Result<i64> {
    let id = transaction
        .prepare_cached(
            "INSERT INTO reports (id, project_id, url, result, score, generated_at, created_at, updated_at, privacy, \
             password_hash, failed, search_text, fetch_error) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING id",
        )?
        .query_one(
            params![
                id,
                project,
                report.url,
                report.rank,
                report.score,
                report.generated_at,
                report.created_at,
                report.updated_at,
                report.privacy,
                report.password_hash,
                report.failed,
                search_text(&report.url),
                report.fetch_error
            ],
            |row| row.get(0),
        )?;
    if let Some(checks) = &report.checks {
        let mut statement = transaction.prepare_cached("INSERT INTO results (report_id, checks) VALUES (?1, ?2)")?;
        statement.execute((id, checks))?;
    }
    Ok(id)
}

fn insert_former(
    transaction: &Transaction<'_>,
    id: Option<i64>,
    report: i64,
    former: &FormerCopy,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO history (id, report_id, result, score, generated_at, failed, checks) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute((id, report, former.rank, former.score, former.generated_at, &former.failed, &former.checks))
        .map(drop)
}

/// Inserts the reports of another store with new ids, their earlier results, and the desk's data about them. Skips
/// reports whose project had their URL before the import. Blocks.
pub fn receive_import(
    transaction: &Transaction<'_>,
    receiver: &mut RowReceiver,
    change: ChangeId,
) -> rusqlite::Result<Result<ImportCounts, CopyRefusal>> {
    unless_refused(transaction, || {
        let (mut projects, mut ids) = (HashMap::new(), HashMap::new());
        let last = "SELECT coalesce(max(id), 0) FROM reports";
        let last: i64 = transaction.query_one(last, [], |row| row.get(0))?;
        let mut desk = DeskImport::new(change, reads::desk(transaction)?.revision, values::now());
        let mut counts = ImportCounts::default();
        loop {
            match receiver.blocking_recv() {
                Some(Some(TransferRow::Project(project))) => drop(projects.insert(project.id, project)),
                Some(Some(TransferRow::Report(report))) => {
                    let Some(project) = projects.get(&report.project_id) else { return Ok(Err(CopyRefusal::CutOff)) };
                    let project = projects::number(transaction, &project.name, project.created_at)?;
                    let known = "SELECT EXISTS (SELECT 1 FROM reports WHERE project_id = ?1 AND url = ?2 AND id <= ?3)";
                    if transaction.prepare_cached(known)?.query_one((project, &report.url, last), |row| row.get(0))? {
                        counts.skipped += 1;
                    } else {
                        ids.insert(report.id, insert_report(transaction, None, project, &report)?);
                        counts.reports += 1;
                    }
                }
                Some(Some(TransferRow::Former(former))) => {
                    if let Some(report) = ids.get(&former.report_id) {
                        insert_former(transaction, None, *report, &former)?;
                        counts.former += 1;
                    }
                }
                Some(Some(TransferRow::Desk(row))) => {
                    for statement in desk.take(row, |id| ids.get(&id).copied()) {
                        writes::apply(transaction, &statement)?;
                    }
                }
                // Keys and secrets of the other store must not grant access here.
                Some(Some(TransferRow::Key(_) | TransferRow::Secret(_) | TransferRow::LastId(_))) => {}
                Some(None) => return Ok(Ok(counts)),
                None => return Ok(Err(CopyRefusal::CutOff)),
            }
        }
    })
}
