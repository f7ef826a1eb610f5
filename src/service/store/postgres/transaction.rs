//! SQL in a transaction of PostgreSQL.

use std::ops::Deref;
use std::sync::Arc;

use deadpool_postgres::Object;

use super::parameters::{PgRow, TypedParameter};
use crate::service::store::error::StoreError;
use crate::service::store::sql::{Engine, SqlRow, SqlTransaction, SqlValue};

/// A connection inside a transaction. Dereferences to `tokio_postgres::Client`.
#[derive(Clone)]
pub struct PgTransaction {
    connection: Arc<Object>,
    /// The server's time when the transaction began, in Unix milliseconds.
    pub now: i64,
}

impl PgTransaction {
    /// Creates one on a connection inside a transaction that began at this time.
    pub fn on(connection: Arc<Object>, now: i64) -> Self {
        Self { connection, now }
    }

    /// Returns the rows of a statement as the server sent them. Not generic, so that it is compiled once.
    async fn server_rows(&self, sql: &str, values: &[&dyn SqlValue]) -> Result<Vec<PgRow>, StoreError> {
        Ok(self.query_typed(&numbered(sql), &typed(values)).await?)
    }
}

impl Deref for PgTransaction {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.connection
    }
}

/// Writes placeholders as PostgreSQL does.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

fn typed<'a>(values: &[&'a dyn SqlValue]) -> Vec<TypedParameter<'a>> {
    values.iter().map(|value| value.typed()).collect()
}

impl SqlTransaction for PgTransaction {
    const ENGINE: Engine = Engine::Postgres;

    fn now(&self) -> i64 {
        self.now
    }

    async fn rows<T>(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        mut read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.server_rows(sql, values).await?;
        rows.iter().map(|row| read(&SqlRow::Postgres(row))).collect()
    }

    async fn execute(&self, sql: &str, values: &[&dyn SqlValue]) -> Result<u64, StoreError> {
        Ok(self.execute_typed(&numbered(sql), &typed(values)).await?)
    }
}
