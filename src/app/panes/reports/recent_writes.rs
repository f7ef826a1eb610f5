//! What writes were answered with while a list is under way: a page that was asked for before must not undo it.
//!
//! Which of the two is newer is told by the order of requests. Must not know what was written.

use crate::app::App;
use crate::app::effect::RequestId;
use crate::domain::report::Report;

/// A report as a write left it.
#[derive(Debug)]
pub(crate) struct RecentWrite {
    row: Report,
    /// It was made by the write: older pages do not hold it at all.
    is_new: bool,
    /// Pages asked for by this request, or before, may not know of it.
    until: RequestId,
}

impl App {
    /// Takes note of a write's answer, if there is a page under way that may be older.
    pub(crate) fn note_written(&mut self, report: &Report, is_new: bool) {
        let Some(until) = self.reports.loading().waits_for() else { return };
        let known_as_new = self.written.iter().any(|written| written.is_new && written.row.id == report.id);
        self.written.retain(|written| written.row.id != report.id);
        let row = Report { details: None, ..report.clone() };
        self.written.push(RecentWrite { row, is_new: is_new || known_as_new, until });
    }

    /// Puts what is newer in the place of what a page says.
    pub(crate) fn correct(&self, request: RequestId, rows: &mut [Report]) {
        for row in rows {
            let newer = self.written.iter().find(|written| request <= written.until && written.row.id == row.id);
            if let Some(newer) = newer {
                *row = newer.row.clone();
            }
        }
    }

    /// Whether rows were added since the list under way was asked for, which are not in the service's order.
    pub(crate) fn has_made(&self) -> bool {
        self.written.iter().any(|written| written.is_new)
    }

    /// Adds what was made since a page was asked for to the rows that it belongs to.
    pub(crate) fn add_made(&mut self) {
        let made = self.written.iter().filter(|written| written.is_new && !self.deleted.contains(&written.row.id));
        let rows: Vec<Report> = made.map(|written| written.row.clone()).collect();
        let mut added = false;
        for row in rows {
            let listing = self.reports.loading_mut();
            if listing.place(&row.id).is_none() {
                listing.put(row);
                added = true;
            }
        }
        if added && self.reports.incoming.is_none() {
            self.reports.edited = true;
            self.arrange();
        }
    }
}
