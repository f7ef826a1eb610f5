//! The tables of API keys, which store digests only, and of signing secrets.

use jiff::Timestamp;
use tokio_postgres::{Error, Row};

use super::parameters::parameters;
use super::transactions::PgConnection;
use crate::domain::desk::{Handle, Role};
use crate::service::store::key_rows::{ActiveKey, KeyDigest, KeyRow, NewKey, SigningSecret};
use crate::service::store::values;

/// Returns the active key with this digest.
pub async fn active(connection: &PgConnection, digest: &KeyDigest) -> Result<Option<ActiveKey>, Error> {
    let sql = "SELECT id, name, role, person FROM keys WHERE digest = $1 AND revoked_at IS NULL \
               AND (expires_at IS NULL OR expires_at > extract(epoch FROM clock_timestamp()) * 1000)";
    let found = connection.query_typed_opt(sql, parameters![&digest[..]]).await?;
    let read = |row: Row| {
        let (role, person) = (Role::from_stored(row.try_get(2)?), Handle::from_stored(row.try_get(3)?));
        Ok(ActiveKey { id: row.try_get(0)?, name: row.try_get(1)?, role, person })
    };
    found.map(read).transpose()
}

/// Stores the current time as the last use of a key.
pub async fn touch(connection: &PgConnection, id: i64, now: i64) -> Result<(), Error> {
    let sql = "UPDATE keys SET last_used_at = $2 WHERE id = $1";
    connection.execute_typed(sql, parameters![id, now]).await.map(drop)
}

/// Returns all keys, oldest first, including revoked ones.
pub async fn list(connection: &PgConnection) -> Result<Vec<KeyRow>, Error> {
    let sql = "SELECT id, name, role, created_at, last_used_at, expires_at, revoked_at, person FROM keys ORDER BY id";
    let rows = connection.query_typed(sql, &[]).await?;
    let read = |row: &Row| {
        let time = |column: usize| -> Result<Option<Timestamp>, Error> {
            Ok(row.try_get::<_, Option<i64>>(column)?.map(values::time))
        };
        Ok(KeyRow {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            role: Role::from_stored(row.try_get(2)?),
            created_at: values::time(row.try_get(3)?),
            last_used_at: time(4)?,
            expires_at: time(5)?,
            revoked_at: time(6)?,
            person: Handle::from_stored(row.try_get(7)?),
        })
    };
    rows.iter().map(read).collect()
}

/// Inserts a key with its digest; false if an active key has that name. `ON CONFLICT` would skip ids.
pub async fn insert(connection: &PgConnection, key: &NewKey, digest: &KeyDigest, now: i64) -> Result<bool, Error> {
    let sql = "INSERT INTO keys (name, role, digest, created_at, expires_at, person) SELECT $1, $2, $3, $4, $5, $6 \
               WHERE NOT EXISTS (SELECT 1 FROM keys WHERE name = $1 AND revoked_at IS NULL)";
    let (role, expires_at) = (key.role.name(), key.expires_at.map(Timestamp::as_millisecond));
    let person = key.person.as_ref().map(Handle::as_str);
    Ok(connection.execute_typed(sql, parameters![key.name, role, &digest[..], now, expires_at, person]).await? > 0)
}

/// Revokes the active key with this name; false if there is none.
pub async fn revoke(connection: &PgConnection, name: &str, now: i64) -> Result<bool, Error> {
    if name.contains('\0') {
        return Ok(false);
    }
    let sql = "UPDATE keys SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL";
    Ok(connection.execute_typed(sql, parameters![name, now]).await? > 0)
}

/// Returns the secret stored under a name, if any.
pub async fn secret(connection: &PgConnection, name: &str) -> Result<Option<SigningSecret>, Error> {
    let found = connection.query_typed_opt("SELECT value FROM secrets WHERE name = $1", parameters![name]).await?;
    let value: Option<&[u8]> = found.as_ref().map(|row| row.try_get(0)).transpose()?;
    Ok(value.and_then(|value| value.try_into().ok()))
}

/// Inserts a secret unless there is one, and returns the stored one.
pub async fn keep_secret(connection: &PgConnection, name: &str, fresh: SigningSecret) -> Result<SigningSecret, Error> {
    let sql = "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    connection.execute_typed(sql, parameters![name, &fresh[..]]).await?;
    Ok(secret(connection, name).await?.unwrap_or(fresh))
}
