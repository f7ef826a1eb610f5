//! File formats, and the format of times.

use jiff::Timestamp;

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
