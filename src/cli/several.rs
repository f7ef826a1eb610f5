//! Several things one after the other: what succeeds is printed at once, what fails is told and remembered.
//!
//! Must not know what is done to them.

use super::format::Print;
use super::format::record::Record;
use super::problem::{self, Problem};
use crate::domain::failure::{Failure, FailureKind};

/// Does one thing after the other and closes the output.
pub(super) async fn each<Item>(
    items: &[Item],
    name: impl Fn(&Item) -> String,
    printer: &mut dyn Print,
    mut act: impl AsyncFnMut(&Item) -> Result<Record, Failure>,
) -> Result<(), Problem> {
    let mut failures = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match act(item).await {
            Ok(record) => {
                printer.record(&record)?;
                printer.flush()?;
            }
            Err(failure) => {
                if items.len() > 1 {
                    problem::tell_failure(&format!("{}: ", name(item)), &failure);
                }
                // A key that is refused is refused for the others too: no storm of requests.
                let others = if failure.kind == FailureKind::Unauthorised { items.len() - at - 1 } else { 0 };
                failures.push(failure.clone());
                if others > 0 {
                    problem::say(&format!("note: {others} more were not tried, the key would be refused again"));
                    failures.extend(std::iter::repeat_n(failure, others));
                    break;
                }
            }
        }
    }
    printer.finish()?;
    Problem::of_several(failures, items.len())
}
