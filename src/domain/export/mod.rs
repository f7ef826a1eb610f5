//! Reports as a file to hand over: the columns on the screen, every value whole.
//!
//! Rows are written as they come and never gathered, so that 100,000 of them cost no memory. What is written is the
//! cleaned copy of every text; JSON keeps raw values and escapes what could act. Must not know which rows are shown,
//! why, or where the bytes go.

pub mod csv;
mod field;
mod html;
pub mod json;
pub mod markdown;
pub mod tabs;
#[cfg(test)]
mod tests;
pub mod whole;

use std::io::{self, Write};

use jiff::Timestamp;

use crate::domain::list::columns::Column;
use crate::domain::report::Report;
use crate::domain::text::clean;
use crate::domain::triage::priority::RowContext;
use field::ExportField;

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

/// What the rows are, for whoever reads the file without having seen the screen.
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
    fn heading(&self) -> String {
        if self.service.is_empty() { "Reports".to_owned() } else { format!("Reports of {}", clean(self.service)) }
    }

    /// `87 of 1089 reports · result:bad · by url · 2026-01-02 14:02 UTC`
    fn sentence(&self) -> String {
        let of = self.of.map(|of| format!(" of {of}")).unwrap_or_default();
        let mut parts = vec![format!("{}{of} reports", self.rows)];
        parts.extend((!self.filter.is_empty()).then(|| clean(self.filter).into_owned()));
        parts.extend((!self.order.is_empty()).then(|| format!("by {}", clean(self.order))));
        parts.push(minute(self.now));
        parts.join(" · ")
    }
}

/// A time for people, in UTC: files are read elsewhere and later.
fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A file to be written.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// As what.
    pub format: FileFormat,
    /// The columns on the screen, in their order.
    pub columns: &'a [Column],
    /// What the rows are.
    pub about: ExportInfo<'a>,
    /// What is known besides the rows; what is known about checks fills in what a service leaves out in JSON.
    pub around: &'a RowContext,
}

impl Export<'_> {
    /// A name for the file: `reports-2026-01-02-1402.csv`.
    pub fn file_name(&self) -> String {
        format!("reports-{}.{}", self.about.now.strftime("%Y-%m-%d-%H%M"), self.format.extension())
    }

    /// Writes the rows. Buffers and flushes by itself.
    pub fn write<'r>(&self, rows: impl IntoIterator<Item = &'r Report>, out: &mut impl Write) -> io::Result<()> {
        let fields = ExportField::of(self.columns);
        let mut out = io::BufWriter::new(out);
        let rows = rows.into_iter();
        match self.format {
            FileFormat::Csv => csv::write(&fields, self.around, rows, &mut out)?,
            FileFormat::Json => json::write(&fields, self.around, rows, &mut out)?,
            FileFormat::Markdown => markdown::write((&fields, self.around), &self.about, rows, &mut out)?,
            FileFormat::Html => html::write((&fields, self.around), &self.about, rows, &mut out)?,
        }
        out.flush()
    }
}
