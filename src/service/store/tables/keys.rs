//! The table of API keys, which holds their digests only.

use jiff::Timestamp;
use rusqlite::Connection;

use super::values;

/// A digest of a key: SHA-256.
pub type KeyDigest = [u8; 32];

/// A key in `keys list`, without the key and its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Its id. A name may be used again, an id is not.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Inserts a key's digest; false if an active key has that name.
pub fn insert(connection: &Connection, name: &str, digest: &KeyDigest) -> rusqlite::Result<bool> {
    let kept = connection.execute(
        "INSERT INTO keys (name, digest, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (name, digest, values::now()),
    )?;
    Ok(kept > 0)
}

/// All keys, the oldest first, revoked ones too.
pub fn list(connection: &Connection) -> rusqlite::Result<Vec<KeyRow>> {
    let mut statement = connection.prepare("SELECT id, name, created_at, revoked_at FROM keys ORDER BY id")?;
    let keys = statement.query_map([], |row| {
        let revoked_at: Option<i64> = row.get(3)?;
        Ok(KeyRow {
            id: row.get(0)?,
            name: row.get(1)?,
            created_at: values::time(row.get(2)?),
            revoked_at: revoked_at.map(values::time),
        })
    })?;
    keys.collect()
}

/// Revokes the active key with a name; false if there is none.
pub fn revoke(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let revoked = connection
        .execute("UPDATE keys SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL", (name, values::now()))?;
    Ok(revoked > 0)
}

/// A key that is not revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveKey {
    pub id: i64,
    pub name: String,
    pub digest: KeyDigest,
}

/// All active keys. Their digests are compared in constant time, which a lookup by index is not.
pub fn in_use(connection: &Connection) -> rusqlite::Result<Vec<ActiveKey>> {
    let mut statement = connection.prepare_cached("SELECT id, name, digest FROM keys WHERE revoked_at IS NULL")?;
    let keys =
        statement.query_map([], |row| Ok(ActiveKey { id: row.get(0)?, name: row.get(1)?, digest: row.get(2)? }))?;
    keys.collect()
}
