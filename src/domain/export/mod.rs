//! Exports reports as a file: the chosen columns, then state, notes and the former result, every value whole.
//!
//! Rows are written one by one and never collected. Values are the cleaned copies of texts; JSON keeps raw values and
//! escapes control characters.

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
use crate::domain::triage::priority::RowContext;
use field::ExportField;

pub use info::{ExportInfo, FileFormat, time_text};

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

    /// Writes the rows. Buffers and flushes by itself. Returns the number of columns; JSON has none.
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
