//! What this machine's journal holds about the chosen service.

use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::CommandError;
use crate::domain::triage::Triages;
use crate::journal::Journal;

/// The states of reports that were set on this machine; none where the dashboard never ran.
pub fn states(context: &CommandContext<'_>) -> Result<Triages, CommandError> {
    let Some(file) = context.journal().filter(|file| file.exists()) else { return Ok(Triages::default()) };
    Ok(Journal::open(&file)?.load_states(&service_name(context)?)?)
}

/// The name of the chosen service in the journal.
fn service_name(context: &CommandContext<'_>) -> Result<String, CommandError> {
    Ok(match context.target()? {
        Target::Embedded(data) => context.name_of_embedded(&data),
        Target::Elsewhere(base, _) => base.as_str().to_owned(),
    })
}
