//! The tables of reports, projects, results and keys: reading and writing their rows, on either engine.

pub mod any_row;
pub mod history;
pub mod keys;
pub mod lists;
pub mod page_statement;
pub mod projects;
pub mod reports;
mod search;
pub mod secrets;
