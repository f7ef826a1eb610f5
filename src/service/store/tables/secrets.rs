//! The table of signing secrets, shared by all processes on the store.

use crate::service::store::error::StoreError;
use crate::service::store::key_rows::SigningSecret;
use crate::service::store::sql::{SqlTransaction, bind};

/// Returns the secret stored under a name, if any.
pub async fn find(transaction: &impl SqlTransaction, name: &str) -> Result<Option<SigningSecret>, StoreError> {
    let sql = "SELECT value FROM secrets WHERE name = ?1";
    let found = transaction.row(sql, bind![name], |row| row.get::<Vec<u8>>(0)).await?;
    Ok(found.and_then(|value| value.try_into().ok()))
}

/// Inserts a secret unless there is one, and returns the stored one.
pub async fn keep(
    transaction: &impl SqlTransaction,
    name: &str,
    fresh: SigningSecret,
) -> Result<SigningSecret, StoreError> {
    let sql = "INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
    transaction.execute(sql, bind![name, &fresh[..]]).await?;
    Ok(find(transaction, name).await?.unwrap_or(fresh))
}
