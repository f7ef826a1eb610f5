//! Prints selected columns, in the requested order; in JSON they are the fields.

use std::io;

use serde_json::{Map, Value};

use super::column::TableColumn;
use super::printer::RecordPrinter;
use super::record::Record;

/// Passes records with only these columns to another printer.
pub struct ChosenColumns {
    printer: Box<dyn RecordPrinter>,
    /// Each column's index in a record, and its name.
    columns: Vec<(usize, &'static str)>,
}

impl ChosenColumns {
    /// Creates an adapter to a `printer` of the `chosen` columns.
    pub fn new(printer: Box<dyn RecordPrinter>, all: &[TableColumn], chosen: &[TableColumn]) -> Self {
        let place = |column: &TableColumn| all.iter().position(|other| other == column);
        let columns = chosen.iter().filter_map(|column| Some((place(column)?, column.name))).collect();
        Self { printer, columns }
    }
}

impl RecordPrinter for ChosenColumns {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        let field = |name: &str| record.json.get(name).cloned().unwrap_or(Value::Null);
        let json: Map<String, Value> = self.columns.iter().map(|(_, name)| ((*name).to_owned(), field(name))).collect();
        let cells = self.columns.iter().filter_map(|(place, _)| record.cells.get(*place).cloned()).collect();
        self.printer.record(&Record { json: json.into(), cells, reason: None, checks: Vec::new() })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.printer.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.printer.finish()
    }

    fn leave_open(&mut self) -> io::Result<()> {
        self.printer.leave_open()
    }
}
