//! What came of each of many: printed, told, counted.
//!
//! JSON lines are printed as reports end; where the whole is one document, in the order in which they were given, so
//! that two of them can be compared. Must not know how anything is sent.

use std::collections::BTreeMap;

use crate::cli::args::Format;
use crate::cli::exit::{self, CommandError, FailedItem, say};
use crate::cli::output::RecordPrinter;
use crate::cli::output::progress::Progress;
use crate::cli::output::record::Record;
use crate::domain::failure::{Failure, FailureKind};

/// In which order results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultOrder {
    /// As they end.
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
    /// How many things are done.
    of: usize,
    /// Ended before their turn to be printed; nothing is printed for what failed.
    early: BTreeMap<usize, Option<Record>>,
    /// Whose turn it is.
    turn: usize,
    failures: Vec<FailedItem>,
    done: usize,
    /// The ids that were not sent.
    unsent: Vec<String>,
    /// The output cannot be written any more.
    broken: Option<CommandError>,
}

impl<'a> BulkResults<'a> {
    /// No results yet, of so many.
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

    /// How many have ended.
    pub fn ended(&self) -> usize {
        self.done + self.failures.len()
    }

    /// Nobody can be told any more what came of them.
    pub fn are_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Takes what came of one.
    pub fn took(&mut self, at: usize, name: &str, came: Result<Record, Failure>) {
        let record = match came {
            Ok(record) => {
                self.done += 1;
                Some(record)
            }
            Err(failure) => {
                // The only one is told at the end.
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

    /// Something worth knowing that is no failure.
    pub fn note(&mut self, text: &str) {
        self.progress.clear();
        say(&format!("note: {text}"));
    }

    /// Says how far it is, where somebody looks.
    pub fn show(&mut self, doing: &str) {
        let failed = match self.failures.len() {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        self.progress.show(format!("{doing} {}/{}{failed}", self.ended(), self.of));
    }

    /// Makes room for what is said next.
    pub fn clear(&mut self) {
        self.progress.clear();
    }

    /// These were not tried after this failure: no storm of requests.
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

    /// These were not sent, because the command was interrupted.
    pub fn were_not_sent(&mut self, untried: Vec<String>) {
        self.unsent = untried;
    }

    /// Closes the output and says how it all ended.
    pub fn finish(mut self) -> Result<(), CommandError> {
        // Those that were never tried hold up the rest no longer.
        for record in std::mem::take(&mut self.early).values() {
            self.print(record.as_ref());
        }
        if self.broken.is_none() {
            // Where nothing was done, not even an empty list is printed.
            let closed = if self.done > 0 { self.printer.finish() } else { self.printer.leave_open() };
            self.broken = closed.err().map(CommandError::from);
        }
        let ended = CommandError::of_many(self.failures, self.unsent, self.of);
        match self.broken {
            // That nobody reads on is no error, unless something was left undone.
            Some(CommandError::Closed) if ended.is_err() => ended,
            Some(broken) => Err(broken),
            None => ended,
        }
    }
}
