//! Pages of lists: filtered, sorted, and starting at an offset or after a row.

pub mod projects;
pub mod reports;
mod search;
pub mod statement;

#[cfg(test)]
mod tests;
