//! The state of the event log in the dashboard.

use std::collections::VecDeque;

use crate::app::effect::RequestId;
use crate::domain::event_log::LogEntry;
use crate::domain::event_log::line::LogLine;

/// The maximum number of entries kept in memory without a journal.
const MOST_OF_RUN: usize = 2_000;

/// The displayed lines of the log, and the entries of this run.
#[derive(Debug, Default)]
pub struct EventLogState {
    /// The lines, latest first. Empty until the log was opened.
    pub lines: Vec<LogLine>,
    /// Whether the lines come from the journal.
    pub is_stored: bool,
    /// The entries of this run, oldest first, used without a journal.
    pub(crate) of_this_run: VecDeque<LogEntry>,
    /// Nothing was logged since `lines` were requested.
    pub(crate) is_read: bool,
    pub(crate) request: Option<RequestId>,
}

impl EventLogState {
    /// Keeps entries in memory, at most the latest [`MOST_OF_RUN`].
    pub(crate) fn keep(&mut self, entries: &[LogEntry]) {
        self.of_this_run.extend(entries.iter().cloned());
        let too_many = self.of_this_run.len().saturating_sub(MOST_OF_RUN);
        self.of_this_run.drain(..too_many);
    }
}
