//! File formats, the heading of an export, and how times are written in one.

use jiff::Timestamp;

use crate::domain::text::clean;

/// What a file is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum FileFormat {
    /// Comma-separated values, for spreadsheets and scripts.
    Csv,
    /// One JSON array, as the command line prints it.
    Json,
    /// A table for a ticket or a text document.
    Markdown,
    /// One page for a browser, with nothing else to load.
    Html,
}

impl FileFormat {
    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
        }
    }

    /// The end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Html => "html",
        }
    }
}

/// What the rows are, for readers of the file who have not seen the screen.
#[derive(Debug, Clone, Copy)]
pub struct ExportInfo<'a> {
    /// The service's name, as the screen shows it.
    pub service: &'a str,
    /// What they were chosen by: the filter line, or `marked`. Empty where nothing was left out.
    pub filter: &'a str,
    /// Their order in words: `generated_at, latest first`. Empty where they have none.
    pub order: &'a str,
    /// How many rows there are.
    pub rows: usize,
    /// How many there would be without the filter, where that is known.
    pub of: Option<u64>,
    /// When it is written.
    pub now: Timestamp,
}

impl ExportInfo<'_> {
    /// `Reports of seo.example`
    pub(super) fn heading(&self) -> String {
        if self.service.is_empty() { "Reports".to_owned() } else { format!("Reports of {}", clean(self.service)) }
    }

    /// `87 of 1089 reports · result:bad · by url · 2026-01-02 14:02 UTC`
    pub(super) fn sentence(&self) -> String {
        let of = self.of.map(|of| format!(" of {of}")).unwrap_or_default();
        let mut parts = vec![format!("{}{of} reports", self.rows)];
        parts.extend((!self.filter.is_empty()).then(|| clean(self.filter).into_owned()));
        parts.extend((!self.order.is_empty()).then(|| format!("by {}", clean(self.order))));
        parts.push(minute(self.now));
        parts.join(" · ")
    }
}

/// A time for people, in UTC: files are read elsewhere and later.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// RFC 3339 in UTC with milliseconds, and more digits only where they were sent: trailing zeros stay, so that times of
/// one service are equally long and sort as text.
pub fn time_text(at: Timestamp) -> String {
    match at.subsec_nanosecond() {
        fraction if fraction % 1_000_000 == 0 => format!("{at:.3}"),
        fraction if fraction % 1_000 == 0 => format!("{at:.6}"),
        _ => format!("{at:.9}"),
    }
}
