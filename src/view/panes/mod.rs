//! The header, the panes and the footer.

mod filter_line;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod projects;
pub(super) mod report;
pub(super) mod reports;
pub(super) mod table_columns;
