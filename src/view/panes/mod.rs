//! The header, the panes and the footer.

pub(super) mod footer;
pub(super) mod header;
pub(super) mod projects;
pub(super) mod report;
pub(super) mod reports;
