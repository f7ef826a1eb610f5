//! CSV with a heading. No value can become a formula in a spreadsheet.
//!
//! Must not know what the columns mean.

use std::borrow::Cow;
use std::io;

use super::record::Record;
use super::{Out, Print};

/// A spreadsheet takes what begins so for a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Comma-separated values.
pub(super) struct Csv {
    columns: &'static [&'static str],
    writer: csv::Writer<Out>,
    begun: bool,
}

impl Csv {
    pub(super) fn new(columns: &'static [&'static str], out: Out) -> Self {
        Self { columns, writer: csv::Writer::from_writer(out), begun: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.writer.write_record(self.columns).map_err(as_io)?;
        }
        Ok(())
    }
}

impl Print for Csv {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let cells = record.cells.iter().map(|cell| harmless(cell));
        self.writer.write_record(cells.map(Cow::into_owned)).map_err(as_io)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.writer.flush()
    }
}

/// The error beneath, whose kind says whether the reader has gone; the library's own conversion hides it.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn harmless(cell: &str) -> Cow<'_, str> {
    if cell.trim_start().starts_with(FORMULA_STARTS) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}
