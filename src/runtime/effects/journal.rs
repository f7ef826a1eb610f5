//! Reads and writes the journal. Jobs run in order on its thread, because 100,000 rows take longer than a frame.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::oneshot;

use crate::app::effect::RequestId;
use crate::app::message::Message;
use crate::domain::event_log::LogEntry;
use crate::domain::event_log::line::lines;
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::cached_rows::{CachedRows, CachedRowsPart};
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::triage::changes::ListScope;
use crate::domain::triage::{Notes, Triage, Triages};
use crate::journal::Journal;
use crate::runtime::effects::{Effects, NO_JOURNAL, locked};

/// The most entries read for the history. A bulk run has one per report.
const MOST_ENTRIES: usize = 5_000;
/// The most entries read for a report's timeline.
const MOST_OF_REPORT: usize = 200;

impl Effects {
    /// Queues a job on the journal. Jobs run in order. The service is the current one, even if the user switches to
    /// another before the job runs. Until its name is known, the result is that of a session without a journal.
    pub(super) fn ask_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        match self.journal_name() {
            Some(service) => self.journal.jobs.ask(move |journal| work(journal, &service)),
            None => no_journal(),
        }
    }

    /// Like [`Self::ask_journal`], but tries again to open a journal that could not be opened, and fails again.
    pub(super) fn insist_on_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<T, Failure> + Send + 'static,
    ) -> oneshot::Receiver<Result<Option<T>, Failure>> {
        match self.journal_name() {
            Some(service) => self.journal.jobs.insist(move |journal| work(journal, &service)),
            None => no_journal(),
        }
    }

    /// The current service's name in the journal, once it is known.
    fn journal_name(&self) -> Option<String> {
        Some(locked(&self.current).journal_name.clone()).filter(|name| !name.is_empty())
    }

    /// Queues a job on the journal, reporting only its outcome as [`Message::JournalWritten`].
    pub(super) fn with_journal(&self, work: impl FnOnce(&Journal, &str) -> Result<(), Failure> + Send + 'static) {
        self.ask_and_reply(work, written);
    }

    /// Like [`Self::with_journal`], for what a person chose: tells them if nothing is stored, because the journal cannot
    /// be opened or the service's name is unknown.
    pub(super) fn store(&self, work: impl FnOnce(&Journal, &str) -> Result<(), Failure> + Send + 'static) {
        if self.journal_name().is_none() {
            let (problem, help) = ("Not stored: the service is not connected yet", "Repeat it once it is connected");
            return self.send(Message::Notice(Err(Failure::new(FailureKind::Local, problem, help))));
        }
        self.reply(self.insist_on_journal(work), written);
    }

    /// Reads from the journal. Without a journal, or after a failure, which is reported too, the message has `None`.
    fn read_from_journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<Option<T>, Failure> + Send + 'static,
        message: impl FnOnce(Option<T>) -> Message + Send + 'static,
    ) {
        let sender = self.sender.clone();
        self.ask_and_reply(work, move |read| match read {
            Ok(read) => message(read.flatten()),
            Err(failure) => {
                sender.send(message(None));
                Message::JournalUnreadable(failure)
            }
        });
    }

    /// Queues a job on the journal, and sends the message made from its result; `None` without a journal.
    pub(super) fn ask_and_reply<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal, &str) -> Result<T, Failure> + Send + 'static,
        message: impl FnOnce(Result<Option<T>, Failure>) -> Message + Send + 'static,
    ) {
        self.reply(self.ask_journal(work), message);
    }

    /// Sends the message made from the result of a job.
    fn reply<T: Send + 'static>(
        &self,
        asked: oneshot::Receiver<Result<Option<T>, Failure>>,
        message: impl FnOnce(Result<Option<T>, Failure>) -> Message + Send + 'static,
    ) {
        drop(self.spawn(async move {
            match asked.await {
                Ok(done) => message(done),
                Err(_) => Message::TaskFailed(NO_JOURNAL.to_owned()),
            }
        }));
    }

    /// Reads the journal's data about this service. Tries again to open a journal that could not be opened.
    pub(super) fn read_journal(&self) {
        let sender = self.sender.clone();
        let work = |journal: &Journal, service: &str| {
            let kept = load_states(journal, service)?;
            let columns = ColumnLayout { shown: journal.load_columns(service)?, widths: journal.load_widths(service)? };
            let looks = (journal.load_views(service)?, columns);
            Ok((journal.load_drafts(service)?, journal.load_interrupted_runs(service)?, kept, looks))
        };
        self.reply(self.insist_on_journal(work), move |read| match read {
            Ok(Some((drafts, runs, (triages, notes), (views, columns)))) => {
                sender.send(Message::Drafts(drafts));
                sender.send(Message::Columns(columns));
                sender.send(Message::Views(views));
                sender.send(Message::States(triages, notes));
                Message::InterruptedRuns(runs)
            }
            Ok(None) => Message::Drafts(Vec::new()),
            Err(failure) => Message::JournalUnreadable(failure),
        });
    }

    /// Reads the service's cached rows, or a further part of them, if its name is known already.
    pub(super) fn read_cached_rows(&self, part: Option<CachedRowsPart>) {
        self.read_from_journal(move |journal, service| journal.load_rows(service, part), Message::CachedRows);
    }

    /// Stores the rows of a complete list.
    pub(super) fn store_cached_rows(&self, rows: Arc<Rows>, taken_at: Timestamp) {
        self.with_journal(move |journal, service| {
            let total = Some(rows.iter().count() as u64);
            let last = CachedRows {
                rows: Arc::unwrap_or_clone(rows),
                scope: ListScope::default(),
                taken_at,
                total,
                next: None,
            };
            journal.store_rows(service, &last)
        });
    }

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

    /// Reads states and notes.
    pub(super) fn read_states(&self) {
        self.read_from_journal(|journal, service| load_states(journal, service).map(Some), states);
    }

    /// Reads the saved views.
    pub(super) fn read_views(&self) {
        let message = |views: Option<_>| views.map_or(Message::JournalWritten(Ok(())), Message::Views);
        self.read_from_journal(|journal, service| journal.load_views(service).map(Some), message);
    }

    /// Stores states changed by audits. If another instance has set one meanwhile, all are read again.
    pub(super) fn update_states(&self, changed: Vec<(ReportId, Timestamp, Triage)>, mut entries: Vec<LogEntry>) {
        let work = move |journal: &Journal, service: &str| {
            let kept = journal.update_states(service, &changed)?;
            let stored: HashSet<&ReportId> =
                changed.iter().zip(&kept).filter(|(_, kept)| **kept).map(|((id, ..), _)| id).collect();
            entries.retain(|entry| entry.report.as_ref().is_some_and(|id| stored.contains(id)));
            journal.append_events(service, &entries)?;
            if kept.contains(&false) { load_states(journal, service).map(Some) } else { Ok(None) }
        };
        self.read_from_journal(work, states);
    }
}

/// The result of a job in a session without a journal.
fn no_journal<T>() -> oneshot::Receiver<Result<Option<T>, Failure>> {
    let (result, receiver) = oneshot::channel();
    drop(result.send(Ok(None)));
    receiver
}

fn load_states(journal: &Journal, service: &str) -> Result<(Triages, Notes), Failure> {
    Ok((journal.load_states(service)?, journal.load_notes(service)?))
}

fn states(read: Option<(Triages, Notes)>) -> Message {
    read.map_or(Message::JournalWritten(Ok(())), |(triages, notes)| Message::States(triages, notes))
}

/// Not a closure, so that the replies of all writes are compiled once.
fn written(done: Result<Option<()>, Failure>) -> Message {
    Message::JournalWritten(done.map(|_| ()))
}
