//! Aligned columns for people; one record is shown with all its checks, what is wrong first.
//!
//! Widths are counted in cells. Must not print anything that was not cleaned.

use std::io::{self, Write as _};

use comfy_table::ContentArrangement;
use comfy_table::presets::NOTHING;

use super::record::{CheckLine, Record};
use super::{Out, Print, Shape};
use crate::domain::check::CheckOutcome;
use crate::domain::text::wrap;
use crate::view::theme::check_shape;

/// Lines of a report stay readable: no longer than this, and no longer than the terminal is wide.
const WIDEST_TEXT: u16 = 100;

/// A table, printed when all its rows are there.
pub(super) struct Table {
    shape: Shape,
    columns: &'static [&'static str],
    out: Out,
    width: Option<u16>,
    records: Vec<Record>,
}

impl Table {
    pub(super) fn new(shape: Shape, columns: &'static [&'static str], out: Out, width: Option<u16>) -> Self {
        Self { shape, columns, out, width, records: Vec::new() }
    }

    fn rows(&mut self) -> io::Result<()> {
        if self.records.is_empty() {
            return Ok(());
        }
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING).set_header(self.columns.iter().map(|column| column.to_uppercase()));
        match self.width {
            Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
            None => table.set_content_arrangement(ContentArrangement::Disabled),
        };
        table.add_rows(self.records.drain(..).map(|record| record.cells));
        for line in table.lines() {
            writeln!(self.out, "{}", line.trim())?;
        }
        Ok(())
    }

    fn whole(&mut self, record: &Record) -> io::Result<()> {
        let widest = self.columns.iter().map(|column| column.len()).max().unwrap_or_default();
        for (column, cell) in self.columns.iter().zip(&record.cells).filter(|(_, cell)| !cell.is_empty()) {
            writeln!(self.out, "{column:widest$}  {cell}")?;
        }
        let (telling, silent): (Vec<_>, Vec<_>) = record.checks.iter().partition(|check| tells(check));
        for check in telling {
            self.check(check)?;
        }
        let count = |outcome| silent.iter().filter(|check| check.outcome == outcome).count();
        if !record.checks.is_empty() {
            let passed = count(CheckOutcome::Passed);
            writeln!(self.out, "\n{passed} passed, {} not applicable", count(CheckOutcome::NotApplicable))?;
        }
        Ok(())
    }

    fn check(&mut self, check: &CheckLine) -> io::Result<()> {
        let heading = format!("{} {}  {}", check_shape(check.outcome), check.id, check.importance);
        writeln!(self.out, "\n{}", heading.trim_end())?;
        let cells = usize::from(self.width.unwrap_or(WIDEST_TEXT).min(WIDEST_TEXT)).saturating_sub(6);
        for error in &check.errors {
            for line in wrap(error, cells) {
                writeln!(self.out, "    {line}")?;
            }
        }
        if !check.remedy.is_empty() {
            for (at, line) in wrap(check.remedy, cells).into_iter().enumerate() {
                writeln!(self.out, "  {} {line}", if at == 0 { "→" } else { " " })?;
            }
        }
        Ok(())
    }
}

fn tells(check: &CheckLine) -> bool {
    matches!(check.outcome, CheckOutcome::Failed | CheckOutcome::Note)
}

impl Print for Table {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        match self.shape {
            Shape::Many => self.records.push(record.clone()),
            Shape::One => self.whole(record)?,
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.rows()?;
        self.out.flush()
    }

    fn leave_open(&mut self) -> io::Result<()> {
        self.finish()
    }
}
