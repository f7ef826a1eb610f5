//! Output: records, one file per format, page-by-page lists, and the progress line.
//!
//! JSON keeps raw values and escapes control characters; every other format prints cleaned cells.

mod chosen_columns;
pub mod column;
mod csv;
mod json;
mod layout;
mod markdown;
pub mod paged_list;
mod printer;
pub mod progress;
pub mod record;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _};

use jiff::Timestamp;

use crate::cli::args::Format;
use crate::view::Characters;
use column::TableColumn;
use table::TableScreen;

pub use chosen_columns::ChosenColumns;
pub use printer::{Out, RecordPrinter, Shape};

impl Format {
    /// Returns the requested format, or the default: a table on a terminal, JSON lines elsewhere.
    pub fn chosen(asked: Option<Self>) -> Self {
        asked.unwrap_or_else(|| if io::stdout().is_terminal() { Self::Table } else { Self::Jsonl })
    }

    /// Creates a printer to stdout, limited to these characters.
    pub fn printer(self, shape: Shape, columns: Vec<TableColumn>, characters: Characters) -> Box<dyn RecordPrinter> {
        let out = Box::new(io::BufWriter::new(io::stdout()));
        let size = io::stdout().is_terminal().then(crossterm::terminal::size).and_then(Result::ok);
        // A terminal that does not know its width reports 0.
        let width = size.map(|(columns, _)| usize::from(columns)).filter(|columns| *columns > 0);
        self.printer_to(shape, columns, out, TableScreen { width, characters, now: Timestamp::now() })
    }

    /// Creates a printer to any output.
    fn printer_to(
        self,
        shape: Shape,
        columns: Vec<TableColumn>,
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
