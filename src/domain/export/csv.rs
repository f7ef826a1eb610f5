//! CSV as RFC 4180 quotes it, with a heading. No value can become a formula in a spreadsheet.
//!
//! No byte order mark stands before it: scripts would take it for a part of the first heading.

use std::borrow::Cow;
use std::io::{self, Write};

use super::field::ExportField;
use crate::domain::report::Report;
use crate::domain::triage::priority::RowContext;

/// A spreadsheet takes what begins so for a formula; some take the wide forms too.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// The cell with an apostrophe before it where a spreadsheet would calculate it.
pub fn harmless(cell: &str) -> Cow<'_, str> {
    let begins = cell.starts_with(FORMULA_STARTS) || cell.trim_start().starts_with(FORMULA_STARTS);
    if begins { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// The error beneath, whose kind says whether the reader has gone; the library's own conversion hides it.
pub fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

pub(super) fn write<'r>(
    fields: &[ExportField],
    around: &RowContext,
    rows: impl Iterator<Item = &'r Report>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(fields.iter().map(|field| field.name())).map_err(as_io)?;
    for report in rows {
        for field in fields {
            writer.write_field(harmless(&field.text(report, around)).as_bytes()).map_err(as_io)?;
        }
        writer.write_record(None::<&[u8]>).map_err(as_io)?;
    }
    writer.flush()
}
