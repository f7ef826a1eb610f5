//! Decodes responses leniently: a malformed field costs only that field, a malformed row only that row, never the list.
//!
//! Untrusted texts are sanitised here, once.

pub mod bounded;
mod checks;
pub mod envelope;
mod field;
mod lenient;
mod project;
mod report;
mod rows;

pub(super) use field::count;
pub use lenient::readable;
pub use project::project;
pub use report::{RowDetail, history, report};
pub use rows::{DecodedRows, rows};
