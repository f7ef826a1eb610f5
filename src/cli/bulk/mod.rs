//! Bulk commands: one loop sends a queue of requests and prints their results.

mod results;
mod work;
pub mod write_outcome;

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

pub use results::{BulkCommand, ItemResult, ResultOrder};

use crate::cli::bulk::work::{BulkWork, Leave};
use crate::cli::exit::CommandError;
use crate::cli::output::RecordPrinter;
use crate::cli::setup::interrupt::Interrupt;
use crate::domain::request_queue::QueueStep;

/// Concurrent requests. Audits take seconds, and services limit requests.
pub const AT_ONCE: usize = 3;

/// Sends a request for each item, prints the results and closes the output.
///
/// The first item goes alone. A rate limit is waited for at most three times in a row and a minute each. An interrupt
/// sends nothing more; a second one does not wait for replies.
///
/// # Errors
///
/// Items that failed or were not sent, and output that cannot be written.
pub async fn perform<'a>(
    command: BulkCommand,
    items: &'a [String],
    printer: &mut dyn RecordPrinter,
    send: impl AsyncFn(&'a str) -> ItemResult,
) -> Result<(), CommandError> {
    let mut interrupt = Interrupt::new()?;
    let mut work = BulkWork::new(command, items, printer);
    let mut in_flight = FuturesUnordered::new();
    let send = &send;
    loop {
        let wait = loop {
            match work.next() {
                QueueStep::Send(at) => in_flight.push(async move { (at, send(&items[at]).await) }),
                QueueStep::Wait(until) => break Some(work.clock.until(until)),
                QueueStep::Nothing => break None,
            }
        };
        if in_flight.is_empty() && wait.is_none() {
            break;
        }
        work.results.show_progress();
        tokio::select! {
            Some((at, result)) = in_flight.next() => work.take(at, result),
            () = sleep(wait) => {}
            () = interrupt.wait() => {
                if work.interrupt() == Leave::AtOnce {
                    break;
                }
            }
        }
    }
    work.end()
}

/// Sleeps as long as given; for ever without a time.
async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
