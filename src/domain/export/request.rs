//! A request to export or copy rows, fixed when the menu opens.

use std::sync::Arc;

use jiff::civil::DateTime;

use super::formats::{FileFormat, minute};
use crate::domain::list::columns::Column;
use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::text::clean;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::urgency::RowContext;

/// Rows to export or copy, shared with the list rather than copied.
#[derive(Debug, Clone, Default)]
pub struct ExportRequest {
    /// The loaded rows as they were when the menu opened.
    pub rows: Arc<Rows>,
    /// Positions of the selected rows, in screen order.
    pub places: Vec<u32>,
    /// The chosen columns in order, including those hidden because the window is too narrow.
    pub columns: Vec<Column>,
    /// The service's display name; may be empty.
    pub service: String,
    /// How the rows were selected: the filter line, or `marked`. Empty if nothing was left out.
    pub filter: String,
    /// The sort order in words: `audited, newest first`. Empty if unsorted.
    pub order: String,
    /// The number of rows without the filter, if known and larger.
    pub of: Option<u64>,
    /// The local time of the request, for the file's name.
    pub local_time: DateTime,
    /// The row context at the time of the request; in JSON, its explanations fill in what the service leaves out about
    /// checks.
    pub around: RowContext,
}

impl ExportRequest {
    /// The selected rows, in order.
    pub fn reports(&self) -> impl Iterator<Item = &Report> + Clone {
        self.places.iter().filter_map(|place| self.rows.get(*place))
    }

    /// Proposes a file name: `reports-2026-01-02-1402.csv`.
    pub fn file_name(&self, format: FileFormat) -> String {
        format!("reports-{}.{}", self.local_time.strftime("%Y-%m-%d-%H%M"), format.extension())
    }

    /// `Reports of seo.example`
    pub(super) fn heading(&self) -> String {
        if self.service.is_empty() { "Reports".to_owned() } else { format!("Reports of {}", clean(&self.service)) }
    }

    /// `87 of 1,089 reports · result:bad · by url · 2026-01-02 14:02 UTC`
    pub(super) fn sentence(&self) -> String {
        let rows = match self.of {
            Some(of) => format!("{} of {}", grouped(self.places.len() as u64), counted(of, "report")),
            None => counted(self.places.len() as u64, "report"),
        };
        let mut parts = vec![rows];
        parts.extend((!self.filter.is_empty()).then(|| clean(&self.filter).into_owned()));
        parts.extend((!self.order.is_empty()).then(|| format!("by {}", clean(&self.order))));
        parts.push(minute(self.around.now));
        parts.join(" · ")
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
