//! Resolves where the store of `serve` lives: a data directory (SQLite) or a PostgreSQL URL.

pub mod data_directory;
pub mod database;
pub mod database_url;
