//! Copies rows out of an SQLite store and into one.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Value, ValueRef};
use rusqlite::{Connection, OptionalExtension as _};

use super::bulk;
use super::transaction::SqliteTransaction;
use crate::service::store::error::{CopyRefusal, StoreError};
use crate::service::store::sql::{SqlTransaction as _, bind};
use crate::service::store::tables::any_row;
use crate::service::store::transfer::{
    CLEAR, ColumnValue, CopyDigest, IS_FILLED, RowReceiver, RowSender, TABLES, TABLES_WITH_IDS, TableDigest,
    TransferRow, compare,
};

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

impl SqliteTransaction<'_> {
    /// Sends all rows, then the end marker. Stops if the receiver is gone.
    pub async fn send_rows(&self, sender: RowSender) -> Result<(), StoreError> {
        let sent = each_row(self.connection, async |row| sender.send(Some(row)).await.is_ok()).await;
        if sent.map_err(|error| self.error(&error))? {
            // A receiver that is gone has reported why.
            let _ = sender.send(None).await;
        }
        Ok(())
    }

    /// Inserts the rows of another store with their ids if this one is empty, and verifies them against what was
    /// received.
    pub async fn receive_copy(&self, mut receiver: RowReceiver) -> Result<Vec<TableDigest>, StoreError> {
        let connection = self.connection;
        let failed = |error: rusqlite::Error| self.error(&error);
        if self.one(IS_FILLED, bind![], |row| row.get(0)).await? {
            return Err(CopyRefusal::NotEmpty.into());
        }
        connection.execute_batch(CLEAR).map_err(failed)?;
        let definitions = bulk::drop_indexes(connection).map_err(failed)?;
        let mut source = CopyDigest::default();
        loop {
            match receiver.recv().await {
                Some(Some(row)) if source.add(&row) => match row.as_last_id() {
                    Some((table, id)) => set_last_id(connection, table, id).map_err(failed)?,
                    None => any_row::insert(self, row).await?,
                },
                Some(None) => break,
                Some(Some(_)) | None => return Err(CopyRefusal::CutOff.into()),
            }
        }
        bulk::complete(connection, &definitions).map_err(failed)?;
        let mut target = CopyDigest::default();
        each_row(connection, async |row| target.add(&row)).await.map_err(failed)?;
        Ok(compare(source.tables(), &target.tables())?)
    }
}

/// Passes every row to `take` until it returns false.
async fn each_row(connection: &Connection, mut take: impl AsyncFnMut(TransferRow) -> bool) -> rusqlite::Result<bool> {
    for table in &TABLES {
        let names: Vec<_> = table.columns().map(|(name, _)| name).collect();
        let sql = format!("SELECT {} FROM {} ORDER BY {}", names.join(", "), table.name, table.order);
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let values = (0..names.len()).map(|place| row.get(place)).collect::<rusqlite::Result<_>>()?;
            if !take(TransferRow { table, values }).await {
                return Ok(false);
            }
        }
    }
    for table in TABLES_WITH_IDS {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let id = connection.query_one(sql, [table], |row| row.get(0)).optional()?.unwrap_or_default();
        if !take(TransferRow::last_id(table, id)).await {
            return Ok(false);
        }
    }
    Ok(true)
}

fn set_last_id(connection: &Connection, table: &str, id: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
    if id > 0 && connection.execute(sql, (table, id))? == 0 {
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", (table, id))?;
    }
    Ok(())
}
