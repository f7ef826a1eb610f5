//! Reads and updates triage states and notes in the journal.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::app::message::Message;
use crate::domain::event_log::LogEntry;
use crate::domain::report::ReportId;
use crate::domain::triage::Triage;
use crate::runtime::effects::{Effects, NO_JOURNAL};

impl Effects {
    /// Reads states and notes.
    pub(super) fn read_triages(&self) {
        let asked =
            self.ask_journal(|journal, service| Ok((journal.load_states(service)?, journal.load_notes(service)?)));
        drop(self.spawn(async move {
            match asked.await {
                Ok(Ok(Some((triages, notes)))) => Message::States(triages, notes),
                Ok(Ok(None)) => Message::JournalWritten(Ok(())),
                Ok(Err(failure)) => Message::Notice(Err(failure)),
                Err(_) => Message::TaskFailed(NO_JOURNAL.to_owned()),
            }
        }));
    }

    /// Stores states changed by audits. If another instance has set one meanwhile, all are read again.
    pub(super) fn change_states(&self, changed: Vec<(ReportId, Timestamp, Triage)>, mut entries: Vec<LogEntry>) {
        let asked = self.ask_journal(move |journal, service| {
            let kept = journal.update_states(service, &changed)?;
            let stored: HashSet<&ReportId> =
                changed.iter().zip(&kept).filter(|(_, kept)| **kept).map(|((id, ..), _)| id).collect();
            entries.retain(|entry| entry.report.as_ref().is_some_and(|id| stored.contains(id)));
            journal.append_events(service, &entries)?;
            let read_again = kept.contains(&false);
            let states =
                if read_again { Some((journal.load_states(service)?, journal.load_notes(service)?)) } else { None };
            Ok(states)
        });
        drop(self.spawn(async move {
            match asked.await {
                Ok(Ok(Some(Some((triages, notes))))) => Message::States(triages, notes),
                Ok(Ok(Some(None) | None)) => Message::JournalWritten(Ok(())),
                Ok(Err(failure)) => Message::Notice(Err(failure)),
                Err(_) => Message::TaskFailed(NO_JOURNAL.to_owned()),
            }
        }));
    }
}
