//! Reads and updates triage states and notes in the journal.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::app::message::Message;
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::triage::{Notes, Triage, Triages};
use crate::journal::Journal;
use crate::runtime::effects::Effects;

impl Effects {
    /// Reads states and notes.
    pub(super) fn read_triages(&self) {
        self.read_from_journal(|journal, service| read(journal, service).map(Some), states);
    }

    /// Stores states changed by audits. If another instance has set one meanwhile, all are read again.
    pub(super) fn change_states(&self, changed: Vec<(ReportId, Timestamp, Triage)>, mut entries: Vec<LogEntry>) {
        let work = move |journal: &Journal, service: &str| {
            let kept = journal.update_states(service, &changed)?;
            let stored: HashSet<&ReportId> =
                changed.iter().zip(&kept).filter(|(_, kept)| **kept).map(|((id, ..), _)| id).collect();
            entries.retain(|entry| entry.report.as_ref().is_some_and(|id| stored.contains(id)));
            journal.append_events(service, &entries)?;
            if kept.contains(&false) { read(journal, service).map(Some) } else { Ok(None) }
        };
        self.read_from_journal(work, states);
    }
}

fn read(journal: &Journal, service: &str) -> Result<(Triages, Notes), Failure> {
    Ok((journal.load_states(service)?, journal.load_notes(service)?))
}

fn states(read: Option<(Triages, Notes)>) -> Message {
    read.map_or(Message::JournalWritten(Ok(())), |(triages, notes)| Message::States(triages, notes))
}
