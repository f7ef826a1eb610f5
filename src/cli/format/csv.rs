//! CSV with a heading. No value can become a formula in a spreadsheet.
//!
//! Must not know what the columns mean.

use std::borrow::Cow;
use std::io;

use super::record::Record;
use super::{Out, Print};
use crate::domain::export::csv::{as_io, harmless};

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
