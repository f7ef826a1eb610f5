//! What became true of a report or project. Every reply that changes one becomes a fact, and each part of the state
//! takes what concerns it.

use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;

/// A change at the service, known from a reply.
#[derive(Debug, Clone)]
pub(crate) enum Fact {
    /// A report was created.
    ReportCreated(Report),
    /// A report was changed or re-run by this program.
    ReportUpdated(Report),
    /// A report was read: this is how it is now.
    ReportRead(Report),
    /// A report does not exist any more.
    ReportDeleted(ReportId),
    /// A project and its reports do not exist any more.
    ProjectDeleted(Text),
}
