//! The keys of the interface, of which only digests are kept.
//!
//! Must not know what a key looks like.

use jiff::Timestamp;
use rusqlite::Connection;

use super::values;

/// A digest of a key: SHA-256.
pub type KeyDigest = [u8; 32];

/// A key as a list shows it: never the key itself, nor its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number, which stays when its name is used again.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// Keeps a new key's digest; false when a key in use has that name.
pub fn insert(connection: &Connection, name: &str, digest: &KeyDigest) -> rusqlite::Result<bool> {
    let kept = connection.execute(
        "INSERT INTO keys (name, digest, created_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (name, digest, values::now()),
    )?;
    Ok(kept > 0)
}

/// All keys, the oldest first, those that were revoked too.
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

/// Revokes the key in use that has that name; false when there is none.
pub fn revoke(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let revoked = connection
        .execute("UPDATE keys SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL", (name, values::now()))?;
    Ok(revoked > 0)
}

/// A key in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveKey {
    pub id: i64,
    pub name: String,
    pub digest: KeyDigest,
}

/// All keys in use. Their digests are compared in constant time, which an index does not.
pub fn in_use(connection: &Connection) -> rusqlite::Result<Vec<ActiveKey>> {
    let mut statement = connection.prepare_cached("SELECT id, name, digest FROM keys WHERE revoked_at IS NULL")?;
    let keys =
        statement.query_map([], |row| Ok(ActiveKey { id: row.get(0)?, name: row.get(1)?, digest: row.get(2)? }))?;
    keys.collect()
}
