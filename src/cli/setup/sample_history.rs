//! The history of the sample: its pages are audited as they were in each step of a week, and the times are shifted.
//! States, notes and event log are made up.

use std::path::PathBuf;

use futures_util::StreamExt as _;
use jiff::{SignedDuration, Timestamp};

use crate::api::client::{Client, Priority};
use crate::api::decode::RowDetail;
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::failure::{Failure, FailureKind};
use crate::domain::list::cached_rows::CachedRows;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::ReportQuery;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::triage::changes::{ListScope, Snapshot};
use crate::domain::triage::{Note, NoteChange, State, Triage};
use crate::journal::Journal;
use crate::service::DEFAULT_MAX_AUDITS;
use crate::service::sample::{self, HISTORY, HistoryStep, PAGES, SamplePage, SampleSite};

/// Triage of the pages: the path, hours ago, the state, and a note.
const TRIAGED: [(&str, i64, State, &str); 5] = [
    ("/members", 118, State::WontFix, "noindex is intended: only members need this page"),
    ("/new_page_1?session=4711&ref=home", 116, State::Waiting, "owner informed; a title comes with the next release"),
    ("/gift-cards", 40, State::ToVerify, "noindex reported as removed"),
    ("/sold-out", 20, State::Waiting, ""),
    ("/guestbook.html", 3, State::Looking, ""),
];

/// The sample's history, created step by step: where it is served and stored, and how far it is.
pub struct SampleHistory {
    client: Client,
    site: SampleSite,
    /// The service's data directory.
    data: PathBuf,
    /// The journal's file.
    journal: PathBuf,
    /// The service's name in the journal.
    service: &'static str,
    begun_at: Timestamp,
    /// The number of audited steps; one more than `looks` if the list could not be read afterwards.
    audited: usize,
    reports: Vec<Created>,
    /// The list after each step.
    looks: Vec<Snapshot>,
    events: Vec<LogEntry>,
    /// The rows of the last list, and of the one before.
    rows: Vec<Report>,
    former: Vec<Report>,
    is_stored: bool,
}

