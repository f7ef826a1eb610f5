//! The loaded rows of one query, and the state of loading them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::app::effect::RequestId;
use crate::domain::list::arrange::is_sorted;
use crate::domain::list::cached_rows::CachedRows;
use crate::domain::list::columns::{COLUMNS, Column};
use crate::domain::list::paging::{Ending, MOST_ROWS, Next, NextStep, Page, PageToken, Walk, new_unreadable};
use crate::domain::list::query::{Direction, ReportQuery};
use crate::domain::list::row_index::RowIndex;
use crate::domain::list::rows::Rows;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::changes::ListScope;
use crate::domain::triage::urgency::RowContext;

/// The loading state of a listing.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum LoadState {
    /// Not requested.
    #[default]
    Idle,
    /// Waiting for a page.
    Asked(RequestId, PageToken),
    /// Rate-limited; the page is requested again at this time.
    Waiting(Timestamp, PageToken),
    /// Stopped by the user; can be resumed at this page.
    Stopped(PageToken),
    /// A page failed; can be resumed there.
    Failed(PageToken),
    /// Finished.
    Ended(Ending),
}

/// The rows of one query.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The query.
    pub query: ReportQuery,
    /// The rows in order of arrival.
    pub rows: Arc<Rows>,
    /// The loading state.
    pub load: LoadState,
    /// The paging state.
    pub walk: Walk,
    /// The total number of rows, as the service reports it.
    pub total: Option<u64>,
    /// The number of pages, as the service reports it.
    pub last_page: Option<u64>,
    /// Rows that could not be parsed.
    pub unreadable: usize,
    /// How often the list was reread because it changed while being read.
    pub rereads: u8,
    /// When the first page arrived.
    pub as_of: Option<Timestamp>,
    /// The rows did not arrive in the requested order.
    pub out_of_order: bool,
    /// The number of rows by result.
    pub tally: ResultCounts,
    /// The number of rows by result and in total, per project.
    pub projects: HashMap<Arc<Text>, (ResultCounts, u64)>,
    /// Whether the rows are cached rows of an earlier run.
    pub is_cached: bool,
    places: RowIndex,
    page_rows: PageRows,
}

/// Row counts of the page being read.
#[derive(Debug, Clone, Copy, Default)]
struct PageRows {
    /// Rows in the response.
    seen: usize,
    /// Of these, reports that were deleted here.
    deleted: usize,
    /// Rows that were not in the list before this page.
    added: usize,
}

impl Listing {
    /// An empty listing of a query.
    pub fn new(query: ReportQuery) -> Self {
        let is_order_fixed = query.sort.is_none_or(|(key, _)| key.is_fixed());
        Self { query, walk: Walk::capped(MOST_ROWS).in_fixed_order(is_order_fixed), ..Self::default() }
    }

    /// Creates a listing of cached rows. It never covers a query, so the service is always asked too.
    pub fn cached(last: CachedRows, sort: (Column, Direction)) -> Self {
        let (column, direction) = sort;
        let query = ReportQuery {
            project: last.scope.project,
            search: last.scope.search,
            result: last.scope.result,
            sort: column.entry().service_sort.map(|key| (key, direction)),
            per_page: None,
        };
        let mut listing = Self::new(query);
        listing.add_cached(last.rows, sort);
        listing.total = last.total;
        listing.as_of = Some(last.taken_at);
        listing.is_cached = true;
        listing
    }

    /// Appends further cached rows.
    pub fn add_cached(&mut self, rows: Rows, (column, direction): (Column, Direction)) {
        let before = self.rows.len();
        for report in rows {
            self.add(report);
        }
        let joined = self.rows.from(before.saturating_sub(1));
        self.out_of_order |= !is_sorted(joined, column, direction, &RowContext::default());
    }

    /// The number of loaded rows.
    pub fn loaded(&self) -> usize {
        self.places.len()
    }

    /// Whether the service has no more rows for this query.
    pub fn is_complete(&self) -> bool {
        self.load == LoadState::Ended(Ending::Complete)
    }

    /// The pending request.
    pub fn waits_for(&self) -> Option<RequestId> {
        if let LoadState::Asked(request, _) = self.load { Some(request) } else { None }
    }

