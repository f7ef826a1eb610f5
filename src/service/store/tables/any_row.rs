//! Rows of any table, as plain values: inserted when they come from another store.

use super::projects::stored_search_text;
use crate::service::store::error::StoreError;
use crate::service::store::sql::{SqlTransaction, SqlValue};
use crate::service::store::transfer::{ColumnType, ColumnValue, TransferRow};

/// Inserts a row with its search text.
pub async fn insert(transaction: &impl SqlTransaction, row: TransferRow) -> Result<(), StoreError> {
    insert_columns(transaction, row, |_| true, "").await.map(drop)
}

/// Inserts a row with a new id, if its table has ids, and returns the id.
pub async fn insert_new(transaction: &impl SqlTransaction, row: TransferRow) -> Result<Option<i64>, StoreError> {
    let returning = if row.integer("id").is_some() { " RETURNING id" } else { "" };
    insert_columns(transaction, row, |name| name != "id", returning).await
}

async fn insert_columns<S: SqlTransaction>(
    transaction: &S,
    row: TransferRow,
    is_inserted: impl Fn(&str) -> bool,
    returning: &str,
) -> Result<Option<i64>, StoreError> {
    let search_text = row.searched().map(|text| ColumnValue::from(stored_search_text::<S>(text)));
    let columns = row.table.inserted().into_iter().zip(row.values.into_iter().chain(search_text));
    let (names, values): (Vec<_>, Vec<_>) = columns
        .filter(|((name, _), _)| is_inserted(name))
        .map(|((name, kind), value)| (name, bound(kind, value)))
        .unzip();
    let places: Vec<String> = (1..=names.len()).map(|place| format!("?{place}")).collect();
    let (table, names, places) = (row.table.name, names.join(", "), places.join(", "));
    let sql = format!("INSERT INTO {table} ({names}) VALUES ({places}){returning}");
    let values: Vec<&dyn SqlValue> = values.iter().map(|value| &**value as _).collect();
    transaction.row(&sql, &values, |row| row.get(0)).await
}

/// Returns a value of its column's type, also if it is NULL.
fn bound(kind: ColumnType, value: ColumnValue) -> Box<dyn SqlValue + Send> {
    match kind {
        ColumnType::Integer => Box::new(value.into_integer()),
        ColumnType::Text => Box::new(value.into_text()),
        ColumnType::Bytes => Box::new(value.into_bytes()),
    }
}
