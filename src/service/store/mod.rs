//! Everything the service remembers, in one SQLite database. The only place that knows SQL.
//!
//! Must not know HTTP: it takes and gives plain values.

mod cuts;
pub mod database;
mod found;
pub mod lists;
pub mod memory;
mod moves;
mod names;
mod statement;
pub mod tables;
mod walk;
pub mod watch;

#[cfg(test)]
mod same_pages;
#[cfg(test)]
mod tests;

pub use database::connection::Store;
pub use database::error::{OpenError, StoreError, database_path};
