//! Reads the event log from the journal.

use crate::app::effect::RequestId;
use crate::app::message::Message;
use crate::domain::event_log::line::lines;
use crate::domain::report::ReportId;
use crate::journal::Journal;
use crate::runtime::effects::Effects;

/// The most entries read for the history. A bulk run has one per report.
const MOST_ENTRIES: usize = 5_000;
/// The most entries read for a report's timeline.
const MOST_OF_REPORT: usize = 200;

impl Effects {
    /// Reads the lines of the history.
    pub(super) fn read_log(&self, request: RequestId) {
        let read = |journal: &Journal, service: &str| Ok(Some(lines(journal.load_events(service, MOST_ENTRIES)?)));
        self.read_from_journal(read, move |lines| Message::Log(request, lines));
    }

    /// Reads the entries about a report.
    pub(super) fn read_timeline(&self, request: RequestId, id: ReportId) {
        let read =
            move |journal: &Journal, service: &str| journal.load_events_of(service, &id, MOST_OF_REPORT).map(Some);
        self.read_from_journal(read, move |entries| Message::Timeline(request, entries));
    }
}
