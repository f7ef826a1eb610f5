//! SQL in a transaction of SQLite.

use std::path::Path;

use futures_util::FutureExt as _;
use rusqlite::{CachedStatement, Connection, params_from_iter};

use super::database::error::store_error;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, SqlValue};
use crate::service::store::values;

/// Completes work whose only futures are statements, which are ready at once.
pub fn complete<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    work.now_or_never().unwrap_or(Err(StoreError::BrokenOff))
}

/// A connection inside a transaction.
pub struct SqliteTransaction<'a> {
    pub connection: &'a Connection,
    data: &'a Path,
    now: i64,
}

impl<'a> SqliteTransaction<'a> {
    /// Creates one on a connection inside a transaction, to the database of this data directory.
    pub fn on(connection: &'a Connection, data: &'a Path) -> Self {
        Self { connection, data, now: values::now() }
    }

    /// Maps an error of the connection.
    pub fn error(&self, error: &rusqlite::Error) -> StoreError {
        store_error(error, self.data)
    }

    fn prepared(&self, sql: &str) -> Result<CachedStatement<'a>, StoreError> {
        self.connection.prepare_cached(sql).map_err(|error| self.error(&error))
    }

    /// Reads the rows of a statement one by one. Not generic, so that it is compiled once.
    fn read_each(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        take: &mut dyn FnMut(&SqlRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.prepared(sql)?;
        let mut rows = statement.query(params_from_iter(values)).map_err(|error| self.error(&error))?;
        while let Some(row) = rows.next().map_err(|error| self.error(&error))? {
            take(&SqlRow::Sqlite(row))?;
        }
        Ok(())
    }
}

impl SqlTransaction for SqliteTransaction<'_> {
    const ENGINE: Engine = Engine::Sqlite;

    fn now(&self) -> i64 {
        self.now
    }

    async fn rows<T>(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        mut read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.read_each(sql, values, &mut |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    async fn execute(&self, sql: &str, values: &[&dyn SqlValue]) -> Result<u64, StoreError> {
        let changed = self.prepared(sql)?.execute(params_from_iter(values)).map_err(|error| self.error(&error))?;
        Ok(changed as u64)
    }
}
