//! Copies rows out of a PostgreSQL store and into one.

use std::pin::pin;

use futures_util::TryStreamExt as _;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row};

use super::desk::{reads, writes};
use super::parameters::{TypedParameter, parameters};
use super::projects;
use super::transactions::PgConnection;
use crate::domain::desk::ChangeId;
use crate::domain::text::search_text;
use crate::service::store::desk::import::DeskImport;
use crate::service::store::import::{ImportStep, ReportImport};
use crate::service::store::transfer::{
    CLEAR, ColumnType, ColumnValue, CopyDigest, CopyRefusal, IS_FILLED, ImportCounts, RowReceiver, RowSender, TABLES,
    TABLES_WITH_IDS, TableColumns, TableDigest, TransferRow,
};

/// The most rows per statement.
const ROWS: usize = 500;

const NO_PARAMETERS: [TypedParameter<'static>; 0] = [];

/// Disables the idle timeout, since the other store may be slow.
async fn without_idle_timeout(connection: &PgConnection) -> Result<(), Error> {
    connection.batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0").await
}

/// Sends all rows, then the end marker. Stops if the receiver is gone.
pub async fn send(connection: &PgConnection, sender: &RowSender) -> Result<(), Error> {
    without_idle_timeout(connection).await?;
    for table in &TABLES {
        let mut rows = pin!(connection.query_typed_raw(&select(table), NO_PARAMETERS).await?);
        while let Some(row) = rows.try_next().await? {
            if sender.send(Some(read(table, &row)?)).await.is_err() {
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

fn select(table: &TableColumns) -> String {
    let columns = table.columns().map(|(name, kind)| format!("{name}::{}", sql_type(kind)));
    format!("SELECT {} FROM {} ORDER BY {}", columns.collect::<Vec<_>>().join(", "), table.name, table.order)
}

fn sql_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Integer => "bigint",
        ColumnType::Text => "text",
        ColumnType::Bytes => "bytea",
    }
}

fn read(table: &'static TableColumns, row: &Row) -> Result<TransferRow, Error> {
    let value = |(place, (_, kind))| {
        Ok(match kind {
            ColumnType::Integer => row.try_get::<_, Option<i64>>(place)?.map(ColumnValue::Integer),
            ColumnType::Text => row.try_get::<_, Option<String>>(place)?.map(ColumnValue::Text),
            ColumnType::Bytes => row.try_get::<_, Option<Vec<u8>>>(place)?.map(ColumnValue::Bytes),
        }
        .unwrap_or(ColumnValue::Null))
    };
    let values = table.columns().enumerate().map(value).collect::<Result<_, Error>>()?;
    Ok(TransferRow { table, values })
}

/// Returns the last id assigned by a table; 0 if none.
async fn last_id(connection: &PgConnection, table: &str) -> Result<TransferRow, Error> {
    let sql = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_id_seq");
    Ok(TransferRow::last_id(table, connection.query_typed_one(&sql, &[]).await?.try_get(0)?))
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
    if connection.query_typed_one(IS_FILLED, &[]).await?.try_get(0)? {
        return Ok(Err(CopyRefusal::NotEmpty));
    }
    connection.batch_execute(CLEAR).await?;
    let (mut source, mut batch) = (CopyDigest::default(), Vec::new());
    loop {
        let row = match receiver.recv().await {
            Some(Some(row)) if source.add(&row) => row,
            Some(None) => break,
            Some(Some(_)) | None => return Ok(Err(CopyRefusal::CutOff)),
        };
        if batch.len() == ROWS || batch.first().is_some_and(|first: &TransferRow| first.table.name != row.table.name) {
            insert(connection, &std::mem::take(&mut batch)).await?;
        }
        match row.as_last_id() {
            Some((table, id)) => set_last_id(connection, table, id).await?,
            None => batch.push(row),
        }
    }
    insert(connection, &batch).await?;
    let sql = "SELECT setval(pg_get_serial_sequence('history', 'id'), max(id)) FROM history";
    connection.query_typed_one(sql, &[]).await?;
    projects::recount_all(connection).await?;
    let mut target = CopyDigest::default();
    for table in &TABLES {
        let mut rows = pin!(connection.query_typed_raw(&select(table), NO_PARAMETERS).await?);
        while let Some(row) = rows.try_next().await? {
            target.add(&read(table, &row)?);
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

/// Inserts rows of one table with their search texts, in one statement.
async fn insert(connection: &PgConnection, rows: &[TransferRow]) -> Result<(), Error> {
    let Some(TransferRow { table, .. }) = rows.first() else { return Ok(()) };
    let columns = table.inserted();
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    let arrays = columns.iter().enumerate().map(|(place, (_, kind))| format!("${}::{}[]", place + 1, sql_type(*kind)));
    let sql = format!(
        "INSERT INTO {} ({}) SELECT * FROM unnest({})",
        table.name,
        names.join(", "),
        arrays.collect::<Vec<_>>().join(", ")
    );
    let values: Vec<(Box<dyn ToSql + Sync + Send>, Type)> =
        columns.iter().enumerate().map(|(place, (_, kind))| array(rows, place, *kind)).collect();
    let values: Vec<TypedParameter<'_>> = values.iter().map(|(values, kind)| (&**values as _, kind.clone())).collect();
    connection.execute_typed(&sql, &values).await.map(drop)
}

/// Returns the values of one column. After a row's own columns comes its search text.
fn array(rows: &[TransferRow], place: usize, kind: ColumnType) -> (Box<dyn ToSql + Sync + Send>, Type) {
    let value = |row: &TransferRow| match row.values.get(place) {
        Some(value) => value.clone(),
        None => row.searched().map(search_text::always).into(),
    };
    let values = rows.iter().map(value);
    match kind {
        ColumnType::Integer => {
            let integer = |value| if let ColumnValue::Integer(number) = value { Some(number) } else { None };
            (Box::new(values.map(integer).collect::<Vec<_>>()), Type::INT8_ARRAY)
        }
        ColumnType::Text => {
            let text = |value| if let ColumnValue::Text(text) = value { Some(text) } else { None };
            (Box::new(values.map(text).collect::<Vec<_>>()), Type::TEXT_ARRAY)
        }
        ColumnType::Bytes => {
            let bytes = |value| if let ColumnValue::Bytes(bytes) = value { Some(bytes) } else { None };
            (Box::new(values.map(bytes).collect::<Vec<_>>()), Type::BYTEA_ARRAY)
        }
    }
}

/// Advances a table's id sequence, so that new ids follow this one.
async fn set_last_id(connection: &PgConnection, table: &str, id: i64) -> Result<(), Error> {
    if id == 0 {
        return Ok(());
    }
    let sql = "SELECT setval(pg_get_serial_sequence($1, 'id'), $2)";
    connection.query_typed_one(sql, parameters![table, id]).await.map(drop)
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
    let imported = import(&connection, &mut receiver, ReportImport::new(desk), now).await?;
    release(&connection, imported).await
}

async fn import(
    connection: &PgConnection,
    receiver: &mut RowReceiver,
    mut import: ReportImport,
    now: i64,
) -> Result<Result<ImportCounts, CopyRefusal>, Error> {
    let last = connection.query_typed_one("SELECT coalesce(max(id), 0) FROM reports", &[]).await?.try_get(0)?;
    loop {
        let row = match receiver.recv().await {
            Some(Some(row)) => row,
            Some(None) => return Ok(Ok(import.counts())),
            None => return Ok(Err(CopyRefusal::CutOff)),
        };
        match import.take(row) {
            Ok(ImportStep::Skip) => {}
            Ok(ImportStep::Report { mut row, project: (name, created_at) }) => {
                let project = projects::number(connection, &name, created_at).await?;
                if is_known(connection, (project, row.text("url")), last).await? {
                    import.skipped();
                } else {
                    let (old, rank) =
                        (row.integer("id").unwrap_or_default(), row.integer("result").unwrap_or_default());
                    row.set("project_id", ColumnValue::Integer(project));
                    import.inserted(old, insert_new(connection, row).await?);
                    projects::recount(connection, None, Some((project, rank))).await?;
                }
            }
            Ok(ImportStep::Result(row)) => drop(insert_new(connection, row).await?),
            Ok(ImportStep::Desk(statements)) => {
                for statement in statements {
                    writes::apply(connection, &statement, now).await?;
                }
            }
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
}

/// Inserts a row with a new id, if its table has one, and returns the id.
async fn insert_new(connection: &PgConnection, mut row: TransferRow) -> Result<i64, Error> {
    let mut id = 0;
    if row.integer("id").is_some() {
        let sql = "SELECT nextval(pg_get_serial_sequence($1, 'id'))";
        id = connection.query_typed_one(sql, parameters![row.table.name]).await?.try_get(0)?;
        row.set("id", ColumnValue::Integer(id));
    }
    insert(connection, &[row]).await?;
    Ok(id)
}

/// Whether a project has a report of a URL, among those up to the id `last`.
async fn is_known(connection: &PgConnection, (project, url): (i64, Option<&str>), last: i64) -> Result<bool, Error> {
    // The index covers the prefix of the URL.
    let sql = "SELECT EXISTS (SELECT 1 FROM reports WHERE project_id = $1 AND left(url, 600) = left($2, 600) \
               AND url = $2 AND id <= $3)";
    connection.query_typed_one(sql, parameters![project, url, last]).await?.try_get(0)
}
