//! Causes: bad reports grouped by failing checks, URL shape, host and project.
//!
//! Each group has its size, the number of examined reports, and filter terms that select it.

pub mod lines;

mod address;
mod checks;
mod group;
#[cfg(test)]
mod tests;

pub use group::CauseGroup;

/// The maximum number of groups by URL.
pub const MOST_ADDRESSES: usize = 40;
