//! Copies rows out of an SQLite store and into one.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, ToSql, Transaction, params_from_iter};

use super::desk::{reads, writes};
use super::tables::{bulk, projects};
use crate::domain::desk::ChangeId;
use crate::domain::text::search_text::search_text;
use crate::service::store::desk::import::DeskImport;
use crate::service::store::import::{ImportStep, ReportImport};
use crate::service::store::transfer::{
    CLEAR, ColumnValue, CopyDigest, CopyRefusal, IS_FILLED, ImportCounts, RowReceiver, RowSender, TABLES,
    TABLES_WITH_IDS, TableDigest, TransferRow,
};
use crate::service::store::values;

impl FromSql for ColumnValue {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match Value::column_result(value)? {
            Value::Null => Ok(Self::Null),
            Value::Integer(number) => Ok(Self::Integer(number)),
            Value::Text(text) => Ok(Self::Text(text)),
            Value::Blob(bytes) => Ok(Self::Bytes(bytes)),
            Value::Real(_) => Err(FromSqlError::InvalidType),
        }
    }
}

impl ToSql for ColumnValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Null => Ok(ToSqlOutput::Owned(Value::Null)),
            Self::Integer(number) => number.to_sql(),
            Self::Text(text) => text.to_sql(),
            Self::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

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
    for table in &TABLES {
        let names: Vec<_> = table.columns().map(|(name, _)| name).collect();
        let sql = format!("SELECT {} FROM {} ORDER BY {}", names.join(", "), table.name, table.order);
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..names.len()).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?;
            if !take(TransferRow { table, values }) {
                return Ok(false);
            }
        }
    }
    for table in TABLES_WITH_IDS {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let id = connection.query_one(sql, [table], |row| row.get(0)).optional()?.unwrap_or_default();
        if !take(TransferRow::last_id(table, id)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Inserts the rows of another store with their ids if this one is empty, and verifies them against what was received.
/// Blocks.
pub fn receive_copy(
    transaction: &Transaction<'_>,
    receiver: &mut RowReceiver,
) -> rusqlite::Result<Result<Vec<TableDigest>, CopyRefusal>> {
    unless_refused(transaction, || {
        if transaction.query_one(IS_FILLED, [], |row| row.get(0))? {
            return Ok(Err(CopyRefusal::NotEmpty));
        }
        transaction.execute_batch(CLEAR)?;
        let definitions = bulk::drop_indexes(transaction)?;
        let mut source = CopyDigest::default();
        loop {
            match receiver.blocking_recv() {
                Some(Some(row)) if source.add(&row) => match row.as_last_id() {
                    Some((table, id)) => set_last_id(transaction, table, id)?,
                    None => insert(transaction, &row)?,
                },
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

/// Inserts a row with its search text. An id of NULL becomes the next one.
fn insert(transaction: &Transaction<'_>, row: &TransferRow) -> rusqlite::Result<()> {
    let names: Vec<_> = row.table.inserted().into_iter().map(|(name, _)| name).collect();
    let places = vec!["?"; names.len()].join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({places})", row.table.name, names.join(", "));
    let search_text = row.searched().map(|text| ColumnValue::from(search_text(text)));
    transaction.prepare_cached(&sql)?.execute(params_from_iter(row.values.iter().chain(&search_text))).map(drop)
}

fn set_last_id(transaction: &Transaction<'_>, table: &str, id: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
    if id > 0 && transaction.execute(sql, (table, id))? == 0 {
        transaction.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (table, id))?;
    }
    Ok(())
}

/// Inserts the reports of another store with new ids, their earlier results, and the desk's data about them. Skips
/// reports whose project had their URL before the import. Blocks.
pub fn receive_import(
    transaction: &Transaction<'_>,
    receiver: &mut RowReceiver,
    change: ChangeId,
) -> rusqlite::Result<Result<ImportCounts, CopyRefusal>> {
    unless_refused(transaction, || {
        let last = "SELECT coalesce(max(id), 0) FROM reports";
        let last: i64 = transaction.query_one(last, [], |row| row.get(0))?;
        let desk = DeskImport::new(change, reads::desk(transaction)?.revision, values::now());
        let mut import = ReportImport::new(desk);
        loop {
            let row = match receiver.blocking_recv() {
                Some(Some(row)) => row,
                Some(None) => return Ok(Ok(import.counts())),
                None => return Ok(Err(CopyRefusal::CutOff)),
            };
            match import.take(row) {
                Ok(ImportStep::Skip) => {}
                Ok(ImportStep::Report { row, project: (name, created_at) }) => {
                    let project = projects::number(transaction, &name, created_at)?;
                    let known = "SELECT EXISTS (SELECT 1 FROM reports WHERE project_id = ?1 AND url = ?2 AND id <= ?3)";
                    let mut known = transaction.prepare_cached(known)?;
                    if known.query_one((project, row.text("url"), last), |row| row.get(0))? {
                        import.skipped();
                    } else {
                        let old = row.integer("id").unwrap_or_default();
                        import.inserted(old, insert_new(transaction, row, project)?);
                    }
                }
                Ok(ImportStep::Result(mut row)) => {
                    row.set("id", ColumnValue::Null);
                    insert(transaction, &row)?;
                }
                Ok(ImportStep::Desk(statements)) => {
                    for statement in statements {
                        writes::apply(transaction, &statement)?;
                    }
                }
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
    })
}

/// Inserts a report into a project with a new id, and returns the id.
fn insert_new(transaction: &Transaction<'_>, mut report: TransferRow, project: i64) -> rusqlite::Result<i64> {
    report.set("id", ColumnValue::Null);
    report.set("project_id", ColumnValue::Integer(project));
    insert(transaction, &report)?;
    Ok(transaction.last_insert_rowid())
}
