//! File formats, the heading of an export, and the format of times.

use jiff::Timestamp;

use crate::domain::text::clean;
use crate::domain::text::numbers::counted;

/// The format of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum FileFormat {
    /// Comma-separated values, for spreadsheets and scripts.
    Csv,
    /// One JSON array, as printed by the command line.
    Json,
    /// A table for a ticket or a text document.
    Markdown,
    /// One self-contained page for a browser.
    Html,
}

impl FileFormat {
    /// The display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
        }
    }

    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Html => "html",
        }
    }
}

/// Describes the exported rows to readers who have not seen the screen.
#[derive(Debug, Clone, Copy)]
pub struct ExportInfo<'a> {
    /// The service's name, as the screen shows it.
    pub service: &'a str,
    /// How rows were selected: the filter line, or `marked`. Empty if nothing was left out.
    pub filter: &'a str,
    /// The sort order in words: `generated_at, latest first`. Empty if unsorted.
    pub order: &'a str,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows without the filter, if known.
    pub of: Option<u64>,
    /// The time of the export.
    pub now: Timestamp,
}

impl ExportInfo<'_> {
    /// `Reports of seo.example`
    pub(super) fn heading(&self) -> String {
        if self.service.is_empty() { "Reports".to_owned() } else { format!("Reports of {}", clean(self.service)) }
    }

    /// `87 of 1,089 reports · result:bad · by url · 2026-01-02 14:02 UTC`
    pub(super) fn sentence(&self) -> String {
        let rows = match self.of {
            Some(of) => format!("{} of {}", self.rows, counted(of, "report")),
            None => counted(self.rows as u64, "report"),
        };
        let mut parts = vec![rows];
        parts.extend((!self.filter.is_empty()).then(|| clean(self.filter).into_owned()));
        parts.extend((!self.order.is_empty()).then(|| format!("by {}", clean(self.order))));
        parts.push(minute(self.now));
        parts.join(" · ")
    }
}

/// Formats a time for people, in UTC because files are read elsewhere and later.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Formats a time as RFC 3339 in UTC with milliseconds, with more digits only if the time has them. Trailing zeros are
/// kept, so that times of one service have equal length and sort as text.
pub fn time_text(at: Timestamp) -> String {
    match at.subsec_nanosecond() {
        fraction if fraction % 1_000_000 == 0 => format!("{at:.3}"),
        fraction if fraction % 1_000 == 0 => format!("{at:.6}"),
        _ => format!("{at:.9}"),
    }
}
