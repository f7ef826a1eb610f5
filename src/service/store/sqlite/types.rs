//! The types of rusqlite behind the shared SQL interface.

pub use rusqlite::types::FromSql as SqliteColumn;
pub use rusqlite::{Row as SqliteRow, ToSql as SqliteValue};
