//! The target that a line of the overview opens.

use crate::domain::report::ReportId;

/// The target that a line of the overview opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverviewTarget {
    /// The reports that match these filter terms.
    Rows(String),
    /// One report.
    Report(ReportId),
    /// These reports: a single one is opened, several are marked.
    Reports(Vec<ReportId>),
    /// The changes since the last look.
    Changes,
    /// Fetches the unknown checks of bad reports.
    FetchChecks,
    /// Nothing; the line is informational.
    Nothing,
}
