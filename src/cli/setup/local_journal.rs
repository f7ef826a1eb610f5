//! The part of this machine's journal that belongs to the chosen service.

use jiff::Timestamp;

use crate::cli::context::{CommandContext, Target};
use crate::cli::exit::CommandError;
use crate::domain::event_log::LogEntry;
use crate::domain::failure::Failure;
use crate::domain::report::ReportId;
use crate::domain::triage::{NoteChange, Notes, Triage, Triages};
use crate::journal::Journal;

/// The open journal, and the service's name in it.
pub struct LocalJournal {
    journal: Journal,
    service: String,
}

impl LocalJournal {
    /// Opens or creates the journal of this machine.
    pub fn open(context: &CommandContext<'_>) -> Result<Self, CommandError> {
        let service = match context.target()? {
            Target::Embedded(data) => context.name_of_embedded(&data),
            Target::Elsewhere(base, _) => base.as_str().to_owned(),
        };
        let file = context.journal().ok_or_else(|| {
            CommandError::usage("there is no home directory to store states and notes in", "Set HOME")
        })?;
        Ok(Self { journal: Journal::open(&file)?, service })
    }

    /// Returns the triage states of reports.
    pub fn states(&self) -> Result<Triages, CommandError> {
        let (states, now) = (self.journal.load_states(&self.service)?, Timestamp::now());
        // The dashboard stores the end of a snooze when it next runs.
        Ok(states.iter().map(|(id, triage)| (id.clone(), triage.clone().expire(now))).collect())
    }

    /// Returns the notes about reports.
    pub fn notes(&self) -> Result<Notes, CommandError> {
        Ok(self.journal.load_notes(&self.service)?)
    }

    /// Returns the events since a time, oldest first.
    pub fn events_since(&self, since: Timestamp) -> Result<Vec<LogEntry>, CommandError> {
        Ok(self.journal.load_events_since(&self.service, since)?)
    }

    /// Appends entries to the event log.
    pub fn append(&self, entries: &[LogEntry]) -> Result<(), Failure> {
        self.journal.append_events(&self.service, entries)
    }

    /// Stores a state and its log entry.
    pub fn set_state(&self, id: &ReportId, triage: &Triage, entry: LogEntry) -> Result<(), Failure> {
        self.journal.upsert_states(&self.service, &[(id.clone(), triage.clone())], &[entry])
    }

    /// Stores a note.
    pub fn add_note(&self, change: NoteChange) -> Result<(), Failure> {
        self.journal.store_notes(&self.service, &[change])
    }
}
