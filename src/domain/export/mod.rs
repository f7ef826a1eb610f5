//! Exports reports as files: the chosen columns, then state, notes and the previous result, all values in full.
//!
//! Rows are streamed, never collected. Values are sanitised texts; JSON keeps raw values and escapes control
//! characters.

pub mod csv;
mod field;
mod formats;
mod html;
pub mod json;
pub mod markdown;
pub mod request;
pub mod tabs;
#[cfg(test)]
mod tests;
pub mod whole;

use std::io::{self, Write};

use field::ExportField;
use request::ExportRequest;

pub use formats::{FileFormat, time_text};

/// Writes the rows of a request, buffered, and flushes. Returns the number of columns; `None` for JSON.
pub fn write(request: &ExportRequest, format: FileFormat, out: &mut impl Write) -> io::Result<Option<usize>> {
    let fields = match format {
        FileFormat::Csv => ExportField::for_programs(&request.columns),
        FileFormat::Json => ExportField::of(&request.columns),
        FileFormat::Markdown | FileFormat::Html => ExportField::for_people_in(request),
    };
    let mut out = io::BufWriter::new(out);
    match format {
        FileFormat::Csv => csv::write(&fields, request, &mut out)?,
        FileFormat::Json => json::write(&fields, request, &mut out)?,
        FileFormat::Markdown => markdown::write(&fields, request, &mut out)?,
        FileFormat::Html => html::write(&fields, request, &mut out)?,
    }
    out.flush()?;
    Ok((format != FileFormat::Json).then_some(fields.len()))
}
