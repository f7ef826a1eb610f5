//! The history of the sample: its pages are audited as they were in each step of a week, and only the times are shifted.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::StreamExt as _;
use jiff::{SignedDuration, Timestamp};

use crate::api::client::{Client, Priority};
use crate::api::decode::RowDetail;
use crate::domain::failure::Failure;
use crate::domain::list::cached_rows::CachedRows;
use crate::domain::list::paging::PageToken;
use crate::domain::list::query::ReportQuery;
use crate::domain::report::{NewReport, Report, ReportChange, ReportId};
use crate::domain::triage::changes::{ListScope, Snapshot};
use crate::domain::triage::{Note, State, Triage};
use crate::journal::Journal;
use crate::service::DEFAULT_MAX_AUDITS;
use crate::service::sample::{self, HISTORY, HistoryStep, PAGES, SamplePage, SampleSite};

/// What a person made of the pages: the path, hours ago, the state, and a note.
const TRIAGED: [(&str, i64, State, &str); 5] = [
    ("/members", 118, State::WontFix, "noindex is meant so: only members need this page"),
    ("/new_page_1?session=4711&ref=home", 116, State::Waiting, "told the owner; a title comes with the next release"),
    ("/gift-cards", 40, State::ToVerify, "noindex is said to be gone"),
    ("/sold-out", 20, State::Waiting, ""),
    ("/guestbook.html", 3, State::Looking, ""),
];

/// The sample as it is made: where it is served, and where it is kept.
pub struct SampleHistory {
    /// The service's client.
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
    /// Makes the reports step by step. A report that cannot be created is missing from the sample.
    pub async fn make(self) -> Result<(), Failure> {
        let now = Timestamp::now();
        let mut reports: Vec<Created> = Vec::new();
        let (mut looks, mut rows) = (Vec::new(), Vec::new());
        for (number, step) in HISTORY.iter().enumerate() {
            self.audit(step, &mut reports).await;
            if number + 1 < HISTORY.len() {
                rows = self.list().await?;
                let at = now - SignedDuration::from_hours(step.hours_ago);
                looks.push(Snapshot::take(rows.iter(), ListScope::default(), true, at));
            }
        }
        let (file, service) = (self.journal, self.service);
        let work = triaged(&reports, &rows, now);
        let former = CachedRows {
            total: Some(rows.len() as u64),
            rows: rows.into_iter().collect(),
            scope: ListScope::default(),
            taken_at: looks.last().map_or(now, |look: &Snapshot| look.taken_at),
            next: None,
        };
        let stored = tokio::task::spawn_blocking(move || {
            let journal = Journal::open(&file)?;
            looks.iter().try_for_each(|look| journal.store_snapshot(&service, look))?;
            let states: Vec<(ReportId, Triage)> =
                work.iter().map(|(triage, id, _)| (id.clone(), triage.clone())).collect();
            journal.upsert_states(&service, &states)?;
            // The addresses of what is gone by now.
            journal.store_rows(&service, &former)?;
            work.iter()
                .filter(|(.., note)| note.is_some())
                .try_for_each(|(_, id, note)| journal.store_note(&service, id, note.as_ref()))
        });
        stored.await.unwrap_or(Ok(()))
    }

    /// Audits the pages of a step, and puts the results into the past.
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
        // Without it everything was audited just now.
        drop(tokio::task::spawn_blocking(move || sample::shift_audits(&data, started, by)).await);
    }

    async fn list(&self) -> Result<Vec<Report>, Failure> {
        let (query, page) = (ReportQuery::default(), PageToken::First);
        Ok(self.client.list_reports(&query, &page, RowDetail::Everything, Priority::Person).await?.rows)
    }
}

/// A request that leads to an audit.
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

/// The states and notes of [`TRIAGED`], each with its report.
fn triaged(reports: &[Created], rows: &[Report], now: Timestamp) -> Vec<(Triage, ReportId, Option<Note>)> {
    let of = |(path, hours, state, note): &(&str, i64, State, &str)| {
        let (_, id) = reports.iter().find(|(page, _)| page.path == *path)?;
        let row = rows.iter().find(|row| row.id == *id)?;
        let at = now - SignedDuration::from_hours(*hours);
        Some((Triage::set(*state, row, at), id.clone(), Note::new(note, at)))
    };
    TRIAGED.iter().filter_map(of).collect()
}
