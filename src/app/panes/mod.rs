//! The three panes: projects, the table of reports, and the report under the cursor.

pub mod projects;
pub mod report;
pub mod reports;
