//! Writes about one report or project.

use crate::domain::report::{ReportChange, ReportId};
use crate::domain::text::Text;

/// A write that can be sent, or resent at the user's request.
#[derive(Debug, Clone)]
pub enum WriteRequest {
    /// Change or re-run a report.
    Update(ReportId, ReportChange),
    /// Delete a report.
    DeleteReport(ReportId),
    /// Delete a project with all its reports.
    DeleteProject(Text),
}
