//! A Markdown table. Values are escaped.

use std::io::{self, Write as _};

use super::column::TableColumn;
use super::printer::{Out, RecordPrinter};
use super::record::Record;
use crate::domain::export::markdown::escaped;

/// A Markdown table.
pub struct Markdown {
    columns: Vec<TableColumn>,
    out: Out,
    begun: bool,
}

impl Markdown {
    pub fn new(columns: Vec<TableColumn>, out: Out) -> Self {
        Self { columns, out, begun: false }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
            writeln!(self.out, "| {} |", names.join(" | "))?;
            writeln!(self.out, "|{}", " --- |".repeat(self.columns.len()))?;
        }
        Ok(())
    }
}

impl RecordPrinter for Markdown {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let cells: Vec<String> =
            record.cells.iter().take(self.columns.len()).map(|cell| escaped(&cell.exact())).collect();
        writeln!(self.out, "| {} |", cells.join(" | "))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.begin()?;
        self.out.flush()
    }
}
