//! The store in a PostgreSQL database, which several instances of the service may share.
//!
//! All statements are unnamed (`query_typed`) and there is no session state, so that a pooler can be used.

mod address;
mod desk;
mod engine;
mod error;
pub mod instances;
mod keys;
mod lists;
mod migrations;
pub mod notifications;
mod parameters;
mod probe;
mod projects;
mod reports;
mod statement;
mod transactions;
mod transfer;

pub use address::PostgresAddress;
pub use engine::PostgresStore;
pub use probe::probe;
