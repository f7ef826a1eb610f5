//! The tables: reading and writing their rows.

pub mod bulk;
pub mod history;
pub mod keys;
pub mod projects;
pub mod reports;
pub mod secrets;
