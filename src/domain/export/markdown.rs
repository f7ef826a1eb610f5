//! A Markdown table under a heading. No value can break out of its cell or become markup.

use std::io::{self, Write};

use super::field::ExportField;
use super::request::ExportRequest;

/// Escapes a cell so that no character acts as markup.
pub fn escaped(cell: &str) -> String {
    let mut escaped = String::with_capacity(cell.len());
    for character in cell.chars() {
        match character {
            '\\' | '|' | '`' | '[' | ']' | '*' => escaped.extend(['\\', character]),
            '<' => escaped.push_str("&lt;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

pub(super) fn write(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# {}\n\n{}\n", escaped(&request.heading()), escaped(&request.sentence()))?;
    write_row(out, fields.iter().map(|field| field.title().to_owned()))?;
    write_row(out, fields.iter().map(|field| if field.is_number() { "---:" } else { "---" }.to_owned()))?;
    for report in request.reports() {
        write_row(out, fields.iter().map(|field| escaped(&field.for_people(report, &request.around))))?;
    }
    Ok(())
}

fn write_row(out: &mut impl Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
    for cell in cells {
        write!(out, "| {cell} ")?;
    }
    writeln!(out, "|")
}
