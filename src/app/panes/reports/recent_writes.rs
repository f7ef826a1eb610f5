//! Replies to writes made while a list is loading: a page requested before a write must not revert it.

use crate::app::effect::RequestId;
use crate::domain::report::Report;

/// A report as returned by a write.
#[derive(Debug)]
struct RecentWrite {
    row: Report,
    /// Whether the write created it, so that older pages do not contain it.
    is_new: bool,
    /// Pages up to this request may be older than the write; `None` if no page was pending.
    until: Option<RequestId>,
}

/// The writes since the listing being loaded was requested.
#[derive(Debug, Default)]
pub struct RecentWrites(Vec<RecentWrite>);

impl RecentWrites {
    /// Records the reply to a write. `until` is the pending page.
    pub(crate) fn record(&mut self, report: &Report, is_new: bool, until: Option<RequestId>) {
        let known_as_new = self.0.iter().any(|write| write.is_new && write.row.id == report.id);
        self.0.retain(|write| write.row.id != report.id);
        let row = Report { details: None, ..report.clone() };
        self.0.push(RecentWrite { row, is_new: is_new || known_as_new, until });
    }

    /// Replaces rows of a page that are older than a write.
    pub(crate) fn correct(&self, request: RequestId, rows: &mut [Report]) {
        for row in rows {
            let newer = self.0.iter().find(|write| Some(request) <= write.until && write.row.id == row.id);
            if let Some(newer) = newer {
                *row = newer.row.clone();
            }
        }
    }

    /// Returns the created reports, which may break the service's order.
    pub(crate) fn created(&self) -> impl Iterator<Item = &Report> {
        self.0.iter().filter(|write| write.is_new).map(|write| &write.row)
    }

    /// Drops all writes: pages requested from now on include them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
