//! The history of the sample: its pages are audited as they were in each step of a week, and the times are shifted.
//! States, notes and event log are made up.

use std::path::PathBuf;
use std::sync::Arc;

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

/// The inputs for creating the sample: where it is served, and where it is stored.
pub struct SampleHistory {
    /// The client of the service.
    pub client: Client,
    /// The sites.
    pub site: Arc<SampleSite>,
    /// The service's data directory.
    pub data: PathBuf,
    /// The journal's file.
    pub journal: PathBuf,
    /// The service's name in the journal.
    pub service: String,
}

/// A report of the sample.
type Created = (&'static SamplePage, ReportId);

impl SampleHistory {
    /// Creates the reports step by step. A report that cannot be created is missing from the sample.
    pub async fn make(self) -> Result<(), Failure> {
        let now = Timestamp::now();
        let mut reports: Vec<Created> = Vec::new();
        let (mut looks, mut events, mut rows, mut former) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for step in HISTORY {
            self.audit(step, &mut reports).await;
            former = std::mem::replace(&mut rows, self.list().await?);
            let at = now - SignedDuration::from_hours(step.hours_ago);
            events.extend(changes(&former, &rows, at));
            looks.push(Snapshot::take(rows.iter(), ListScope::default(), true, at));
        }
        // The last list is the one that the dashboard is about to load.
        looks.pop();
        let triaged = triaged(&reports, &former, now);
        events.extend(triaged.iter().map(TriagedPage::event));
        let known = CachedRows {
            total: Some(former.len() as u64),
            rows: former.into_iter().collect(),
            scope: ListScope::default(),
            taken_at: looks.last().map_or(now, |look| look.taken_at),
            next: None,
        };
        let (file, service) = (self.journal, self.service);
        let stored = tokio::task::spawn_blocking(move || {
            let journal = Journal::open(&file)?;
            looks.iter().try_for_each(|look| journal.store_snapshot(&service, look))?;
            // The cached rows provide the addresses of reports that are gone by now.
            journal.store_rows(&service, &known)?;
            let states: Vec<_> = triaged.iter().map(|page| (page.report.id.clone(), page.triage.clone())).collect();
            journal.upsert_states(&service, &states)?;
            let notes: Vec<NoteChange> = triaged.iter().filter_map(TriagedPage::note).collect();
            journal.store_notes(&service, &notes)?;
            journal.append_events(&service, &events)
        });
        stored.await.map_err(|error| Failure::new(FailureKind::Local, error.to_string(), "Start it again"))?
    }

    /// Audits the pages of a step, and shifts the results into the past.
    async fn audit(&self, step: &HistoryStep, reports: &mut Vec<Created>) {
        self.site.serve_version(step.version);
        let started = Timestamp::now();
        let wanted: Vec<AuditRequest> = PAGES
            .iter()
            .filter(|page| (step.created)(page))
            .map(|page| AuditRequest::Create(page, self.site.url(page)))
            .chain(
                reports
                    .iter()
                    .filter(|(page, _)| step.rerun.contains(&page.path))
                    .map(|(_, id)| AuditRequest::Rerun(id.clone())),
            )
            .collect();
        let work = futures_util::stream::iter(wanted).map(|work| send(self.client.clone(), work));
        let created: Vec<Option<Created>> = work.buffer_unordered(DEFAULT_MAX_AUDITS).collect().await;
        for (_, id) in reports.iter().filter(|(page, _)| step.deleted.contains(&page.path)) {
            drop(self.client.delete_report(id).await);
        }
        reports.extend(created.into_iter().flatten());
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
