//! The table of signing secrets, shared by all processes on a data directory.

use rusqlite::{Connection, OptionalExtension, Transaction};

use crate::service::store::key_rows::SigningSecret;

/// Returns the secret stored under a name, if any.
pub fn find(connection: &Connection, name: &str) -> rusqlite::Result<Option<SigningSecret>> {
    connection.query_one("SELECT value FROM secrets WHERE name = ?1", [name], |row| row.get(0)).optional()
}

/// Inserts a secret unless there is one, and returns the stored one.
pub fn keep(transaction: &Transaction<'_>, name: &str, fresh: &SigningSecret) -> rusqlite::Result<SigningSecret> {
    transaction.execute("INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING", (name, fresh))?;
    Ok(find(transaction, name)?.unwrap_or(*fresh))
}
