//! Everything the service remembers, in one SQLite database. The only place that knows SQL.
//!
//! Must not know HTTP: it takes and gives plain values.

pub mod database;
pub mod lists;
pub mod tables;

#[cfg(test)]
mod tests;

pub use database::connection::Store;
pub use database::error::{OpenError, StoreError, database_path};
