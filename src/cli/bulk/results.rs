//! The results of a bulk command: printed and counted.
//!
//! JSON lines are printed as reports finish; a format that is one document in the order of the arguments, so
//! that two of them can be compared.

use std::collections::BTreeMap;

use crate::cli::args::Format;
use crate::cli::exit::{self, CommandError, FailedItem, say};
use crate::cli::output::RecordPrinter;
use crate::cli::output::progress::Progress;
use crate::cli::output::record::Record;
use crate::domain::failure::{Failure, FailureKind};

/// The order of printed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultOrder {
    /// As they finish.
    AsTheyEnd,
    /// As they were given.
    AsGiven,
}

impl From<Format> for ResultOrder {
    fn from(format: Format) -> Self {
        match format {
            Format::Jsonl => Self::AsTheyEnd,
            Format::Table | Format::Json | Format::Csv | Format::Markdown => Self::AsGiven,
        }
    }
}

/// The results so far.
pub struct BulkResults<'a> {
    printer: &'a mut dyn RecordPrinter,
    order: ResultOrder,
    progress: Progress,
    /// The number of items.
    of: usize,
    /// Finished before their turn to be printed; `None` for failures.
    early: BTreeMap<usize, Option<Record>>,
    /// The index to print next.
    turn: usize,
    failures: Vec<FailedItem>,
    done: usize,
    /// The ids that were not sent.
    unsent: Vec<String>,
    /// Stdout cannot be written any more.
    broken: Option<CommandError>,
}

impl<'a> BulkResults<'a> {
    /// No results yet, of this many items.
    pub fn new(printer: &'a mut dyn RecordPrinter, order: ResultOrder, of: usize) -> Self {
        Self {
            printer,
            order,
            progress: Progress::of_steps(of),
            of,
            early: BTreeMap::new(),
            turn: 0,
            failures: Vec::new(),
            done: 0,
            unsent: Vec::new(),
            broken: None,
        }
    }

    /// The number of finished items.
    pub fn ended(&self) -> usize {
        self.done + self.failures.len()
    }

    /// Whether results can no longer be printed.
    pub fn are_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Takes the result of an item.
    pub fn took(&mut self, at: usize, name: &str, came: Result<Record, Failure>) {
        let record = match came {
            Ok(record) => {
                self.done += 1;
                Some(record)
            }
            Err(failure) => {
                // A single failure is printed at the end.
                if self.of > 1 {
                    exit::tell_failure(&format!("{name}: "), &failure);
                }
                self.failures.push(FailedItem { item: name.to_owned(), failure });
                None
            }
        };
        match self.order {
            ResultOrder::AsTheyEnd => self.print(record.as_ref()),
            ResultOrder::AsGiven => {
                self.early.insert(at, record);
                while let Some(record) = self.early.remove(&self.turn) {
                    self.turn += 1;
                    self.print(record.as_ref());
                }
            }
        }
    }

    fn print(&mut self, record: Option<&Record>) {
        let Some(record) = record.filter(|_| self.broken.is_none()) else { return };
        let printed = self.printer.record(record).and_then(|()| self.printer.flush());
        self.broken = printed.err().map(CommandError::from);
    }

    /// Prints a note.
    pub fn note(&mut self, text: &str) {
        self.progress.clear();
        say(&format!("note: {text}"));
    }

    /// Updates the progress line.
    pub fn show(&mut self, doing: &str) {
        let failed = match self.failures.len() {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        self.progress.show(format!("{doing} {}/{}{failed}", self.ended(), self.of));
    }

    /// Clears the progress line.
    pub fn clear(&mut self) {
        self.progress.clear();
    }

    /// Items that were not tried after this failure.
    pub fn would_fail_alike(&mut self, failure: &Failure, untried: Vec<String>) {
        let why = match failure.kind {
            FailureKind::Unauthorised => "the key would be refused again",
            FailureKind::Forbidden
            | FailureKind::NotFound
            | FailureKind::WrongAddress
            | FailureKind::Invalid
            | FailureKind::RateLimited
            | FailureKind::Service
            | FailureKind::Unreadable
            | FailureKind::TooLarge
            | FailureKind::Unreachable
            | FailureKind::TimedOut
            | FailureKind::Local => "the same would happen to them",
        };
        self.note(&format!("{} more were not tried, {why}", untried.len()));
        let failed = untried.into_iter().map(|item| FailedItem { item, failure: failure.clone() });
        self.failures.extend(failed);
    }

    /// Items that were not sent because the command was interrupted.
    pub fn were_not_sent(&mut self, untried: Vec<String>) {
        self.unsent = untried;
    }

    /// Closes the output and returns the result of the command.
    pub fn finish(mut self) -> Result<(), CommandError> {
        // Items that were never tried no longer hold up the rest.
        for record in std::mem::take(&mut self.early).values() {
            self.print(record.as_ref());
        }
        if self.broken.is_none() {
            // If nothing was done, not even an empty list is printed.
            let closed = if self.done > 0 { self.printer.finish() } else { self.printer.leave_open() };
            self.broken = closed.err().map(CommandError::from);
        }
        let ended = CommandError::of_many(self.failures, self.unsent, self.of);
        match self.broken {
            // A closed stdout is no error unless something was left undone.
            Some(CommandError::Closed) if ended.is_err() => ended,
            Some(broken) => Err(broken),
            None => ended,
        }
    }
}
