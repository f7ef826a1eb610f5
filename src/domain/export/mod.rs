//! Exports reports as files: the chosen columns, then state, notes and the previous result, all values in full.
//!
//! Rows are streamed, never collected. Values are sanitised texts; JSON keeps raw values and escapes control
//! characters.

pub mod request;

pub mod csv;
mod field;
mod html;
mod info;
pub mod json;
pub mod markdown;
pub mod tabs;
#[cfg(test)]
mod tests;
pub mod whole;

use std::io::{self, Write};

use crate::domain::list::columns::Column;
use crate::domain::report::Report;
use crate::domain::triage::urgency::RowContext;
use field::ExportField;

pub use info::{ExportInfo, FileFormat, time_text};

/// An export, ready to be written.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The file format.
    pub format: FileFormat,
    /// The columns on the screen, in their order.
    pub columns: &'a [Column],
    /// The description of the rows.
    pub about: ExportInfo<'a>,
    /// Context of the rows; in JSON, its explanations fill in what the service leaves out about checks.
    pub around: &'a RowContext,
}

impl Export<'_> {
    /// Proposes a file name: `reports-2026-01-02-1402.csv`.
    pub fn file_name(&self) -> String {
        format!("reports-{}.{}", self.about.now.strftime("%Y-%m-%d-%H%M"), self.format.extension())
    }

    /// Writes the rows, buffered, and flushes. Returns the number of columns; `None` for JSON.
    pub fn write<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Report, IntoIter: Clone>,
        out: &mut impl Write,
    ) -> io::Result<Option<usize>> {
        let rows = rows.into_iter();
        let fields = match self.format {
            FileFormat::Csv => ExportField::for_programs(self.columns),
            FileFormat::Json => ExportField::of(self.columns),
            FileFormat::Markdown | FileFormat::Html => ExportField::for_people_in(self.columns, &rows, self.around),
        };
        let mut out = io::BufWriter::new(out);
        match self.format {
            FileFormat::Csv => csv::write(&fields, self.around, rows, &mut out)?,
            FileFormat::Json => json::write(&fields, self.around, rows, &mut out)?,
            FileFormat::Markdown => markdown::write((&fields, self.around), &self.about, rows, &mut out)?,
            FileFormat::Html => html::write((&fields, self.around), &self.about, rows, &mut out)?,
        }
        out.flush()?;
        Ok((self.format != FileFormat::Json).then_some(fields.len()))
    }
}
