//! Prints records one by one, in one of the formats.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::column::TableColumn;
use super::record::Record;
use super::table::{TableScreen, TableWriter};
use crate::cli::args::Format;
use crate::cli::exit::print_note;
use crate::domain::export::csv::{as_io, escape_formula};
use crate::domain::export::markdown::escaped;
use crate::domain::text::escape_json;
use crate::view::Characters;

/// How many records a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any number: JSON is an array.
    Many,
    /// Any number, and people see all of each: JSON is an array.
    Details,
    /// Exactly one: JSON is a single object, and people see all of it.
    One,
}

/// Prints records one by one.
pub struct Printer {
    format: Format,
    shape: Shape,
    columns: Vec<TableColumn>,
    /// Whether JSON has only the fields of the columns, in their order.
    pub only_columns: bool,
    out: Box<dyn Write + Send>,
    screen: TableScreen,
    /// Whether anything was printed.
    is_begun: bool,
    /// The rows of a table, printed when all have arrived.
    rows: Vec<Record>,
}

impl Printer {
    /// Creates a printer to stdout, limited to these characters.
    pub fn to_stdout(format: Format, shape: Shape, columns: &[TableColumn], characters: Characters) -> Self {
        let size = io::stdout().is_terminal().then(crossterm::terminal::size).and_then(Result::ok);
        // A terminal that does not know its width reports 0.
        let width = size.map(|(columns, _)| usize::from(columns)).filter(|columns| *columns > 0);
        let screen = TableScreen { width, characters, clock: Timestamp::now };
        Self::new((format, shape), columns, Box::new(io::BufWriter::new(io::stdout())), screen)
    }

    /// Creates a printer to any output.
    pub(super) fn new(
        (format, shape): (Format, Shape),
        columns: &[TableColumn],
        out: Box<dyn Write + Send>,
        screen: TableScreen,
    ) -> Self {
        let columns = columns.to_vec();
        Self { format, shape, columns, only_columns: false, out, screen, is_begun: false, rows: Vec::new() }
    }

    /// Prints a record, or keeps it until the end if the format needs to know all of them.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        match (self.format, self.shape) {
            (Format::Table, Shape::Many) => self.rows.push(record.clone()),
            (Format::Table, Shape::One | Shape::Details) => {
                if self.is_begun {
                    writeln!(self.out)?;
                }
                self.table().print_whole(record)?;
            }
            (Format::Json, Shape::Many | Shape::Details) => {
                let before = if self.is_begun { ",\n" } else { "[\n" };
                write!(self.out, "{before}{}", escape_json(&serde_json::to_string(&self.json(record))?))?;
            }
            (Format::Json, Shape::One) => {
                let text = serde_json::to_string_pretty(&self.json(record))?;
                writeln!(self.out, "{}", escape_json(&text))?;
            }
            (Format::Jsonl, _) => writeln!(self.out, "{}", escape_json(&serde_json::to_string(&self.json(record))?))?,
            (Format::Csv | Format::Markdown, _) => {
                self.begin()?;
                let columns = self.columns.clone();
                self.print_cells(columns.iter().map(|column| record.cell(column.name)))?;
            }
        }
        self.is_begun = true;
        Ok(())
    }

    fn json<'r>(&self, record: &'r Record) -> Cow<'r, Value> {
        if !self.only_columns {
            return Cow::Borrowed(&record.json);
        }
        let field = |column: &TableColumn| (column.name.to_owned(), record.json[column.name].clone());
        Cow::Owned(self.columns.iter().map(field).collect::<Map<_, _>>().into())
    }

    /// Prints the header of CSV or Markdown, once.
    fn begin(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_begun, true) {
            let columns = self.columns.clone();
            self.print_cells(columns.iter().map(|column| Cow::Borrowed(column.name)))?;
            if self.format == Format::Markdown {
                writeln!(self.out, "|{}", " --- |".repeat(columns.len()))?;
            }
        }
        Ok(())
    }

    /// Prints a line of CSV or Markdown.
    fn print_cells<'c>(&mut self, cells: impl Iterator<Item = Cow<'c, str>>) -> io::Result<()> {
        if self.format == Format::Markdown {
            let cells: Vec<String> = cells.map(|cell| escaped(&cell)).collect();
            return writeln!(self.out, "| {} |", cells.join(" | "));
        }
        let mut line = csv::Writer::from_writer(Vec::new());
        line.write_record(cells.map(|cell| escape_formula(&cell).into_owned())).map_err(as_io)?;
        self.out.write_all(&line.into_inner().map_err(csv::IntoInnerError::into_error)?)
    }

    fn print_rows(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.table().print_rows(&rows)
    }

    fn table(&mut self) -> TableWriter<'_> {
        TableWriter { columns: &self.columns, screen: self.screen, out: &mut self.out }
    }

    /// Flushes what was printed so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends a complete output, printing what closes it.
    pub fn finish(&mut self) -> io::Result<()> {
        match (self.format, self.shape) {
            (Format::Table, _) => self.print_rows()?,
            (Format::Json, Shape::Many | Shape::Details) => {
                self.out.write_all(if self.is_begun { b"\n]\n" } else { b"[]\n" })?;
            }
            (Format::Json, Shape::One) | (Format::Jsonl, _) => {}
            (Format::Csv | Format::Markdown, _) => self.begin()?,
        }
        self.out.flush()
    }

    /// Prints what was buffered without closing the output, after a failure: a JSON array stays open, so that parsers
    /// notice, and no header is printed without rows.
    pub fn leave_open(&mut self) -> io::Result<()> {
        self.print_rows()?;
        self.out.flush()
    }
}

/// Notes on a terminal that a list is empty.
pub fn note_empty_list(what: &str) {
    if io::stdout().is_terminal() {
        print_note(&format!("note: there are no {what}"));
    }
}
