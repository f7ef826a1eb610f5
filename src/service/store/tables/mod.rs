//! Rows: reading and writing each table.

pub mod bulk;
pub mod history;
pub mod keys;
pub mod projects;
pub mod reports;
pub mod secrets;
pub mod values;
