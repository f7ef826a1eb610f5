//! SQL that both engines execute: transactions, the values they bind and the rows they return.
//!
//! Statements number their placeholders, `?1`, `?2`, and contain no other question mark: for PostgreSQL each becomes
//! `$`.

use super::error::StoreError;
#[cfg(feature = "postgres")]
use super::postgres::parameters::{PgColumn, PgRow, Typed, TypedParameter, typed};
use super::sqlite::types::{SqliteColumn, SqliteRow, SqliteValue};

/// A database engine, for the few statements that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// A transaction on one of the engines.
pub trait SqlTransaction {
    const ENGINE: Engine;

    /// Returns when the transaction began, in Unix milliseconds. On PostgreSQL by the server's clock, because those of
    /// the instances may differ.
    fn now(&self) -> i64;

    /// Returns all rows of a statement.
    async fn rows<T>(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError>;

    /// Executes a statement that returns no rows, and returns the number of rows it changed.
    async fn execute(&self, sql: &str, values: &[&dyn SqlValue]) -> Result<u64, StoreError>;

    /// Returns the first row of a statement, if any.
    async fn row<T>(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.rows(sql, values, read).await?.into_iter().next())
    }

    /// Returns the first row of a statement that always returns one.
    async fn one<T>(
        &self,
        sql: &str,
        values: &[&dyn SqlValue],
        read: impl FnMut(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let row = self.row(sql, values, read).await?;
        row.ok_or_else(|| StoreError::Database("a statement returned no row".into()))
    }
}

/// A value that a statement binds.
pub trait SqlValue: SqliteValue + Sync {
    #[cfg(feature = "postgres")]
    fn typed(&self) -> TypedParameter<'_>;
}

#[cfg(feature = "postgres")]
impl<T: SqliteValue + Typed> SqlValue for T {
    fn typed(&self) -> TypedParameter<'_> {
        typed(self)
    }
}

#[cfg(not(feature = "postgres"))]
impl<T: SqliteValue + Sync> SqlValue for T {}

/// The values of a statement's placeholders.
macro_rules! bind {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::service::store::sql::SqlValue),*]
    };
}

pub(super) use bind;

/// A type that a column is read as.
#[cfg(feature = "postgres")]
pub trait SqlColumn: SqliteColumn + for<'a> PgColumn<'a> {}

#[cfg(feature = "postgres")]
impl<T: SqliteColumn + for<'a> PgColumn<'a>> SqlColumn for T {}

/// A type that a column is read as.
#[cfg(not(feature = "postgres"))]
pub trait SqlColumn: SqliteColumn {}

#[cfg(not(feature = "postgres"))]
impl<T: SqliteColumn> SqlColumn for T {}

/// A row of a statement.
pub enum SqlRow<'a> {
    Sqlite(&'a SqliteRow<'a>),
    #[cfg(feature = "postgres")]
    Postgres(&'a PgRow),
}

impl SqlRow<'_> {
    /// Reads a column.
    pub fn get<T: SqlColumn>(&self, place: usize) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(row) => row.get(place).map_err(|error| StoreError::Database(error.into())),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => Ok(row.try_get(place)?),
        }
    }
}
