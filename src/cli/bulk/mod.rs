//! Bulk commands: the dashboard's bulk engine, driven by a command.
//!
//! The engine decides what is sent when; this module sends it and prints the results.

pub mod concurrent;
mod request;
mod results;
pub mod write_outcome;

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

pub use request::BulkRequest;
pub use results::{BulkResults, ResultOrder};

use crate::api::client::Client;
use crate::cli::exit::CommandError;
use crate::cli::output::record::Record;
use crate::cli::setup::access::LONGEST_WAIT;
use crate::cli::setup::interrupt::Interrupt;
use crate::domain::bulk::{BulkItem, ItemReply, ItemState, Run, RunStep};
use crate::domain::failure::{Failure, FailureKind, WriteFailure};
use crate::domain::report::ReportId;
use crate::runtime::clock::Clock;

/// Concurrent requests. Audits take seconds, and services limit requests.
pub const AT_ONCE: usize = 3;
/// The most consecutive waits for a service that refuses for now.
const MOST_WAITS: usize = 3;

/// Runs the request for all reports and prints the results.
pub async fn perform(
    client: &Client,
    wish: &BulkRequest,
    ids: Vec<ReportId>,
    results: BulkResults<'_>,
) -> Result<(), CommandError> {
    let mut stop = Interrupt::new()?;
    let mut work = Work::new(wish, ids, results);
    let mut sent = FuturesUnordered::new();
    loop {
        let pause = loop {
            match work.next(sent.len()) {
                RunStep::Send(at) => {
                    let id = work.run.items[at].id.clone();
                    sent.push(async move { (at, wish.send(client, &id).await) });
                }
                RunStep::Wait(until) => break Some(until),
                // The run is not journaled: it begins and ends with this process.
                RunStep::Look(_) | RunStep::Nothing => break None,
            }
        };
        if sent.is_empty() && pause.is_none() {
            break;
        }
        work.show();
        let pause = pause.map(|until| work.clock.until(until));
        tokio::select! {
            Some((at, answer)) = sent.next() => work.take(at, answer),
            () = reach(pause) => {}
            () = stop.wait() => {
                if work.interrupt(sent.len()) == Leave::AtOnce {
                    break;
                }
            }
        }
    }
    work.end()
}

