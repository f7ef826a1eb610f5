//! The table of API keys, which holds their digests only.

use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};

use super::values;

/// A digest of a key: SHA-256.
pub type KeyDigest = [u8; 32];

/// What a key may do. The order is that of what it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter)]
pub enum KeyRole {
    /// Read.
    Viewer,
    /// Everything.
    Admin,
}

impl KeyRole {
    /// Its word, as stored and as the command line takes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Admin => "admin",
        }
    }
}

impl FromSql for KeyRole {
    /// A role that this version does not know may do least.
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(if value.as_str()? == Self::Admin.word() { Self::Admin } else { Self::Viewer })
    }
}

/// A key in `keys list`, without the key and its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number. A name may be used again, a number is not.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: KeyRole,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A key to store.
#[derive(Debug, Clone, Copy)]
pub struct NewKey<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it may do.
    pub role: KeyRole,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
}

impl<'a> NewKey<'a> {
    /// A key that may do everything and does not expire.
    pub fn admin(name: &'a str) -> Self {
        Self { name, role: KeyRole::Admin, expires_at: None }
    }
}

/// Inserts a key with its digest; false if an active key has that name.
pub fn insert(connection: &Connection, key: NewKey<'_>, digest: &KeyDigest) -> rusqlite::Result<bool> {
    let NewKey { name, role, expires_at } = key;
    let expires_at = expires_at.map(Timestamp::as_millisecond);
    let kept = connection.execute(
        "INSERT INTO keys (name, role, digest, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT DO NOTHING",
        (name, role.word(), digest, values::now(), expires_at),
    )?;
    Ok(kept > 0)
}

/// All keys, the oldest first, revoked ones too.
pub fn list(connection: &Connection) -> rusqlite::Result<Vec<KeyRow>> {
    let sql = "SELECT id, name, role, created_at, last_used_at, expires_at, revoked_at FROM keys ORDER BY id";
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

/// A key that is neither revoked nor expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveKey {
    pub id: i64,
    pub name: String,
    pub digest: KeyDigest,
    pub role: KeyRole,
}

/// All active keys. Their digests are compared in constant time, which a lookup by index is not.
pub fn in_use(connection: &Connection) -> rusqlite::Result<Vec<ActiveKey>> {
    let sql = "SELECT id, name, digest, role FROM keys \
               WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    let keys = statement.query_map([values::now()], |row| {
        Ok(ActiveKey { id: row.get(0)?, name: row.get(1)?, digest: row.get(2)?, role: row.get(3)? })
    })?;
    keys.collect()
}

/// Stores that a key is used now.
pub fn touch(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE keys SET last_used_at = ?2 WHERE id = ?1")?;
    statement.execute((id, values::now())).map(drop)
}
