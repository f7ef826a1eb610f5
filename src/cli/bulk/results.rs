//! Prints and counts the results of a bulk command.

use std::collections::BTreeMap;

use crate::cli::args::Format;
use crate::cli::exit::{self, CommandError, FailedItem, print_note};
use crate::cli::output::Printer;
use crate::cli::output::progress::Progress;
use crate::cli::output::record::Record;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::text::numbers::grouped;

/// The most concurrent requests. Audits take seconds, and services limit requests.
const AT_ONCE: usize = 3;

/// How a bulk command sends requests and prints results.
#[derive(Debug, Clone, Copy)]
pub struct BulkCommand {
    /// The verb of the progress line, such as `re-running`.
    pub doing: &'static str,
    /// The most requests in flight.
    pub at_once: usize,
    /// The order of printed results.
    pub order: ResultOrder,
    /// Whether requests change data, so that an interrupt waits for replies in flight.
    pub is_write: bool,
    /// Whether items that are left when the reader of stdout ends make the command fail.
    pub needs_all: bool,
}

impl BulkCommand {
    /// Returns a command that only reads.
    pub fn read(doing: &'static str) -> Self {
        Self { doing, at_once: AT_ONCE, order: ResultOrder::InTurn, is_write: false, needs_all: false }
    }

    /// Returns a command that changes data.
    pub fn write(doing: &'static str, order: ResultOrder) -> Self {
        Self { doing, at_once: AT_ONCE, order, is_write: true, needs_all: true }
    }
}

/// The result of one request.
pub enum ItemResult {
    /// The item is finished. An audit of an unreachable page has both a record and a failure.
    Finished { record: Option<Record>, failure: Option<Failure> },
    /// The service refused the request, and nothing was done. Items refused by a rate limit are sent again.
    Refused(Failure),
}

impl From<Result<Record, Failure>> for ItemResult {
    fn from(result: Result<Record, Failure>) -> Self {
        match result {
            Ok(record) => Self::Finished { record: Some(record), failure: None },
            Err(failure) => Self::Refused(failure),
        }
    }
}

/// The order of printed results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultOrder {
    /// In the order they finish.
    AsTheyEnd,
    /// In the order of the items, however many results that holds back.
    AsGiven,
    /// In the order of the items; a held-back result counts as a request in flight.
    InTurn,
}

impl From<Format> for ResultOrder {
    /// JSON lines are printed as items finish; other formats in the order of the items, so that two outputs can be
    /// compared.
    fn from(format: Format) -> Self {
        match format {
            Format::Jsonl => Self::AsTheyEnd,
            Format::Table | Format::Json | Format::Csv | Format::Markdown => Self::AsGiven,
        }
    }
}

/// The results so far. Items are identified by their index.
pub(super) struct BulkResults<'a> {
    command: BulkCommand,
    items: &'a [String],
    printer: Printer,
    pub(super) progress: Progress,
    /// Results waiting for their turn to be printed; `None` for failures.
    early: BTreeMap<usize, Option<Record>>,
    /// The index of the next result to print.
    turn: usize,
    ended: usize,
    records: usize,
    failures: BTreeMap<usize, Failure>,
    /// Why stdout can no longer be written.
    pub(super) broken: Option<CommandError>,
}

impl<'a> BulkResults<'a> {
    pub(super) fn new(command: BulkCommand, items: &'a [String], printer: Printer) -> Self {
        Self {
            command,
            items,
            printer,
            progress: Progress::of_steps(items.len()),
            early: BTreeMap::new(),
            turn: 0,
            ended: 0,
            records: 0,
            failures: BTreeMap::new(),
            broken: None,
        }
    }

    /// Returns how many results count as requests in flight until printed.
    pub(super) fn held_back(&self) -> usize {
        if self.command.order == ResultOrder::InTurn { self.early.len() } else { 0 }
    }

    /// Adds the result of an item.
    pub(super) fn add(&mut self, at: usize, record: Option<Record>, failure: Option<Failure>) {
        self.ended += 1;
        self.records += usize::from(record.is_some());
        if let Some(failure) = failure {
            // A single failure is printed at the end.
            if self.items.len() > 1 {
                exit::notify_failure(&format!("{}: ", self.items[at]), &failure);
            }
            self.failures.insert(at, failure);
        }
        if self.command.order == ResultOrder::AsTheyEnd {
            return self.print(record.as_ref());
        }
        self.early.insert(at, record);
        while let Some(record) = self.early.remove(&self.turn) {
            self.turn += 1;
            self.print(record.as_ref());
        }
    }

    fn print(&mut self, record: Option<&Record>) {
        let Some(record) = record.filter(|_| self.broken.is_none()) else { return };
        let printed = self.printer.record(record).and_then(|()| self.printer.flush());
        self.broken = printed.err().map(CommandError::from);
    }

    /// Prints a note.
    pub(super) fn note(&mut self, text: &str) {
        self.progress.clear();
        print_note(&format!("note: {text}"));
    }

    /// Updates the progress line.
    pub(super) fn show_progress(&mut self) {
        let [ended, all, failed] =
            [self.ended, self.items.len(), self.failures.len()].map(|count| grouped(count as u64));
        let failed = if self.failures.is_empty() { String::new() } else { format!(", {failed} failed") };
        self.progress.show(format!("{} {ended}/{all}{failed}", self.command.doing));
    }

    /// Adds items that were not tried after this failure.
    pub(super) fn add_untried(&mut self, failure: &Failure, untried: Vec<usize>) {
        let why = match failure.kind {
            FailureKind::Unauthorised => "the key would be refused again",
            FailureKind::Unreachable | FailureKind::WrongAddress | FailureKind::RateLimited => {
                "they would fail in the same way"
            }
            FailureKind::Forbidden
            | FailureKind::NotFound
            | FailureKind::Invalid
            | FailureKind::Service
            | FailureKind::Unreadable
            | FailureKind::TooLarge
            | FailureKind::TimedOut
            | FailureKind::Local => "too many failed in a row",
        };
        self.note(&format!("{} more not tried: {why}", grouped(untried.len() as u64)));
        self.failures.extend(untried.into_iter().map(|at| (at, failure.clone())));
    }

    /// Closes the output and returns the result of the command. `unsent` are the items that were not sent because it was
    /// stopped.
    pub(super) fn finish(mut self, unsent: Vec<usize>) -> Result<(), CommandError> {
        // Items without a result no longer hold back the rest.
        for record in std::mem::take(&mut self.early).values() {
            self.print(record.as_ref());
        }
        if self.broken.is_none() {
            // If nothing was done, not even an empty list is printed.
            let is_list = self.records > 0 || self.items.is_empty();
            let closed = if is_list { self.printer.finish() } else { self.printer.leave_open() };
            self.broken = closed.err().map(CommandError::from);
        }
        let name = |at: usize| self.items[at].clone();
        let failures = self.failures.into_iter().map(|(at, failure)| FailedItem { item: name(at), failure });
        let is_enough = matches!(self.broken, Some(CommandError::Closed)) && !self.command.needs_all;
        let unsent = unsent.into_iter().filter(|_| !is_enough).map(name);
        let ended = CommandError::of_many(failures.collect(), unsent.collect(), self.items.len());
        match self.broken {
            // What was left undone matters more than why: scripts repeat it. A closed stdout says nothing.
            Some(broken) if ended.is_err() => {
                exit::print_error(&broken);
                ended
            }
            Some(broken) => Err(broken),
            None => ended,
        }
    }
}
