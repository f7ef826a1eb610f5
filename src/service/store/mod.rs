//! The SQLite database of the service, and all of its SQL. Takes and returns plain values.

pub mod database;
pub mod lists;
pub mod tables;

#[cfg(test)]
mod tests;

pub use database::connection::Store;
pub use database::error::{OpenError, StoreError, database_path};
