//! Several things, so many of them at the same time: what succeeds is printed in the order in which it was asked for,
//! what fails is told and remembered.
//!
//! Must not know what is done to them.

use std::cell::Cell;
use std::pin::pin;

use futures_util::{StreamExt as _, future, stream};

use super::format::Print;
use super::format::record::Record;
use super::problem::{self, Problem};
use crate::domain::failure::{Failure, FailureKind};

/// Does one thing after the other, `at_once` of them side by side, and closes the output.
pub(super) async fn each<'a, Item>(
    items: &'a [Item],
    at_once: usize,
    name: impl Fn(&Item) -> String,
    printer: &mut dyn Print,
    act: impl AsyncFn(&'a Item) -> Result<Record, Failure>,
) -> Result<(), Problem> {
    let stopped = Cell::new(false);
    // The first goes alone: a key that is refused is refused once. What has begun always ends.
    let (first, rest) = items.split_at(items.len().min(1));
    let rest = stream::iter(rest).take_while(|_| future::ready(!stopped.get())).map(|item| act(item));
    let mut ended = pin!(stream::iter(first).then(|item| act(item)).chain(rest.buffered(at_once)));
    let (mut failures, mut tried, mut broken, mut refused) = (Vec::new(), 0, None, None);
    while let Some(result) = ended.next().await {
        let item = &items[tried];
        tried += 1;
        match result {
            Ok(record) if broken.is_none() => {
                broken = printer.record(&record).and_then(|()| printer.flush()).err();
            }
            Ok(_) => {}
            Err(failure) => {
                if items.len() > 1 {
                    problem::tell_failure(&format!("{}: ", name(item)), &failure);
                }
                // Refused for one, a key is refused for the others too: no storm of requests.
                refused = refused.or((failure.kind == FailureKind::Unauthorised).then(|| failure.clone()));
                failures.push(failure);
            }
        }
        stopped.set(broken.is_some() || refused.is_some());
    }
    let untried = items.len() - tried;
    if let Some(broken) = broken.map(Problem::from) {
        // That nobody reads on is no error, unless something was left undone.
        let ended = Problem::of_many(failures, untried, items.len());
        return Err(if matches!(broken, Problem::Closed) { ended.err().unwrap_or(broken) } else { broken });
    }
    if let Some(failure) = refused.filter(|_| untried > 0) {
        problem::say(&format!("note: {untried} more were not tried, the key would be refused again"));
        failures.extend(std::iter::repeat_n(failure, untried));
    }
    printer.finish()?;
    Problem::of_several(failures, items.len())
}
