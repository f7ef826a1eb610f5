//! Pages of lists: filtered, sorted, and entered at a row number or behind a row.

pub mod projects;
pub mod reports;
mod search;
pub mod statement;

#[cfg(test)]
mod tests;
