//! The store in a PostgreSQL database, which several instances of the service may share.
//!
//! All statements are unnamed (`query_typed`) and nothing is kept in the session, so that a pooler may stand between.

mod address;
mod desk;
mod engine;
mod error;
pub mod instances;
mod keys;
mod lists;
mod migrations;
pub mod notifications;
mod probe;
mod projects;
mod reports;
mod statement;
mod transactions;
mod transfer;
mod transfer_insert;

pub use address::PostgresAddress;
pub use engine::PostgresStore;
pub use probe::probe;
