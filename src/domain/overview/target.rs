//! What a line of the overview opens.

use crate::domain::report::ReportId;

/// What a line of the overview opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverviewTarget {
    /// The reports that these filter terms select.
    Rows(String),
    /// One report.
    Report(ReportId),
    /// These reports: one is opened, several are marked.
    Reports(Vec<ReportId>),
    /// The changes since the last look.
    Changes,
    /// The unknown checks of these reports: they are fetched.
    FetchChecks(Vec<ReportId>),
    /// Nothing: the line only informs.
    Nothing,
}