/// A report of the sample.
type Created = (&'static SamplePage, ReportId);

impl SampleHistory {
    /// Prepares the history of these sites on a service with this data directory, journal and name.
    pub fn new(client: Client, site: SampleSite, (data, journal): (PathBuf, PathBuf), service: &'static str) -> Self {
        Self {
            client,
            site,
            data,
            journal,
            service,
            begun_at: Timestamp::now(),
            audited: 0,
            reports: Vec::new(),
            looks: Vec::new(),
            events: Vec::new(),
            rows: Vec::new(),
            former: Vec::new(),
            is_stored: false,
        }
    }

    /// Creates the reports step by step. A report that cannot be created is missing from the sample. After a failure,
    /// another call continues where it occurred.
    pub async fn complete(&mut self) -> Result<(), Failure> {
        while let Some(step) = HISTORY.get(self.looks.len()) {
            if self.audited == self.looks.len() {
                self.audit(step).await;
                self.audited += 1;
            }
            let rows = self.list().await?;
            let at = self.begun_at - SignedDuration::from_hours(step.hours_ago);
            self.events.extend(changes(&self.rows, &rows, at));
            self.looks.push(Snapshot::take(rows.iter(), ListScope::default(), true, at));
            self.former = std::mem::replace(&mut self.rows, rows);
        }
        if !self.is_stored {
            self.store().await?;
            self.is_stored = true;
        }
        Ok(())
    }

    /// Stores all but the reports in the journal.
    async fn store(&self) -> Result<(), Failure> {
        let mut looks = self.looks.clone();
        // The last list is the one that the dashboard is about to load.
        looks.pop();
        let triaged = triaged(&self.reports, &self.former, self.begun_at);
        let mut events = self.events.clone();
        events.extend(triaged.iter().map(TriagedPage::event));
        let known = CachedRows {
            total: Some(self.former.len() as u64),
            rows: self.former.iter().cloned().collect(),
            scope: ListScope::default(),
            taken_at: looks.last().map_or(self.begun_at, |look| look.taken_at),
            next: None,
        };
        let (file, service) = (self.journal.clone(), self.service);
        let stored = tokio::task::spawn_blocking(move || {
            let journal = Journal::open(&file)?;
            looks.iter().try_for_each(|look| journal.store_snapshot(service, look))?;
            // The cached rows provide the addresses of reports that are gone by now.
            journal.store_rows(service, &known)?;
            let states: Vec<_> = triaged.iter().map(|page| (page.report.id.clone(), page.triage.clone())).collect();
            journal.upsert_states(service, &states, &events)?;
            let notes: Vec<NoteChange> = triaged.iter().filter_map(TriagedPage::note).collect();
            journal.store_notes(service, &notes)
        });
        stored.await.map_err(|error| Failure::new(FailureKind::Local, error.to_string(), "Start it again"))?
    }

    /// Audits the pages of a step, and shifts the results into the past.
    async fn audit(&mut self, step: &HistoryStep) {
        self.site.serve_version(step.version);
        let started = Timestamp::now();
        let wanted: Vec<AuditRequest> = PAGES
            .iter()
            .filter(|page| (step.created)(page))
            .map(|page| AuditRequest::Create(page, self.site.url(page)))
            .chain(
                self.reports
                    .iter()
                    .filter(|(page, _)| step.rerun.contains(&page.path))
                    .map(|(_, id)| AuditRequest::Rerun(id.clone())),
            )
            .collect();
        let work = futures_util::stream::iter(wanted).map(|work| send(self.client.clone(), work));
        let created: Vec<Option<Created>> = work.buffer_unordered(DEFAULT_MAX_AUDITS).collect().await;
        for (_, id) in self.reports.iter().filter(|(page, _)| step.deleted.contains(&page.path)) {
            drop(self.client.delete_report(id).await);
        }
        self.reports.extend(created.into_iter().flatten());
        let (data, by) = (self.data.clone(), SignedDuration::from_hours(step.hours_ago));
        // If this fails, the audits keep their actual times.
        drop(tokio::task::spawn_blocking(move || sample::shift_audits(&data, started, by)).await);
    }

    async fn list(&self) -> Result<Vec<Report>, Failure> {
        let (query, page) = (ReportQuery::default(), PageToken::First);
        Ok(self.client.list_reports(&query, &page, RowDetail::Everything, Priority::Person).await?.rows)
    }
}

/// A request that triggers an audit.
enum AuditRequest {
    Create(&'static SamplePage, String),
    Rerun(ReportId),
}

/// Sends a request, and returns the report that it created.
async fn send(client: Client, work: AuditRequest) -> Option<Created> {
    match work {
        AuditRequest::Create(page, url) => {
            let new = NewReport { url, privacy: None, password: None };
            Some((page, client.create_report(&new).await.ok()?.id))
        }
        AuditRequest::Rerun(id) => {
            drop(client.update_report(&id, &ReportChange::rerun()).await);
            None
        }
    }
}

/// Returns the log entries of a step: reports that were created, re-run and deleted.
fn changes(before: &[Report], after: &[Report], at: Timestamp) -> Vec<LogEntry> {
    let in_list = |list: &'_ [Report], id: &ReportId| list.iter().position(|row| row.id == *id);
    let mut entries: Vec<LogEntry> = Vec::new();
    for row in after {
        let audited = row.generated_at.unwrap_or(at);
        match in_list(before, &row.id).map(|place| &before[place]) {
            None => entries.push(LogEntry::of_creation(row, audited)),
            Some(former) if former.generated_at != row.generated_at => {
                entries.extend(LogEntry::of_change(&ReportChange::rerun(), Some(former), row, audited));
            }
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|row| in_list(after, &row.id).is_none());
    entries.extend(gone.map(|row| LogEntry::about(LogKind::Deleted, row, at)));
    entries
}

/// An entry of [`TRIAGED`] with its report.
struct TriagedPage {
    report: Report,
    triage: Triage,
    note: Option<Note>,
}

impl TriagedPage {
    fn note(&self) -> Option<NoteChange> {
        let note = self.note.clone()?;
        Some(NoteChange { report: self.report.id.clone(), written_at: note.written_at, note: Some(note) })
    }

    /// Returns the log entry of the state; notes need none.
    fn event(&self) -> LogEntry {
        LogEntry::of_state(&self.report, None, Some(&self.triage), self.triage.set_at)
    }
}

/// Returns the entries of [`TRIAGED`] whose reports exist.
fn triaged(reports: &[Created], rows: &[Report], now: Timestamp) -> Vec<TriagedPage> {
    let of = |(path, hours, state, note): &(&str, i64, State, &str)| {
        let (_, id) = reports.iter().find(|(page, _)| page.path == *path)?;
        let report = rows.iter().find(|row| row.id == *id)?.clone();
        let at = now - SignedDuration::from_hours(*hours);
        Some(TriagedPage { triage: Triage::set(*state, &report, at), note: Note::new(note, at), report })
    };
    TRIAGED.iter().filter_map(of).collect()
}
