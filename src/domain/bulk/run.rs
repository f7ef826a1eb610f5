//! The state machine that executes a bulk plan: what to send next, how to interpret replies, when to wait, pause and
//! end.
//!
//! A request is sent once. It is resent only after a rate limit, or when it never reached the service; any other
//! failure waits for the user to retry. After several such failures in a row the run pauses.

use jiff::Timestamp;

use super::item::{BulkItem, ItemReply, ItemState};
use super::plan::{BulkOperation, Plan};
use crate::domain::failure::{Failure, FailureKind, LookupOutcome, WriteFailure};
use crate::domain::report::Report;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::report_state::Trend;
use crate::domain::request_queue::{QueueStep, RequestQueue};

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStep {
    /// Send the operation for this item.
    Send(usize),
    /// Read this item's report: it is unknown whether the operation was applied.
    LookUp(usize),
    /// Send nothing before this time.
    Wait(Timestamp),
    /// Send nothing until a reply comes, or the run is resumed.
    Nothing,
}

/// The number of items by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunCounts {
    /// All of them.
    pub all: usize,
    /// Done.
    pub done: usize,
    /// Re-run with a higher score or better result.
    pub improved: usize,
    /// Re-run with the same score and result.
    pub same: usize,
    /// Re-run with a lower score or worse result.
    pub worse: usize,
    /// Failed.
    pub failed: usize,
    /// Skipped, or cancelled before they were sent.
    pub skipped: usize,
    /// Sent, or being looked at.
    pub under_way: usize,
}

/// A run through a plan.
#[derive(Debug, Clone)]
pub struct Run {
    /// The operation.
    pub operation: BulkOperation,
    /// The reports, in the order of the plan.
    pub items: Vec<BulkItem>,
    /// Indexes of the items that are not sent yet.
    pub queue: RequestQueue<usize>,
}

impl Run {
    /// Starts a run through a plan with at most `at_once` requests in flight.
    pub fn new(plan: Plan, at_once: usize) -> Self {
        Self::resumed(plan.operation, plan.items, at_once)
    }

    /// Continues a run that was started earlier.
    pub fn resumed(operation: BulkOperation, mut items: Vec<BulkItem>, at_once: usize) -> Self {
        if matches!(operation, BulkOperation::Rerun) {
            for item in &mut items {
                item.change = item.recorded_trend();
            }
        }
        let is_waiting = |item: &BulkItem| matches!(item.state, ItemState::Lost | ItemState::Waiting);
        let places: Vec<usize> = (0..items.len()).filter(|at| is_waiting(&items[*at])).collect();
        Self { operation, items, queue: RequestQueue::new(at_once, places) }
    }

    /// Returns what to do next. Call it repeatedly until it returns neither [`RunStep::Send`] nor [`RunStep::LookUp`].
    pub fn step(&mut self, now: Timestamp) -> RunStep {
        let next = match self.queue.next(now) {
            QueueStep::Send(next) => next,
            QueueStep::Wait(until) => return RunStep::Wait(until),
            QueueStep::Nothing => return RunStep::Nothing,
        };
        match std::mem::replace(&mut self.items[next].state, ItemState::Sent) {
            ItemState::Lost => RunStep::LookUp(next),
            ItemState::Waiting
            | ItemState::Sent
            | ItemState::Done(_)
            | ItemState::Failed(_)
            | ItemState::Skipped(_) => RunStep::Send(next),
        }
    }

    /// Returns the privacy setting of an item when it was planned, if the operation changes it. A report that has
    /// another one since is left as it is.
    pub fn planned_privacy(&self, at: usize) -> Option<Privacy> {
        match self.operation {
            BulkOperation::Privacy { .. } => self.items.get(at)?.before.parse().ok(),
            BulkOperation::Rerun | BulkOperation::Delete => None,
        }
    }

    /// Handles the reply for an item in flight; ignores any other reply.
    pub fn answered(&mut self, at: usize, answer: ItemReply, now: Timestamp) {
        let Some(item) = self.items.get(at).filter(|item| item.state == ItemState::Sent) else { return };
        let is_rerun = matches!(self.operation, BulkOperation::Rerun);
        let audited = answer.report().filter(|report| is_rerun && !item.awaits_result(report));
        let change = audited.map(|report| item.trend(&report.outcome, report.score));
        let state = match answer {
            ItemReply::Updated(Ok(report)) => ItemState::Done(self.outcome(item, &report)),
            ItemReply::Changed(report) => {
                // Not by this run, which then has nothing to undo.
                let state = self.changed(&report);
                self.items[at].before = self.operation.before(&report);
                state
            }
            ItemReply::Deleted(Ok(())) => ItemState::Done("deleted".to_owned()),
            ItemReply::Updated(Err(WriteFailure::Refused(failure)))
            | ItemReply::Deleted(Err(WriteFailure::Refused(failure))) => self.refused(&failure, now),
            ItemReply::Updated(Err(WriteFailure::Unsure { failure, found }))
            | ItemReply::Deleted(Err(WriteFailure::Unsure { failure, found })) => {
                let state = self.unsure(item, &failure, found);
                if matches!(state, ItemState::Failed(_)) {
                    self.queue.count_failure(&failure);
                }
                state
            }
            ItemReply::Looked(Ok(report)) => match self.verify(item, &report) {
                Some(true) => ItemState::Done(self.outcome(item, &report)),
                Some(false) => ItemState::Waiting,
                // The user asked for a retry, whatever was found.
                None => {
                    self.items[at].before = self.operation.before(&report);
                    ItemState::Waiting
                }
            },
            ItemReply::Looked(Err(failure)) => self.on_lookup_failed(&failure),
        };
        if matches!(state, ItemState::Done(_)) {
            self.items[at].change = change;
            self.queue.count_success();
        }
        self.items[at].state = match state {
            ItemState::Waiting | ItemState::Lost if self.queue.requeue(at).is_some() => cancelled(),
            ItemState::Waiting | ItemState::Lost => state,
            ended => {
                self.queue.done();
                ended
            }
        };
    }

