//! Runs several operations concurrently. Successes are printed in the order of the arguments, failures as they
//! happen.

use std::cell::Cell;
use std::pin::pin;

use futures_util::{StreamExt as _, future, stream};

use crate::cli::exit::{self, CommandError, FailedItem};
use crate::cli::output::RecordPrinter;
use crate::cli::output::record::Record;
use crate::domain::failure::{Failure, FailureKind};

/// The result of one operation. An audit of an unreachable page has both a record and a failure.
pub struct ItemResult {
    pub record: Option<Record>,
    pub failure: Option<Failure>,
}

impl From<Result<Record, Failure>> for ItemResult {
    fn from(ended: Result<Record, Failure>) -> Self {
        match ended {
            Ok(record) => Self { record: Some(record), failure: None },
            Err(failure) => Self { record: None, failure: Some(failure) },
        }
    }
}

/// Runs the operations, `at_once` of them concurrently, and closes the output.
pub async fn each<'a, Item>(
    items: &'a [Item],
    at_once: usize,
    name: impl Fn(&Item) -> String,
    printer: &mut dyn RecordPrinter,
    act: impl AsyncFn(&'a Item) -> ItemResult,
) -> Result<(), CommandError> {
    let stopped = Cell::new(false);
    // The first runs alone, so that a refused key costs one request. What has begun always ends.
    let (first, rest) = items.split_at(items.len().min(1));
    let rest = stream::iter(rest).take_while(|_| future::ready(!stopped.get())).map(|item| act(item));
    let mut ended = pin!(stream::iter(first).then(|item| act(item)).chain(rest.buffered(at_once)));
    let (mut failures, mut tried, mut broken, mut refused) = (Vec::new(), 0, None, None);
    let mut printed = 0;
    while let Some(ItemResult { record, failure }) = ended.next().await {
        let item = &items[tried];
        tried += 1;
        if let Some(record) = record.filter(|_| broken.is_none()) {
            printed += 1;
            broken = printer.record(&record).and_then(|()| printer.flush()).err();
        }
        if let Some(failure) = failure {
            if items.len() > 1 {
                exit::tell_failure(&format!("{}: ", name(item)), &failure);
            }
            // A key that is refused once is refused for the others too.
            refused = refused.or((failure.kind == FailureKind::Unauthorised).then(|| failure.clone()));
            failures.push(FailedItem { item: name(item), failure });
        }
        stopped.set(broken.is_some() || refused.is_some());
    }
    let untried: Vec<String> = items[tried..].iter().map(&name).collect();
    if let Some(broken) = broken.map(CommandError::from) {
        // A closed stdout is no error unless something was left undone.
        let ended = CommandError::of_many(failures, untried, items.len());
        return Err(if matches!(broken, CommandError::Closed) { ended.err().unwrap_or(broken) } else { broken });
    }
    if let Some(failure) = refused.filter(|_| !untried.is_empty()) {
        exit::say(&format!("note: {} more were not tried, the key would be refused again", untried.len()));
        failures.extend(untried.into_iter().map(|item| FailedItem { item, failure: failure.clone() }));
    }
    // If everything failed, not even an empty list is printed.
    let closed = if printed > 0 || failures.is_empty() { printer.finish() } else { printer.leave_open() };
    closed?;
    CommandError::of_many(failures, Vec::new(), items.len())
}
