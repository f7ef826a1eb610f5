//! Output: records, the formats, page-by-page lists, and the progress line.
//!
//! JSON keeps raw values and escapes control characters; every other format prints cleaned cells.

pub mod column;
mod layout;
pub mod paged_list;
mod printer;
pub mod progress;
pub mod record;
mod table;
#[cfg(test)]
mod tests;

pub use printer::{Printer, Shape, note_empty_list};