    /// Cancels the run: unsent items are skipped.
    pub fn cancel(&mut self) {
        for at in self.queue.cancel() {
            self.items[at].state = cancelled();
        }
    }

    /// Puts failed items back into the queue and returns their number.
    pub fn retry(&mut self) -> usize {
        self.queue.reopen();
        let mut count = 0;
        for (at, item) in self.items.iter_mut().enumerate() {
            if matches!(item.state, ItemState::Failed(_)) {
                // Whether the operation was applied after all is checked first.
                item.state = ItemState::Lost;
                self.queue.push(at);
                count += 1;
            }
        }
        count
    }

    /// Returns the items that were cancelled or have failed.
    pub fn unfinished(&self) -> impl Iterator<Item = &BulkItem> {
        let is_cancelled = |state: &ItemState| *state == cancelled();
        self.items.iter().filter(move |item| matches!(item.state, ItemState::Failed(_)) || is_cancelled(&item.state))
    }

    /// True when nothing is left to be sent or awaited.
    pub fn has_ended(&self) -> bool {
        self.items
            .iter()
            .all(|item| matches!(item.state, ItemState::Done(_) | ItemState::Failed(_) | ItemState::Skipped(_)))
    }

    /// Returns the items in the order of their list: that of the plan; once the run has ended, failed ones first, then
    /// those whose result got worse.
    pub fn listed(&self) -> Vec<&BulkItem> {
        let mut items: Vec<&BulkItem> = self.items.iter().collect();
        if self.has_ended() {
            let is_failed = |item: &BulkItem| matches!(item.state, ItemState::Failed(_));
            items.sort_by_key(|item| (!is_failed(item), item.change != Some(Trend::Worse)));
        }
        items
    }

    /// The number of items by state.
    pub fn tally(&self) -> RunCounts {
        let mut tally = RunCounts { all: self.items.len(), ..RunCounts::default() };
        for item in &self.items {
            match item.change {
                Some(Trend::Better) => tally.improved += 1,
                Some(Trend::Same) => tally.same += 1,
                Some(Trend::Worse) => tally.worse += 1,
                None => {}
            }
            match item.state {
                ItemState::Waiting | ItemState::Lost => {}
                ItemState::Sent => tally.under_way += 1,
                ItemState::Done(_) => tally.done += 1,
                ItemState::Failed(_) => tally.failed += 1,
                ItemState::Skipped(_) => tally.skipped += 1,
            }
        }
        tally
    }

    /// Returns the state of an item whose operation the service rejected without applying it.
    fn refused(&mut self, failure: &Failure, now: Timestamp) -> ItemState {
        if self.queue.pause_after(failure, now) {
            ItemState::Waiting
        } else if failure.kind == FailureKind::NotFound && self.operation.destroys() {
            ItemState::Done("was already deleted".to_owned())
        } else {
            self.queue.count_failure(failure);
            ItemState::Failed(failure.with_fields(failure.message.clone()))
        }
    }

    /// Returns the state of an item whose reply was lost, judged by the look-up that followed.
    fn unsure(&self, item: &BulkItem, failure: &Failure, found: LookupOutcome) -> ItemState {
        match found {
            LookupOutcome::Report(report) => match self.verify(item, &report) {
                Some(true) => ItemState::Done(self.outcome(item, &report)),
                Some(false) => ItemState::Failed(format!("{}; nothing was changed", failure.message)),
                None => unknown(failure),
            },
            LookupOutcome::Nothing => self.gone(),
            LookupOutcome::Unknown(_) => unknown(failure),
        }
    }

    /// Describes the outcome of the operation by the changed report, whose page may have been audited meanwhile.
    fn outcome(&self, item: &BulkItem, report: &Report) -> String {
        match self.operation {
            BulkOperation::Rerun => item.rerun_outcome(report),
            BulkOperation::Privacy { .. } | BulkOperation::Delete => self.operation.before(report),
        }
    }

    /// Returns the state of an item whose privacy someone else has set since the plan.
    fn changed(&self, report: &Report) -> ItemState {
        let now = report.privacy.map_or("unknown", Privacy::name);
        let other = || ItemState::Skipped(format!("was set to {now} meanwhile"));
        self.operation.skip_reason(report).map_or_else(other, ItemState::Done)
    }

    fn on_lookup_failed(&mut self, failure: &Failure) -> ItemState {
        if failure.kind != FailureKind::NotFound {
            self.queue.pause(&failure.message);
            return ItemState::Lost;
        }
        self.gone()
    }

    /// Returns the state of an item whose report no longer exists.
    fn gone(&self) -> ItemState {
        if self.operation.destroys() {
            ItemState::Done("deleted".to_owned())
        } else {
            ItemState::Failed("it no longer exists".to_owned())
        }
    }

    /// Judges by a report whether the operation was applied to it; `None` if it cannot tell.
    fn verify(&self, item: &BulkItem, report: &Report) -> Option<bool> {
        // A report that can be read was not deleted.
        self.operation.change().map_or(Some(false), |change| change.is_visible_in(report, item.audited_at))
    }
}

fn cancelled() -> ItemState {
    ItemState::Skipped("cancelled".to_owned())
}

fn unknown(failure: &Failure) -> ItemState {
    ItemState::Failed(format!("the outcome is unknown: {}", failure.message))
}
