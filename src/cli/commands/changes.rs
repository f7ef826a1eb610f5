//! `changes`: what happened to the reports of a service, from this machine's journal and the desk.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use crate::cli::context::CommandContext;
use crate::cli::exit::CommandError;
use crate::cli::output::record::Record;
use crate::cli::output::{Shape, column, note_empty_list};
use crate::cli::setup::access::Purpose;
use crate::cli::setup::desk::StateSource;
use crate::cli::setup::local_journal::LocalJournal;
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::report::ReportId;

/// Prints what happened within this time.
pub async fn run(context: &CommandContext<'_>, since: SignedDuration) -> Result<(), CommandError> {
    let journal = LocalJournal::open(context)?;
    let since = Timestamp::now().saturating_sub(since).unwrap_or(Timestamp::MIN);
    let mut entries = journal.events_since(since)?;
    let source = StateSource::find(context, Purpose::Read).await?;
    if let StateSource::Desk(desk) = &source {
        // The journal repeats desk events that the dashboard saw.
        entries.retain(|entry| !matches!(entry.kind, LogKind::State | LogKind::Assigned | LogKind::Dropped));
        let events = desk.events(since).await?;
        entries.extend(events.iter().filter_map(|event| event.log_entry(None)));
    } else {
        let notes = journal.notes()?;
        let recent = notes.iter().filter(|(_, note)| note.written_at >= since);
        entries.extend(recent.map(|(id, note)| LogEntry::of_note(id, note)));
    }
    entries.sort_by_key(|entry| entry.at);
    add_names(&mut entries);
    let mut printer = context.printer(Shape::Many, column::CHANGE);
    entries.iter().try_for_each(|entry| printer.record(&Record::change(entry)))?;
    source.finish(&mut printer)?;
    if entries.is_empty() {
        note_empty_list("changes known to this machine");
    }
    Ok(())
}

/// Adds the names of reports to entries that lack them, from other entries about the same reports. Notes and events of
/// the desk have none.
fn add_names(entries: &mut [LogEntry]) {
    let named = entries.iter().filter(|entry| !entry.name.is_empty());
    let names: HashMap<ReportId, (String, String)> =
        named.filter_map(|entry| Some((entry.report.clone()?, (entry.name.clone(), entry.project.clone())))).collect();
    for entry in entries.iter_mut().filter(|entry| entry.name.is_empty()) {
        if let Some((name, project)) = entry.report.as_ref().and_then(|id| names.get(id)) {
            entry.name.clone_from(name);
            entry.project.clone_from(project);
        }
    }
}
