//! What the service signs with. A secret stays in the data directory: every process on it signs the same.
//!
//! Must not know what is signed.

use rusqlite::{Connection, OptionalExtension, Transaction};

/// A secret: 256 random bits.
pub type SigningSecret = [u8; 32];

/// The secret of that name, if one was kept.
pub fn find(connection: &Connection, name: &str) -> rusqlite::Result<Option<SigningSecret>> {
    connection.query_one("SELECT value FROM secrets WHERE name = ?1", [name], |row| row.get(0)).optional()
}

/// Keeps a fresh secret unless there is one already, and gives the one that is kept.
pub fn keep(transaction: &Transaction<'_>, name: &str, fresh: &SigningSecret) -> rusqlite::Result<SigningSecret> {
    transaction.execute("INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING", (name, fresh))?;
    Ok(find(transaction, name)?.unwrap_or(*fresh))
}