/// Waits until the deadline; for ever without one.
async fn reach(pause: Option<Duration>) {
    match pause {
        Some(pause) => tokio::time::sleep(pause).await,
        None => std::future::pending().await,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leave {
    WhenAnswered,
    AtOnce,
}

struct Work<'a> {
    run: Run,
    clock: Clock,
    results: BulkResults<'a>,
    /// The failures of items that wait for another try, by index.
    put_off: BTreeMap<usize, Failure>,
    /// The failure that stops the run.
    given_up: Option<Failure>,
    /// Interrupted, or stdout is closed.
    stopping: bool,
    /// Consecutive waits.
    waits: usize,
    waiting: bool,
}

impl<'a> Work<'a> {
    fn new(wish: &BulkRequest, ids: Vec<ReportId>, results: BulkResults<'a>) -> Self {
        let items = ids.into_iter().map(BulkItem::unseen).collect();
        let run = Run::resumed(wish.operation(), items, AT_ONCE);
        let put_off = BTreeMap::new();
        let clock = Clock::default();
        Self { run, clock, results, put_off, given_up: None, stopping: false, waits: 0, waiting: false }
    }

    /// The next step, with this many requests in flight.
    fn next(&mut self, under_way: usize) -> RunStep {
        // The first runs alone: a refused key or a wrong address costs one request, not three.
        let begun = self.results.ended() > 0 || !self.put_off.is_empty();
        if !begun && under_way > 0 {
            return RunStep::Nothing;
        }
        let now = self.clock.now();
        let step = self.run.step(now);
        match step {
            RunStep::Wait(until) if !self.waiting => {
                self.waiting = true;
                self.waits += 1;
                let wait = Duration::try_from(until.duration_since(now)).unwrap_or_default();
                if self.waits > MOST_WAITS || wait > LONGEST_WAIT {
                    self.give_up();
                    return RunStep::Nothing;
                }
                let seconds = wait.as_millis().div_ceil(1000).max(1);
                self.results.note(&format!("too many requests; going on in {seconds} s, as the service asks"));
            }
            RunStep::Send(_) => self.waiting = false,
            RunStep::Wait(_) | RunStep::Look(_) | RunStep::Nothing => {}
        }
        step
    }

    /// The service refuses for now again and again, or for too long.
    fn give_up(&mut self) {
        self.given_up = self.put_off.values().next().cloned();
        self.run.queue.pause("the service puts off for too long");
    }

    fn take(&mut self, at: usize, answer: ItemReply) {
        self.results.clear();
        let now = self.clock.now();
        self.run.answered(at, answer.clone(), now);
        match &self.run.items[at].state {
            ItemState::Done(_) | ItemState::Failed(_) => {
                self.waits = 0;
                self.put_off.remove(&at);
                let came = self.came_of(at, answer);
                self.results.took(at, self.run.items[at].id.shown(), came);
            }
            ItemState::Waiting | ItemState::Lost | ItemState::Skipped(_) | ItemState::Sent => {
                if let Some(failure) = refusal(&answer) {
                    self.put_off.insert(at, failure.clone());
                    self.stop_after(failure);
                }
            }
        }
        if self.results.are_broken() {
            self.stopping = true;
            self.run.cancel();
        }
    }

    /// The failure after which the engine stops.
    fn stop_after(&mut self, failure: &Failure) {
        if self.run.queue.paused().is_some() && self.given_up.is_none() {
            self.given_up = Some(failure.clone());
        }
    }

    fn came_of(&self, at: usize, answer: ItemReply) -> Result<Record, Failure> {
        let item = &self.run.items[at];
        let proven = matches!(item.state, ItemState::Done(_));
        match answer {
            ItemReply::Updated(ended) => write_outcome::updated(ended, proven),
            ItemReply::Deleted(ended) => write_outcome::deleted(item.id.raw(), ended),
            ItemReply::Looked(seen) => seen.map(|report| Record::report(&report)),
        }
    }

    /// Handles an interrupt: requests in flight finish first. A second interrupt ends the program at once.
    fn interrupt(&mut self, under_way: usize) -> Leave {
        if std::mem::replace(&mut self.stopping, true) {
            return Leave::AtOnce;
        }
        self.run.cancel();
        if under_way > 0 {
            self.results.note(&format!("stopping; {under_way} under way end first, Ctrl-C again leaves at once"));
        }
        Leave::WhenAnswered
    }

    fn show(&mut self) {
        let Self { results, run, .. } = self;
        results.show(run.operation.doing());
    }

    /// Prints what is left, and returns the result of the command.
    fn end(mut self) -> Result<(), CommandError> {
        self.results.clear();
        let mut untried = Vec::new();
        for (at, item) in self.run.items.iter().enumerate() {
            let refused = self.put_off.remove(&at).filter(|_| !self.stopping);
            match (&item.state, refused) {
                (ItemState::Done(_) | ItemState::Failed(_), _) => {}
                (ItemState::Sent, _) => self.results.took(at, item.id.shown(), Err(not_waited_for())),
                (ItemState::Waiting | ItemState::Lost | ItemState::Skipped(_), Some(failure)) => {
                    self.results.took(at, item.id.shown(), Err(failure));
                }
                (ItemState::Waiting | ItemState::Lost | ItemState::Skipped(_), None) => {
                    untried.push(item.id.raw().to_owned());
                }
            }
        }
        match self.given_up.filter(|_| !self.stopping && !untried.is_empty()) {
            Some(failure) => self.results.would_fail_alike(&failure, untried),
            None => self.results.were_not_sent(untried),
        }
        self.results.finish()
    }
}

fn refusal(answer: &ItemReply) -> Option<&Failure> {
    match answer {
        ItemReply::Updated(Err(WriteFailure::Refused(failure)))
        | ItemReply::Deleted(Err(WriteFailure::Refused(failure)))
        | ItemReply::Looked(Err(failure)) => Some(failure),
        ItemReply::Updated(Ok(_) | Err(WriteFailure::Unsure { .. }))
        | ItemReply::Deleted(Ok(()) | Err(WriteFailure::Unsure { .. }))
        | ItemReply::Looked(Ok(_)) => None,
    }
}

fn not_waited_for() -> Failure {
    let message = "its answer was not waited for: whether it was done is not known";
    Failure::new(FailureKind::Local, message, "A list shows what is there")
}
