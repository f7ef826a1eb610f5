//! CSV with a header line. Formulas are escaped.

use std::io;

use super::column::TableColumn;
use super::printer::{Out, RecordPrinter};
use super::record::Record;
use crate::domain::export::csv::{as_io, escape_formula};

/// Comma-separated values.
pub struct Csv {
    columns: Vec<TableColumn>,
    writer: csv::Writer<Out>,
    begun: bool,
}

impl Csv {
    pub fn new(columns: Vec<TableColumn>, out: Out) -> Self {
        Self { columns, writer: csv::Writer::from_writer(out), begun: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.writer.write_record(self.columns.iter().map(|column| column.name)).map_err(as_io)?;
        }
        Ok(())
    }
}

impl RecordPrinter for Csv {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let cells = record.cells.iter().take(self.columns.len()).map(|cell| escape_formula(&cell.exact()).into_owned());
        self.writer.write_record(cells).map_err(as_io)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.writer.flush()
    }
}
