//! A request to export or copy rows, fixed when the menu opens.

use std::sync::Arc;

use crate::domain::export::{Export, ExportInfo, FileFormat};
use crate::domain::list::columns::Column;
use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::triage::urgency::RowContext;

/// Rows to export or copy, shared with the list rather than copied.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// The loaded rows as they were when the menu opened.
    pub rows: Arc<Rows>,
    /// Positions of the selected rows, in screen order.
    pub places: Vec<u32>,
    /// The chosen columns in order, including those hidden because the window is too narrow.
    pub columns: Vec<Column>,
    /// The service's display name.
    pub service: String,
    /// How the rows were selected: the filter line, or `marked`.
    pub filter: String,
    /// The sort order in words.
    pub order: String,
    /// The number of rows without the filter, if known and larger.
    pub of: Option<u64>,
    /// The row context at the time of the request.
    pub around: RowContext,
}

impl ExportRequest {
    /// Builds the export in this format.
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

    /// The selected rows, in order.
    pub fn reports(&self) -> impl Iterator<Item = &Report> + Clone {
        self.places.iter().filter_map(|place| self.rows.get(*place))
    }
}

/// What to copy of the selected reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyFormat {
    /// The page URLs.
    Url,
    /// The report ids.
    Id,
    /// The rows as shown, tab-separated.
    Row,
    /// A table of several reports, or the full Markdown of a single one.
    Markdown,
    /// The URL of the report page.
    ReportPage,
}
