//! The state of the screen of the log.

use std::collections::VecDeque;

use crate::app::effect::RequestId;
use crate::domain::event_log::LogEntry;
use crate::domain::event_log::line::LogLine;

/// The most entries that are kept where there is no journal.
const MOST_OF_RUN: usize = 2_000;

/// What is on the screen of the log.
#[derive(Debug, Default)]
pub struct EventLogState {
    /// The latest lines, the latest first. Empty until the log was opened.
    pub lines: Vec<LogLine>,
    /// The lines come from the journal.
    pub is_stored: bool,
    /// The entries of this run, the oldest first, for where there is no journal.
    pub(crate) of_this_run: VecDeque<LogEntry>,
    /// Nothing was logged since `lines` were asked for.
    pub(crate) is_read: bool,
    pub(crate) request: Option<RequestId>,
}

impl EventLogState {
    /// Keeps entries for this run, the latest [`MOST_OF_RUN`].
    pub(crate) fn keep(&mut self, entries: &[LogEntry]) {
        self.of_this_run.extend(entries.iter().cloned());
        let too_many = self.of_this_run.len().saturating_sub(MOST_OF_RUN);
        self.of_this_run.drain(..too_many);
    }

    /// Whether the log is being read.
    pub fn is_waiting(&self) -> bool {
        self.request.is_some()
    }
}
