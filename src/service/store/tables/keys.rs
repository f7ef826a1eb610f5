//! The table of API keys, which stores digests only.

use jiff::Timestamp;

use crate::domain::desk::{Handle, Role};
use crate::service::store::error::StoreError;
use crate::service::store::key_rows::{KeyDigest, KeyEnd, KeyRow, NewKey, RequestKey};
use crate::service::store::sql::{SqlRow, SqlTransaction, bind};
use crate::service::store::values;

/// Reads a key's role.
pub fn role(row: &SqlRow<'_>, place: usize) -> Result<Role, StoreError> {
    Ok(Role::from_stored(&row.get::<String>(place)?))
}

/// Reads a key's person, if it has one. An invalid handle counts as none.
pub fn person(row: &SqlRow<'_>, place: usize) -> Result<Option<Handle>, StoreError> {
    Ok(row.get::<Option<String>>(place)?.and_then(|handle| handle.parse().ok()))
}

/// Inserts a key with its digest. Fails if an active key has that name.
pub async fn insert(transaction: &impl SqlTransaction, key: &NewKey, digest: &KeyDigest) -> Result<(), StoreError> {
    let sql = "INSERT INTO keys (name, role, digest, created_at, expires_at, person) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let (role, expires_at) = (key.role.name(), key.expires_at.map(Timestamp::as_millisecond));
    let (person, now) = (key.person.as_ref().map(Handle::as_str), transaction.now());
    transaction.execute(sql, bind![key.name, role, &digest[..], now, expires_at, person]).await.map(drop)
}

/// Returns all keys, oldest first, including revoked ones.
pub async fn list(transaction: &impl SqlTransaction) -> Result<Vec<KeyRow>, StoreError> {
    let sql = "SELECT id, name, role, created_at, last_used_at, expires_at, revoked_at, person FROM keys ORDER BY id";
    let read = |row: &SqlRow<'_>| {
        let time = |place| -> Result<_, StoreError> { Ok(row.get::<Option<i64>>(place)?.map(values::time)) };
        Ok(KeyRow {
            id: row.get(0)?,
            name: row.get(1)?,
            role: role(row, 2)?,
            created_at: values::time(row.get(3)?),
            last_used_at: time(4)?,
            expires_at: time(5)?,
            revoked_at: time(6)?,
            person: person(row, 7)?,
        })
    };
    transaction.rows(sql, bind![], read).await
}

/// Revokes the active key with this name.
pub async fn revoke(transaction: &impl SqlTransaction, name: &str) -> Result<(), StoreError> {
    let sql = "UPDATE keys SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL";
    transaction.execute(sql, bind![name, transaction.now()]).await.map(drop)
}

/// Revokes all keys of a person.
pub async fn revoke_all_of(transaction: &impl SqlTransaction, person: &Handle) -> Result<(), StoreError> {
    let sql = "UPDATE keys SET revoked_at = ?2 WHERE person = ?1 AND revoked_at IS NULL";
    transaction.execute(sql, bind![person.as_str(), transaction.now()]).await.map(drop)
}

/// Returns the role and the person of the active key with this name.
pub async fn named(
    transaction: &impl SqlTransaction,
    name: &str,
) -> Result<Option<(Role, Option<Handle>)>, StoreError> {
    let sql = "SELECT role, person FROM keys WHERE name = ?1 AND revoked_at IS NULL";
    transaction.row(sql, bind![name], |row| Ok((role(row, 0)?, person(row, 1)?))).await
}

/// Returns the key with this digest, and why it is refused if it is not active. The digest is of 256 random bits, so
/// lookup timing does not help to guess a key.
pub async fn find(
    transaction: &impl SqlTransaction,
    digest: &KeyDigest,
) -> Result<Option<(RequestKey, Option<KeyEnd>)>, StoreError> {
    let now = transaction.now();
    let sql = "SELECT id, name, role, person, expires_at, revoked_at FROM keys WHERE digest = ?1";
    let read = |row: &SqlRow<'_>| {
        let key = RequestKey { id: row.get(0)?, name: row.get(1)?, role: role(row, 2)?, person: person(row, 3)? };
        let is_expired = row.get::<Option<i64>>(4)?.is_some_and(|end| end <= now);
        let is_revoked = row.get::<Option<i64>>(5)?.is_some();
        let end = if is_revoked { Some(KeyEnd::Revoked) } else { is_expired.then_some(KeyEnd::Expired) };
        Ok((key, end))
    };
    transaction.row(sql, bind![&digest[..]], read).await
}

/// Stores the current time as the last use of a key.
pub async fn touch(transaction: &impl SqlTransaction, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE keys SET last_used_at = ?2 WHERE id = ?1";
    transaction.execute(sql, bind![id, transaction.now()]).await.map(drop)
}
