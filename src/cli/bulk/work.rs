//! The state of a bulk command: its request queue, refused items, and reasons to stop.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::cli::bulk::results::{BulkCommand, BulkResults, ItemResult};
use crate::cli::exit::CommandError;
use crate::cli::output::Printer;
use crate::cli::output::record::Record;
use crate::cli::setup::access::{LONGEST_WAIT, MOST_WAITS, wait_note};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::request_queue::{QueueStep, RequestQueue};
use crate::runtime::clock::Clock;

/// A bulk command in progress. Items are identified by their index.
pub(super) struct BulkWork<'a> {
    pub(super) results: BulkResults<'a>,
    pub(super) clock: Clock,
    command: BulkCommand,
    queue: RequestQueue<usize>,
    /// Items without a final result.
    unfinished: BTreeSet<usize>,
    in_flight: BTreeSet<usize>,
    /// The refusals of items that will be sent again.
    refused: BTreeMap<usize, Failure>,
    /// The refusal after which nothing more is sent.
    given_up: Option<Failure>,
    /// Set after an interrupt, or when stdout is closed.
    is_stopping: bool,
    /// Set after the first reply.
    is_answered: bool,
    /// The number of consecutive waits.
    waits: usize,
    is_waiting: bool,
}

impl<'a> BulkWork<'a> {
    pub(super) fn new(command: BulkCommand, items: &'a [String], printer: Printer) -> Self {
        Self {
            results: BulkResults::new(command, items, printer),
            clock: Clock::default(),
            command,
            queue: RequestQueue::new(command.at_once, 0..items.len()),
            unfinished: (0..items.len()).collect(),
            in_flight: BTreeSet::new(),
            refused: BTreeMap::new(),
            given_up: None,
            is_stopping: false,
            is_answered: false,
            waits: 0,
            is_waiting: false,
        }
    }

    /// Returns the next step of the queue.
    pub(super) fn next(&mut self) -> QueueStep<usize> {
        // The first item is sent alone, so that a refused key or wrong address costs only one request.
        let is_first_in_flight = !self.is_answered && !self.in_flight.is_empty();
        if is_first_in_flight || self.in_flight.len() + self.results.held_back() >= self.command.at_once {
            return QueueStep::Nothing;
        }
        let now = self.clock.now();
        let step = self.queue.next(now);
        match step {
            QueueStep::Wait(until) if !self.is_waiting => {
                self.is_waiting = true;
                self.waits += 1;
                let wait = Duration::try_from(until.duration_since(now)).unwrap_or_default();
                if self.waits > MOST_WAITS || wait > LONGEST_WAIT {
                    self.given_up = self.refused.values().next().cloned();
                    self.queue.pause("the service rate-limits too often or for too long");
                    return QueueStep::Nothing;
                }
                let seconds = wait.as_millis().div_ceil(1000).max(1);
                let note = self.refused.values().next().and_then(|failure| wait_note(failure, seconds));
                self.results.note(&note.unwrap_or_else(|| format!("too many requests; continuing in {seconds} s")));
            }
            QueueStep::Send(at) => {
                self.is_waiting = false;
                self.in_flight.insert(at);
            }
            QueueStep::Wait(_) | QueueStep::Nothing => {}
        }
        step
    }

    /// Handles the result of an item: final, or a refusal after which it is sent again or sending stops.
    pub(super) fn take(&mut self, at: usize, result: ItemResult) {
        self.results.progress.clear();
        self.is_answered = true;
        self.in_flight.remove(&at);
        match result {
            ItemResult::Refused(failure) if self.queue.pause_after(&failure, self.clock.now()) => {
                self.queue.requeue(at);
                if self.queue.paused().is_some() {
                    self.given_up.get_or_insert_with(|| failure.clone());
                }
                self.refused.insert(at, failure);
            }
            ItemResult::Refused(failure) => self.finish(at, None, Some(failure)),
            ItemResult::Finished { record, failure } => self.finish(at, record, failure),
        }
        if self.results.broken.is_some() {
            self.stop();
        }
    }

    fn finish(&mut self, at: usize, record: Option<Record>, failure: Option<Failure>) {
        self.queue.done();
        self.waits = 0;
        match &failure {
            Some(failure) if record.is_none() => {
                self.queue.count_failure(failure);
                if self.queue.paused().is_some() {
                    self.given_up.get_or_insert_with(|| failure.clone());
                }
            }
            Some(_) | None => self.queue.count_success(),
        }
        self.refused.remove(&at);
        self.unfinished.remove(&at);
        self.results.add(at, record, failure);
    }

    fn stop(&mut self) {
        self.is_stopping = true;
        self.queue.cancel();
    }

    /// Handles an interrupt. Returns whether the command ends immediately: the first interrupt still waits for replies to
    /// writes in flight.
    pub(super) fn interrupt(&mut self) -> bool {
        let is_over = self.is_stopping || !self.command.is_write;
        self.stop();
        if is_over {
            return true;
        }
        let in_flight = self.in_flight.len();
        if in_flight > 0 {
            self.results.note(&format!("stopping; waiting for {in_flight} in flight, Ctrl-C again quits immediately"));
        }
        false
    }

    /// Prints the remaining results, and returns the result of the command.
    pub(super) fn end(mut self) -> Result<(), CommandError> {
        self.results.progress.clear();
        let mut unsent = Vec::new();
        for at in self.unfinished {
            let refused = self.refused.remove(&at).filter(|_| !self.is_stopping);
            let unanswered = (self.command.is_write && self.in_flight.contains(&at)).then(unanswered);
            match refused.or(unanswered) {
                Some(failure) => self.results.add(at, None, Some(failure)),
                None => unsent.push(at),
            }
        }
        if let Some(failure) = self.given_up.filter(|_| !self.is_stopping && !unsent.is_empty()) {
            self.results.add_untried(&failure, std::mem::take(&mut unsent));
        }
        self.results.finish(unsent)
    }
}

fn unanswered() -> Failure {
    let message = "cancelled before the response arrived; the outcome is unknown";
    Failure::new(FailureKind::Local, message, "Use a list command to check")
}
