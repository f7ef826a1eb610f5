//! The store in a PostgreSQL database, which several instances of the service may share.
//!
//! All statements are unnamed (`query_typed`) and there is no session state, so that a pooler can be used.

mod address;
mod desk_events;
mod engine;
mod error;
pub mod instances;
mod migrations;
pub mod notifications;
pub mod parameters;
mod probe;
mod transaction;
mod transactions;
mod transfer;

pub use address::PostgresAddress;
pub use engine::PostgresStore;
pub use probe::{has_tables, probe};
pub use transaction::PgTransaction;
