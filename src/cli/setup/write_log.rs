//! The log of a command's changes, in the journal of this machine, shown by the dashboard and `changes`.

use jiff::Timestamp;

use crate::cli::context::CommandContext;
use crate::cli::exit::{CommandError, print_note};
use crate::cli::setup::local_journal::LocalJournal;
use crate::domain::event_log::LogEntry;
use crate::domain::triage::to_the_millisecond;

/// Records what one command changed. A journal that cannot be written is only a warning.
pub struct WriteLog {
    journal: Option<LocalJournal>,
    begun_at: Timestamp,
}

impl WriteLog {
    /// Opens the journal of the chosen service. Without a home directory nothing is recorded.
    pub fn open(context: &CommandContext<'_>) -> Self {
        let journal = match LocalJournal::open(context) {
            Ok(journal) => Some(journal),
            Err(CommandError::Failed { failure, .. }) => {
                print_note(&format!("warning: this will be missing from the history: {failure}"));
                None
            }
            // There is no home directory; a wrong service was refused before.
            Err(_) => None,
        };
        Self { journal, begun_at: to_the_millisecond(Timestamp::now()) }
    }

    /// Records entries about one change. All entries of the command form one action in the history.
    pub fn record(&self, entries: impl IntoIterator<Item = LogEntry>) {
        let Some(journal) = &self.journal else { return };
        let begun_at = self.begun_at;
        let entries: Vec<LogEntry> = entries.into_iter().map(|entry| LogEntry { begun_at, ..entry }).collect();
        if let Err(failure) = journal.append(&entries) {
            print_note(&format!("warning: this is missing from the history: {failure}"));
        }
    }
}