    /// Returns the row with this id.
    pub fn row(&self, id: &ReportId) -> Option<&Report> {
        self.rows.get(self.place(id)?)
    }

    /// Returns the position of the row with this id.
    pub fn place(&self, id: &ReportId) -> Option<u32> {
        self.places.of(id, &self.rows)
    }

    /// Resets the counts before a page is requested. Rows of an interrupted response stay, and still count as new.
    pub fn restart_page(&mut self) {
        self.page_rows = PageRows { added: self.page_rows.added, ..PageRows::default() };
    }

    /// Adds rows of the page being read. Repeated and deleted reports are dropped.
    pub fn add_to_page(&mut self, rows: Vec<Report>, deleted: &HashSet<ReportId>) {
        let before = self.rows.len();
        for report in rows {
            self.page_rows.seen += 1;
            if deleted.contains(&report.id) {
                self.page_rows.deleted += 1;
            } else {
                self.add(report);
            }
        }
        self.page_rows.added += self.rows.len() - before;
        if let Some((column, direction)) = self.asked_order() {
            let joined = self.rows.from(before.saturating_sub(1));
            // No service sorts by data that only this machine has.
            self.out_of_order |= !is_sorted(joined, column, direction, &RowContext::default());
        }
    }

    /// Finishes a page whose rows were added, and returns what to do next.
    pub fn end_page(&mut self, page: &Page<Report>, now: Timestamp) -> NextStep {
        let PageRows { seen, deleted, added } = std::mem::take(&mut self.page_rows);
        self.walk.compare_with_earlier_pages(page.total, seen + page.unreadable, seen.saturating_sub(deleted + added));
        self.unreadable += new_unreadable(page.unreadable, seen, deleted + added);
        // A page that has reports deleted since counts them too.
        self.total = page.total.map(|total| total.saturating_sub(deleted as u64)).or(self.total);
        self.last_page = page.last_page.or(self.last_page);
        self.as_of.get_or_insert(now);
        // A page without parsable rows is no repetition: paging continues where the service says.
        let lost = if seen == 0 && matches!(page.next, Next::Page(_)) { page.unreadable } else { 0 };
        self.walk.after_page(&page.next, seen, added + lost)
    }

    /// Replaces a row, or adds it if new.
    pub fn put(&mut self, report: Report) {
        if let Some(place) = self.place(&report.id) {
            self.count(&report, true);
            if let Some(old) = Arc::make_mut(&mut self.rows).put(place, Some(report)) {
                self.count(&old, false);
            }
        } else {
            self.add(report);
            self.total = self.total.map(|total| total + 1);
        }
    }

    /// Removes a row. Its slot stays empty, so that positions do not change.
    pub fn remove(&mut self, id: &ReportId) {
        let Some(place) = self.places.remove(id, &self.rows) else { return };
        if let Some(old) = Arc::make_mut(&mut self.rows).put(place, None) {
            self.count(&old, false);
        }
        self.total = self.total.map(|total| total.saturating_sub(1));
    }

    /// The column and direction requested from the service.
    pub fn asked_order(&self) -> Option<(Column, Direction)> {
        let (key, direction) = self.query.sort?;
        let entry = COLUMNS.iter().find(|entry| entry.service_sort == Some(key))?;
        Some((entry.column, direction))
    }

    /// Adds a row, unless present.
    pub fn add(&mut self, report: Report) {
        if self.place(&report.id).is_some() {
            return;
        }
        self.count(&report, true);
        let rows = Arc::make_mut(&mut self.rows);
        rows.push(report);
        self.places.add_last(rows);
    }

    fn count(&mut self, report: &Report, added: bool) {
        let (results, reports) = self.projects.entry(Arc::clone(&report.project)).or_default();
        for counts in [&mut self.tally, results] {
            if added { counts.add(&report.outcome) } else { counts.remove(&report.outcome) }
        }
        *reports = if added { *reports + 1 } else { reports.saturating_sub(1) };
    }

    /// Whether it contains every report of the service.
    pub fn is_whole(&self) -> bool {
        self.is_complete() && !self.is_cached && ListScope::of(&self.query) == ListScope::default()
    }
}
