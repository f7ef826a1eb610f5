//! Rows to export, fixed when the menu opens.

use std::sync::Arc;

use crate::domain::export::{Export, ExportInfo, FileFormat};
use crate::domain::list::columns::Column;
use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::triage::priority::RowContext;

/// Rows to export or copy. They are shared with the list, not copied.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// The loaded rows as they were when the menu opened.
    pub rows: Arc<Rows>,
    /// The places of those that go, in the order of the screen.
    pub places: Vec<u32>,
    /// The chosen columns, in their order, also those for which the window is too narrow.
    pub columns: Vec<Column>,
    /// The service's name.
    pub service: String,
    /// What the rows were chosen by.
    pub filter: String,
    /// Their order in words.
    pub order: String,
    /// How many there would be without the filter, where that is known and more.
    pub of: Option<u64>,
    /// The row context at the time of the request.
    pub around: RowContext,
}

impl ExportRequest {
    /// The export in this format.
    pub fn as_file(&self, format: FileFormat) -> Export<'_> {
        let about = ExportInfo {
            service: &self.service,
            filter: &self.filter,
            order: &self.order,
            rows: self.places.len(),
            of: self.of,
            now: self.around.now,
        };
        Export { format, columns: &self.columns, about, around: &self.around }
    }

    /// The rows that go, in order.
    pub fn reports(&self) -> impl Iterator<Item = &Report> + Clone {
        self.places.iter().filter_map(|place| self.rows.get(*place))
    }
}

/// What of reports is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyFormat {
    /// Their addresses.
    Url,
    /// Their ids.
    Id,
    /// Their rows as they are on the screen, tab-separated.
    Row,
    /// A table of them, or all about the one.
    Markdown,
    /// The address of the report's page for people.
    ReportPage,
}
