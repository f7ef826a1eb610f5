//! Aligned columns for people; a single record with all its checks, failed ones first.
//!
//! On a terminal, rows are no wider than the terminal, and times are relative. Widths are in cells.

use std::borrow::Cow;
use std::io::{self, Write};

use jiff::Timestamp;

use super::column::{Fit, TableColumn};
use super::layout::{FittedColumn, GAP, fitted};
use super::record::{CheckLine, Record};
use crate::domain::report::check::CheckOutcome;
use crate::domain::text::age::relative;
use crate::domain::text::{fit, fit_middle, width, wrap};
use crate::view::Characters;
use crate::view::theme::check_shape;

/// The longest text line of a report, in cells.
const WIDEST_TEXT: usize = 100;
/// The indentation of lines below a row.
const INDENT: usize = 4;

/// The terminal that a table is printed on.
#[derive(Debug, Clone, Copy)]
pub struct TableScreen {
    /// The width in cells; `None` if stdout is not a terminal, so that values are not truncated.
    pub width: Option<usize>,
    pub characters: Characters,
    /// Returns the current time, for relative times.
    pub clock: fn() -> Timestamp,
}

/// Prints tables.
pub struct TableWriter<'w> {
    pub columns: &'w [TableColumn],
    pub screen: TableScreen,
    pub out: &'w mut dyn Write,
}

impl TableWriter<'_> {
    /// Prints a header and rows; nothing without rows.
    pub fn print_rows(&mut self, records: &[Record]) -> io::Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let shown = self.shown(records);
        let heading: Vec<_> = shown.iter().map(|column| vec![self.columns[column.at].name.to_uppercase()]).collect();
        self.row(&shown, &heading)?;
        for record in records {
            let cells: Vec<_> = shown.iter().map(|column| self.lines(*column, record)).collect();
            self.row(&shown, &cells)?;
            self.below(record)?;
        }
        Ok(())
    }

    /// Returns the shown columns with their widths.
    fn shown(&self, records: &[Record]) -> Vec<FittedColumn> {
        let widest = |at: usize| records.iter().map(|record| width(&self.text(record, at))).max();
        let heading = |at: usize| width(self.columns[at].name);
        let needed = |at: usize| widest(at).filter(|widest| *widest > 0).map_or(0, |widest| widest.max(heading(at)));
        let all = 0..self.columns.len();
        match self.screen.width {
            Some(room) => fitted(self.columns, &all.map(needed).collect::<Vec<_>>(), room),
            None => all.map(|at| FittedColumn { at, width: needed(at).max(heading(at)) }).collect(),
        }
    }

    /// Formats the value of a column; on a terminal, times are relative.
    fn text<'r>(&self, record: &'r Record, at: usize) -> Cow<'r, str> {
        let TableColumn { name, fit, .. } = self.columns[at];
        let text = record.cell(name);
        let is_relative = fit == Fit::Time && self.screen.width.is_some();
        text.parse().ok().filter(|_| is_relative).map_or(text, |at| relative((self.screen.clock)(), at).into())
    }

    /// Returns the lines of a value in its column.
    fn lines(&self, column: FittedColumn, record: &Record) -> Vec<String> {
        let text = self.text(record, column.at);
        if self.screen.width.is_none() {
            return vec![text.into_owned()];
        }
        match self.columns[column.at].fit {
            Fit::Whole | Fit::Time | Fit::End(_) | Fit::Below => vec![fit(&text, column.width).into_owned()],
            Fit::Middle(_) => vec![fit_middle(&text, column.width).into_owned()],
            Fit::Wrap(_) => wrap(&text, column.width),
        }
    }

    /// Prints a row, whose cells may have several lines.
    fn row(&mut self, shown: &[FittedColumn], cells: &[Vec<String>]) -> io::Result<()> {
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for at in 0..height {
            let mut line = String::new();
            for (column, lines) in shown.iter().zip(cells) {
                let text = lines.get(at).map_or("", String::as_str);
                line.push_str(text);
                line.extend(std::iter::repeat_n(' ', column.width.saturating_sub(width(text)) + GAP));
            }
            self.line(line.trim_end())?;
        }
        Ok(())
    }

    /// Prints the cells below a row, on a terminal.
    fn below(&mut self, record: &Record) -> io::Result<()> {
        let Some(room) = self.screen.width else { return Ok(()) };
        for column in self.columns.iter().filter(|column| column.fit == Fit::Below) {
            self.remedy(&record.cell(column.name), room)?;
        }
        Ok(())
    }

    /// Prints advice, with an arrow before its first line.
    fn remedy(&mut self, text: &str, room: usize) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        for (at, line) in wrap(text, room.saturating_sub(INDENT)).into_iter().enumerate() {
            self.line(&format!("  {} {line}", if at == 0 { "→" } else { " " }))?;
        }
        Ok(())
    }

    /// Prints a single record with its checks.
    pub fn print_whole(&mut self, record: &Record) -> io::Result<()> {
        let widest = self.columns.iter().map(|column| column.name.len()).max().unwrap_or_default();
        for at in 0..self.columns.len() {
            let TableColumn { name, fit, .. } = self.columns[at];
            let (text, shown) = (record.cell(name), self.text(record, at));
            let age = if fit == Fit::Time && text != shown { format!(" ({shown})") } else { String::new() };
            if !text.is_empty() {
                self.line(&format!("{name:widest$}  {text}{age}"))?;
            }
        }
        if let Some(reason) = &record.reason {
            self.line("")?;
            self.line(reason)?;
        }
        let (telling, silent): (Vec<_>, Vec<_>) = record.checks.iter().partition(|check| is_reported(check));
        for check in telling {
            self.check(check)?;
        }
        let count = |outcome| silent.iter().filter(|check| check.outcome == outcome).count();
        if !record.checks.is_empty() {
            let (passed, other) = (count(CheckOutcome::Passed), count(CheckOutcome::NotApplicable));
            self.line("")?;
            self.line(&format!("{passed} passed, {other} not applicable"))?;
        }
        Ok(())
    }

    fn check(&mut self, check: &CheckLine) -> io::Result<()> {
        let gain = if check.gain > 0 { format!("  +{}", check.gain) } else { String::new() };
        let heading = format!("{} {}  {}{gain}", check_shape(check.outcome), check.id, check.importance);
        self.line("")?;
        self.line(heading.trim_end())?;
        let room = self.screen.width.unwrap_or(WIDEST_TEXT).min(WIDEST_TEXT);
        for (depth, error) in &check.errors {
            self.indented(error, INDENT + 2 * depth, room)?;
        }
        if !check.value.is_empty() {
            self.indented(&format!("value: {}", check.value), INDENT, room)?;
        }
        self.remedy(check.remedy, room)?;
        if !check.passes_when.is_empty() {
            self.indented(&format!("passes when: {}", check.passes_when), INDENT, room)?;
        }
        Ok(())
    }

    /// Prints wrapped text indented by this many spaces.
    fn indented(&mut self, text: &str, indent: usize, room: usize) -> io::Result<()> {
        for line in wrap(text, room.saturating_sub(indent)) {
            self.line(&format!("{:indent$}{line}", ""))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.screen.characters.text(line))
    }
}

fn is_reported(check: &CheckLine) -> bool {
    matches!(check.outcome, CheckOutcome::Failed | CheckOutcome::Note)
}
