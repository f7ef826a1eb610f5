//! Pages of lists: filtered, sorted, and entered at a row number or behind a row.

pub mod page;
pub mod projects;
pub mod reports;
mod search;

#[cfg(test)]
mod tests;
