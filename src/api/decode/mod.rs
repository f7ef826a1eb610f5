//! Responses become domain values, leniently: a field that cannot be read costs that field, a row that
//! cannot be read costs that row, never the list.
//!
//! Texts from outside are cleaned here, once.

pub mod bounded;
mod checks;
pub mod envelope;
mod field;
mod lenient;
mod project;
mod report;
mod rows;

pub use lenient::readable;
pub use project::project;
pub use report::{RowDetail, report};
pub use rows::{DecodedRows, rows};
