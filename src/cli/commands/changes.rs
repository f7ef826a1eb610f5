//! `changes`: what happened to the reports of a service, as this machine's journal has it.

use jiff::{SignedDuration, Timestamp};

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::paged_list::tell_empty;
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column};
use crate::cli::setup::local_journal::LocalJournal;

/// Prints what happened within this time.
pub fn run(context: &CommandContext<'_>, since: SignedDuration) -> Result<(), CommandError> {
    let journal = LocalJournal::open(context)?;
    let since = Timestamp::now().saturating_sub(since).unwrap_or(Timestamp::MIN);
    let entries = journal.events_since(since)?;
    let mut printer = context.printer(Shape::Many, column::CHANGE);
    for entry in &entries {
        printer.record(&Record::change(entry))?;
    }
    printer.finish()?;
    if entries.is_empty() {
        tell_empty("changes that this machine knows of");
    }
    Ok(())
}
