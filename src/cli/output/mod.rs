//! Output: records, one file per format, lists page by page, and the progress line.
//!
//! JSON keeps raw values and escapes control characters; every other format prints cleaned cells.

pub mod column;
mod csv;
mod json;
mod layout;
mod markdown;
pub mod paged_list;
pub mod progress;
pub mod record;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _, Write};

use jiff::Timestamp;

use crate::cli::args::Format;
use crate::view::Characters;
use column::TableColumn;
use record::Record;
use table::TableScreen;

/// Where printed bytes go.
pub type Out = Box<dyn Write + Send>;

/// How many records a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Any number: JSON is an array.
    Many,
    /// Exactly one: JSON is one object, and people see all of it.
    One,
}

/// Prints records one after the other.
pub trait RecordPrinter: Send {
    /// Prints one, or keeps it until the end where the format must know all of them.
    fn record(&mut self, record: &Record) -> io::Result<()>;
    /// Hands on what was printed so far.
    fn flush(&mut self) -> io::Result<()>;
    /// Prints what closes the output: everything that was to be printed is there.
    fn finish(&mut self) -> io::Result<()>;
    /// Prints what was kept and closes nothing, after a failure: a JSON array stays open, so that a parser notices, and
    /// no heading stands without rows.
    fn leave_open(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Format {
    /// The format asked for, or what suits where the output goes.
    pub fn chosen(asked: Option<Self>) -> Self {
        asked.unwrap_or_else(|| if io::stdout().is_terminal() { Self::Table } else { Self::Jsonl })
    }

    /// A printer to stdout, made of these characters.
    pub fn printer(
        self,
        shape: Shape,
        columns: &'static [TableColumn],
        characters: Characters,
    ) -> Box<dyn RecordPrinter> {
        let out = Box::new(io::BufWriter::new(io::stdout()));
        let size = io::stdout().is_terminal().then(crossterm::terminal::size).and_then(Result::ok);
        // A terminal that does not know its width says 0.
        let width = size.map(|(columns, _)| usize::from(columns)).filter(|columns| *columns > 0);
        self.printer_to(shape, columns, out, TableScreen { width, characters, now: Timestamp::now() })
    }

    /// A printer to anywhere.
    fn printer_to(
        self,
        shape: Shape,
        columns: &'static [TableColumn],
        out: Out,
        screen: TableScreen,
    ) -> Box<dyn RecordPrinter> {
        match (self, shape) {
            (Self::Table, _) => Box::new(table::Table::new(shape, columns, out, screen)),
            (Self::Json, Shape::Many) => Box::new(json::List::new(out)),
            (Self::Json, Shape::One) => Box::new(json::One::new(out)),
            (Self::Jsonl, _) => Box::new(json::Lines::new(out)),
            (Self::Csv, _) => Box::new(csv::Csv::new(columns, out)),
            (Self::Markdown, _) => Box::new(markdown::Markdown::new(columns, out)),
        }
    }
}
