//! Copies rows out of a PostgreSQL store and into one.

use std::future::ready;
use std::pin::pin;

use futures_util::{FutureExt as _, TryStreamExt as _};
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::parameters::{TypedParameter, parameters};
use super::transaction::PgTransaction;
use crate::domain::text::search_text;
use crate::service::store::error::{CopyRefusal, StoreError};
use crate::service::store::tables::projects;
use crate::service::store::transfer::{
    CLEAR, ColumnType, ColumnValue, CopyDigest, IS_FILLED, RowReceiver, RowSender, TABLES, TABLES_WITH_IDS,
    TableColumns, TableDigest, TransferRow, compare,
};

/// The most rows per statement.
const ROWS: usize = 500;

const NO_PARAMETERS: [TypedParameter<'static>; 0] = [];

impl PgTransaction {
    /// Sends all rows, then the end marker. Stops if the receiver is gone.
    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        if each_row(self, |row| sender.send(Some(row)).map(|sent| sent.is_ok())).await? {
            // A receiver that is gone has reported why.
            let _ = sender.send(None).await;
        }
        Ok(())
    }

    /// Inserts the rows of another store with their ids if this one is empty, and verifies them against what was received.
    pub async fn receive_copy(&self, mut receiver: RowReceiver) -> Result<Vec<TableDigest>, StoreError> {
        if self.query_typed_one(IS_FILLED, &[]).await?.try_get(0)? {
            return Err(CopyRefusal::NotEmpty.into());
        }
        self.batch_execute(CLEAR).await?;
        let (mut source, mut batch) = (CopyDigest::default(), Vec::new());
        loop {
            let row = match receiver.recv().await {
                Some(Some(row)) if source.add(&row) => row,
                Some(None) => break,
                Some(Some(_)) | None => return Err(CopyRefusal::CutOff.into()),
            };
            if batch.len() == ROWS
                || batch.first().is_some_and(|first: &TransferRow| first.table.name != row.table.name)
            {
                insert(self, &std::mem::take(&mut batch)).await?;
            }
            match row.as_last_id() {
                Some((table, id)) => set_last_id(self, table, id).await?,
                None => batch.push(row),
            }
        }
        insert(self, &batch).await?;
        let sql = "SELECT setval(pg_get_serial_sequence('history', 'id'), max(id)) FROM history";
        self.query_typed_one(sql, &[]).await?;
        self.execute_typed(projects::RECOUNT, &[]).await?;
        let mut target = CopyDigest::default();
        each_row(self, |row| ready(target.add(&row))).await?;
        Ok(compare(source.tables(), &target.tables())?)
    }
}

/// Passes every row to `take` until it returns false.
async fn each_row<F: Future<Output = bool>>(
    transaction: &PgTransaction,
    mut take: impl FnMut(TransferRow) -> F,
) -> Result<bool, StoreError> {
    for table in &TABLES {
        let mut rows = pin!(transaction.query_typed_raw(&select(table), NO_PARAMETERS).await?);
        while let Some(row) = rows.try_next().await? {
            if !take(read(table, &row)?).await {
                return Ok(false);
            }
        }
    }
    for table in TABLES_WITH_IDS {
        if !take(last_id(transaction, table).await?).await {
            return Ok(false);
        }
    }
    Ok(true)
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

fn read(table: &'static TableColumns, row: &Row) -> Result<TransferRow, StoreError> {
    let value = |(place, (_, kind))| {
        Ok(match kind {
            ColumnType::Integer => row.try_get::<_, Option<i64>>(place)?.map(ColumnValue::Integer),
            ColumnType::Text => row.try_get::<_, Option<String>>(place)?.map(ColumnValue::Text),
            ColumnType::Bytes => row.try_get::<_, Option<Vec<u8>>>(place)?.map(ColumnValue::Bytes),
        }
        .unwrap_or(ColumnValue::Null))
    };
    let values = table.columns().enumerate().map(value).collect::<Result<_, StoreError>>()?;
    Ok(TransferRow { table, values })
}

/// Returns the last id assigned by a table; 0 if none.
async fn last_id(transaction: &PgTransaction, table: &str) -> Result<TransferRow, StoreError> {
    let sql = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {table}_id_seq");
    Ok(TransferRow::last_id(table, transaction.query_typed_one(&sql, &[]).await?.try_get(0)?))
}

/// Inserts rows of one table with their search texts, in one statement.
async fn insert(transaction: &PgTransaction, rows: &[TransferRow]) -> Result<(), StoreError> {
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
    transaction.execute_typed(&sql, &values).await?;
    Ok(())
}

/// Returns the values of one column. After a row's own columns comes its search text.
fn array(rows: &[TransferRow], place: usize, kind: ColumnType) -> (Box<dyn ToSql + Sync + Send>, Type) {
    let value = |row: &TransferRow| match row.values.get(place) {
        Some(value) => value.clone(),
        None => row.searched().map(search_text::always).into(),
    };
    let values = rows.iter().map(value);
    match kind {
        ColumnType::Integer => (Box::new(values.map(ColumnValue::into_integer).collect::<Vec<_>>()), Type::INT8_ARRAY),
        ColumnType::Text => (Box::new(values.map(ColumnValue::into_text).collect::<Vec<_>>()), Type::TEXT_ARRAY),
        ColumnType::Bytes => (Box::new(values.map(ColumnValue::into_bytes).collect::<Vec<_>>()), Type::BYTEA_ARRAY),
    }
}

/// Advances a table's id sequence, so that new ids follow this one.
async fn set_last_id(transaction: &PgTransaction, table: &str, id: i64) -> Result<(), StoreError> {
    if id == 0 {
        return Ok(());
    }
    let sql = "SELECT setval(pg_get_serial_sequence($1, 'id'), $2)";
    transaction.query_typed_one(sql, parameters![table, id]).await?;
    Ok(())
}
