//! CSV quoted as in RFC 4180, with a header row. No value can become a formula in a spreadsheet.
//!
//! There is no byte order mark: scripts would read it as part of the first header.

use std::borrow::Cow;
use std::io::{self, Write};

use super::field::ExportField;
use super::request::ExportRequest;

/// Initial characters that make spreadsheets treat a cell as a formula; some accept the full-width forms too.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Prefixes the cell with an apostrophe if a spreadsheet would evaluate it.
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    let begins = cell.starts_with(FORMULA_STARTS) || cell.trim_start().starts_with(FORMULA_STARTS);
    if begins { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// Unwraps the underlying I/O error, so that callers can recognise a broken pipe by its kind; the `csv` crate's own
/// conversion hides it.
pub fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

pub(super) fn write(fields: &[ExportField], request: &ExportRequest, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(fields.iter().map(|field| field.name())).map_err(as_io)?;
    for report in request.reports() {
        for field in fields {
            writer.write_field(escape_formula(&field.text(report, &request.around)).as_bytes()).map_err(as_io)?;
        }
        writer.write_record(None::<&[u8]>).map_err(as_io)?;
    }
    writer.flush()
}
