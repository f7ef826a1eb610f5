//! Bulk commands: one loop sends queued requests and prints their results.

mod results;
mod work;
pub mod write_outcome;

use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};

pub use results::{BulkCommand, ItemResult, ResultOrder};

use crate::api::client::Client;
use crate::cli::bulk::work::BulkWork;
use crate::cli::exit::CommandError;
use crate::cli::output::Printer;
use crate::cli::setup::access::Access;
use crate::cli::setup::interrupt::Interrupt;
use crate::domain::request_queue::QueueStep;

/// Sends a request for each item, prints the results and closes the output.
///
/// The first item is sent alone. After a rate limit, waits at most three times in a row and a minute each. An interrupt
/// stops sending; a later Ctrl-C stops waiting for replies.
///
/// # Errors
///
/// Fails if items failed or were not sent, or if the output cannot be written.
pub async fn perform<'a>(
    command: BulkCommand,
    items: &'a [String],
    printer: Printer,
    send: impl AsyncFn(&'a str) -> ItemResult,
) -> Result<(), CommandError> {
    // Boxed, so that the work of all commands is compiled once.
    perform_boxed(command, items, printer, &|item| send(item).boxed_local()).await
}

async fn perform_boxed<'a, 'b>(
    command: BulkCommand,
    items: &'a [String],
    printer: Printer,
    send: &'b dyn Fn(&'a str) -> LocalBoxFuture<'b, ItemResult>,
) -> Result<(), CommandError> {
    let mut interrupt = Interrupt::new()?;
    let mut work = BulkWork::new(command, items, printer);
    let mut in_flight = FuturesUnordered::new();
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
            () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {}
            () = interrupt.wait() => {
                if work.interrupt() {
                    break;
                }
            }
        }
    }
    work.end()
}

/// Like [`perform`], with a client of the service.
pub async fn perform_on_service<'a>(
    access: Access,
    command: BulkCommand,
    items: &'a [String],
    printer: Printer,
    send: impl AsyncFn(&Client, &'a str) -> ItemResult,
) -> Result<(), CommandError> {
    access
        .with_client(async |client| perform(command, items, printer, async |item| send(client, item).await).await)
        .await
}
