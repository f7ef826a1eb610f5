//! The store in a PostgreSQL database, which several instances of the service may share.
//!
//! All statements are unnamed (`query_typed`) and nothing is kept in the session, so that a pooler may stand between.

mod address;
mod engine;
mod error;
mod keys;
mod lists;
mod migrations;
mod projects;
mod reports;
mod statement;
mod transactions;

pub use engine::PostgresStore;
