//! The state of the screen of the log.

use crate::app::effect::RequestId;
use crate::domain::event_log::line::LogLine;

/// What is on the screen of the log.
#[derive(Debug, Default)]
pub struct EventLogState {
    /// The latest lines, the latest first. Empty until the log was opened.
    pub lines: Vec<LogLine>,
    /// Nothing was logged since `lines` were asked for.
    pub(crate) is_read: bool,
    pub(crate) request: Option<RequestId>,
}

impl EventLogState {
    /// Whether the log is being read.
    pub fn is_waiting(&self) -> bool {
        self.request.is_some()
    }
}
