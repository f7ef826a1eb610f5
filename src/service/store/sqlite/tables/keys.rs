//! The table of API keys, which stores digests only.

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{Connection, OptionalExtension};

use crate::domain::desk::{Handle, Role};
use crate::service::store::key_rows::{ActiveKey, KeyDigest, KeyRow, NewKey};
use crate::service::store::values;

impl FromSql for Role {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self::from_stored(value.as_str()?))
    }
}

/// Inserts a key with its digest; false if an active key has that name.
pub fn insert(connection: &Connection, key: &NewKey, digest: &KeyDigest) -> rusqlite::Result<bool> {
    let NewKey { name, role, person, expires_at } = key;
    let expires_at = expires_at.map(Timestamp::as_millisecond);
    let kept = connection.execute(
        "INSERT INTO keys (name, role, person, digest, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT DO NOTHING",
        (name, role.name(), person.as_ref().map(Handle::as_str), digest, values::now(), expires_at),
    )?;
    Ok(kept > 0)
}

/// Returns all keys, oldest first, including revoked ones.
pub fn list(connection: &Connection) -> rusqlite::Result<Vec<KeyRow>> {
    let sql = "SELECT id, name, role, created_at, last_used_at, expires_at, revoked_at, person FROM keys ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let keys = statement.query_map([], |row| {
        let time = |column: usize| -> rusqlite::Result<Option<Timestamp>> {
            Ok(row.get::<_, Option<i64>>(column)?.map(values::time))
        };
        Ok(KeyRow {
            id: row.get(0)?,
            name: row.get(1)?,
            role: row.get(2)?,
            created_at: values::time(row.get(3)?),
            last_used_at: time(4)?,
            expires_at: time(5)?,
            revoked_at: time(6)?,
            person: Handle::from_stored(row.get_ref(7)?.as_str_or_null()?),
        })
    })?;
    keys.collect()
}

/// Revokes the active key with this name; false if there is none.
pub fn revoke(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let revoked = connection
        .execute("UPDATE keys SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL", (name, values::now()))?;
    Ok(revoked > 0)
}

/// Returns the active key with this digest. The digest is of 256 random bits, so lookup timing does not help to guess a
/// key.
pub fn active(connection: &Connection, digest: &KeyDigest) -> rusqlite::Result<Option<ActiveKey>> {
    let sql = "SELECT id, name, role, person FROM keys \
               WHERE digest = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
    let read = |row: &rusqlite::Row<'_>| {
        let person = Handle::from_stored(row.get_ref(3)?.as_str_or_null()?);
        Ok(ActiveKey { id: row.get(0)?, name: row.get(1)?, role: row.get(2)?, person })
    };
    connection.prepare_cached(sql)?.query_one((digest, values::now()), read).optional()
}

/// Stores the current time as the last use of a key.
pub fn touch(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE keys SET last_used_at = ?2 WHERE id = ?1")?;
    statement.execute((id, values::now())).map(drop)
}
