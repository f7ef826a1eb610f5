//! The reports pane: requested rows, shown rows, cursor.
//!
//! The cursor is stored as a report id, not a position.

pub mod arrange;
pub mod arrangement;
pub mod assist;
pub mod columns;
pub mod complete;
pub mod filter_and_sort;
pub mod listing;
pub mod loading;
pub mod recent_writes;
pub mod select;
pub mod selection;
pub mod views;

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use tui_input::Input as TextField;

use crate::app::ctx::Ctx;
use crate::app::effect::RequestId;
use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::message::Fact;
use crate::app::panes::projects::Projects;
use crate::app::panes::reports::arrangement::AppliedArrangement;
use crate::app::panes::reports::assist::FilterAssist;
use crate::app::panes::reports::listing::{Listing, LoadState};
use crate::app::panes::reports::recent_writes::RecentWrites;
use crate::app::panes::reports::selection::Selection;
use crate::domain::failure::Failure;
use crate::domain::list::cached_rows::SavedView;
use crate::domain::list::column_layout::{ColumnLayout, default_columns};
use crate::domain::list::columns::Column;
use crate::domain::list::filter::Filter;
use crate::domain::list::query::{DEFAULT_PAGE_SIZE, Direction, ReportQuery};
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;

/// Cells for a holder's name after a state.
const HOLDER_CELLS: u16 = 8;

/// How long typing must pause before the service is queried.
pub const FILTER_PAUSE: SignedDuration = SignedDuration::from_millis(300);

/// The reports pane.
#[derive(Debug, Default)]
pub struct Reports {
    /// The listing on the screen.
    pub listing: Listing,
    /// The listing that will replace it: another query, or the same one repeated.
    pub incoming: Option<Listing>,
    /// The failure of the last load, until one succeeds.
    pub failure: Option<Failure>,
    /// The text of the filter line.
    pub filter_line: TextField,
    /// The parsed filter line.
    pub filter: Filter,
    /// Completions and problems of the filter line.
    pub assist: FilterAssist,
    /// Whether the user is typing in the filter line.
    pub typing: bool,
    /// The filter line before it was edited.
    pub typed_over: String,
    /// When the typed filter is sent to the service.
    pub send_at: Option<Timestamp>,
    /// The open project; `None` for all.
    pub scope: Option<Text>,
    /// The user's column layout.
    pub columns: ColumnLayout,
    /// Whether any reports have triage states or notes, for which there is then a default column.
    pub(crate) has_states: bool,
    /// Whether reports may have holders, i.e. there is a desk.
    pub(crate) has_holders: bool,
    /// The requested sort order.
    pub sort: (Column, Direction),
    /// Positions of the shown rows, in order.
    pub shown: Vec<u32>,
    /// How often `shown` was replaced or changed.
    pub(crate) shown_changes: u64,
    /// How many rows of the listing are covered by `shown`.
    pub arranged: usize,
    /// The arrangement that produced `shown`.
    pub arranged_by: Option<AppliedArrangement>,
    /// The pending arrangement on another thread.
    pub arranging: Option<(RequestId, AppliedArrangement)>,
    /// Whether the rows must be arranged again after the pending arrangement.
    pub arrange_again: bool,
    /// Rows were added locally, or the user has sorted rows that may have changed since, so the service's order no longer
    /// holds.
    pub edited: bool,
    /// The report under the cursor.
    pub cursor: Option<ReportId>,
    /// Its index among the shown rows.
    pub at: usize,
    /// The user chose the row under the cursor by moving to it, opening or clicking it.
    pub(crate) is_chosen: bool,
    /// The list was sorted without a chosen row, so the cursor goes to the first row of the new order.
    pub(crate) to_first: bool,
    /// The visible rows.
    pub window: ListWindow,
    /// Reports that were added above the visible rows, until the first row was seen.
    pub new_above: usize,
    /// The listing before a refresh whose rows are still being arranged.
    pub(crate) refreshed: Option<Listing>,
    /// Cells by which the URL column is scrolled.
    pub sideways: usize,
    /// The marked reports.
    pub selection: Selection,
    /// The saved views, by name.
    pub views: Vec<SavedView>,
    /// Whether a view was saved or deleted after the stored views were requested.
    pub(crate) views_changed_since_request: bool,
    /// The name of the view that was shown or saved last.
    pub(crate) last_view: Option<String>,
    /// Deleted reports, which older pages may still contain.
    pub(crate) deleted: HashSet<ReportId>,
    /// Replies to writes that pages in flight may not include.
    pub(crate) recent_writes: RecentWrites,
}

impl Reports {
    /// Returns the row at an index of the shown rows.
    pub fn shown_row(&self, at: usize) -> Option<&Report> {
        self.listing.rows.get(*self.shown.get(at)?)
    }

    /// Returns the index of a report among the shown rows.
    pub(crate) fn index_of(&self, id: &ReportId) -> Option<usize> {
        let place = self.listing.place(id)?;
        self.shown.iter().position(|shown| *shown == place)
    }

    /// Returns the window that shows the cursor among `fit` rows.
    pub fn window_of(&self, fit: usize) -> ListWindow {
        let mut window = self.window;
        window.follow(self.at, self.shown.len(), fit);
        window
    }

    /// Returns the row under the cursor.
    pub fn current(&self) -> Option<&Report> {
        self.shown_row(self.at)
    }

    /// Returns the listing being loaded, or the last one loaded.
    pub fn loading(&self) -> &Listing {
        self.incoming.as_ref().unwrap_or(&self.listing)
    }

    /// Mutable version of [`Self::loading`].
    pub fn loading_mut(&mut self) -> &mut Listing {
        self.incoming.as_mut().unwrap_or(&mut self.listing)
    }

    /// Whether a page is pending.
    pub fn is_loading(&self) -> bool {
        matches!(self.loading().load, LoadState::Asked(..))
    }

    /// Moves the cursor.
    pub fn go(&mut self, movement: CursorMove, fit: usize) {
        let at = movement.from(self.at, self.shown.len(), fit);
        self.put_cursor(at, fit);
        self.is_chosen = self.at > 0;
        self.to_first = false;
    }

    /// Moves the cursor to a row chosen by the user.
    pub(crate) fn choose_row(&mut self, at: usize, fit: usize) {
        self.put_cursor(at, fit);
        self.is_chosen = true;
        self.to_first = false;
    }

    /// Moves the cursor to the row at `at`.
    pub fn put_cursor(&mut self, at: usize, fit: usize) {
        self.at = at.min(self.shown.len().saturating_sub(1));
        self.cursor = self.current().map(|report| report.id.clone());
        self.window.follow(self.at, self.shown.len(), fit);
    }

    /// Scrolls to the top, or as near to it as keeps the cursor's row visible.
    pub(crate) fn show_top(&mut self, fit: usize) {
        self.window = ListWindow::default();
        self.window.follow(self.at, self.shown.len(), fit);
    }

    /// Restores the cursor after the shown rows changed, and keeps its row on the same screen line.
    ///
    /// If the row is gone, the cursor stays at its index. After sorting it moves to the first row, unless a row was
    /// chosen.
    pub fn find_cursor(&mut self, fit: usize) {
        if self.to_first {
            // A list that is being reloaded in this order will have another first row.
            self.to_first = self.is_loading() || self.arranging.is_some();
            return self.put_cursor(0, fit);
        }
        if let Some(found) = self.cursor.as_ref().and_then(|id| self.index_of(id)) {
            self.window.follow_row(self.at, found);
            self.at = found;
        }
        self.put_cursor(self.at, fit);
    }

    /// Builds the query for the current filter, project and sort order.
    pub fn wanted_query(&self, projects: &Projects) -> ReportQuery {
        let mut query = self.filter.pushed_down(projects.names());
        if let Some(scope) = &self.scope {
            query.project = Some(scope.raw().to_owned());
        }
        let (column, direction) = self.sort;
        query.sort = match column.entry().service_sort {
            Some(key) => Some((key, direction)),
            // The service cannot sort by this column, so the previous sort is kept.
            None => self.listing.query.sort,
        };
        query.per_page = Some(DEFAULT_PAGE_SIZE);
        query
    }

    /// The columns of the table, in order; drawing omits those that do not fit.
    pub fn wanted_columns(&self) -> Vec<Column> {
        self.columns.shown.clone().unwrap_or_else(|| self.default_columns())
    }

    /// The columns shown until the user chooses others.
    pub(crate) fn default_columns(&self) -> Vec<Column> {
        default_columns(self.sort.0, self.scope.is_some(), self.has_states)
    }

    /// The URL as shown in the table: only the path if the list is restricted to one project named like the host.
    pub fn shown_url<'a>(&self, report: &'a Report) -> &'a str {
        if self.is_in_one_project() { report.url_in_project() } else { report.short_url() }
    }

    /// Whether all rows belong to one project, by scope or filter.
    pub fn is_in_one_project(&self) -> bool {
        self.scope.is_some() || self.listing.query.project.is_some() || self.filter.names_a_project()
    }

    /// The width of a column, in cells.
    pub fn width_of(&self, column: Column) -> u16 {
        self.columns.widths.get(&column).copied().unwrap_or(column.entry().width + self.holder_cells(column))
    }

    /// The cells of a column for a holder's name. They are given up before the column is dropped.
    pub fn holder_cells(&self, column: Column) -> u16 {
        let has_room = column == Column::State && self.has_holders && !self.columns.widths.contains_key(&column);
        if has_room { HOLDER_CELLS } else { 0 }
    }

    /// Whether rows must be sorted locally: edited since, received out of order, or requested in another order.
    pub fn sorts_here(&self) -> bool {
        self.edited || self.listing.out_of_order || self.listing.asked_order() != Some(self.sort)
    }

    /// Applies a fact. Returns true if the rows must be rearranged.
    ///
    /// A changed report does not trigger that: rows must not jump.
    pub(crate) fn on_fact(&mut self, fact: &Fact, ctx: &Ctx) -> bool {
        // A list that waits or was stopped has no pending page, but may have read those that precede a created report.
        if let Fact::ReportCreated(report) | Fact::ReportUpdated(report) = fact
            && (self.is_loading() || self.incoming.is_some())
        {
            let until = self.loading().waits_for();
            self.recent_writes.record(report, matches!(fact, Fact::ReportCreated(_)), until);
        }
        match fact {
            Fact::ReportCreated(report) => {
                if self.listing.query.includes(report) {
                    self.listing.put(Report { details: None, ..report.clone() });
                    self.edited = true;
                }
                true
            }
            Fact::ReportUpdated(report) | Fact::ReportRead(report) => {
                self.put_row(report);
                false
            }
            Fact::ReportDeleted(id) => {
                self.remove_rows(vec![id.clone()], ctx);
                false
            }
            Fact::ProjectDeleted(project) => {
                let listings = std::iter::once(&self.listing).chain(&self.incoming);
                let rows = listings.flat_map(|listing| listing.rows.iter());
                let of_project = rows.filter(|row| row.project.raw() == project.raw());
                self.remove_rows(of_project.map(|row| row.id.clone()).collect(), ctx);
                self.scope.take_if(|scope| scope.raw() == project.raw());
                true
            }
        }
    }

    /// Returns why a report is gone: deleted, or missing in a list of all reports because others have deleted it.
    pub(crate) fn gone_reason(&self, id: &ReportId) -> Option<&'static str> {
        let is_missing = self.incoming.is_none() && self.listing.is_whole() && self.listing.place(id).is_none();
        if self.deleted.contains(id) { Some("is deleted") } else { is_missing.then_some("is no longer listed") }
    }

    fn put_row(&mut self, report: &Report) {
        let mut row = Report { details: None, ..report.clone() };
        // The list's checks remain valid until another audit is known.
        let listed = self.listing.row(&row.id).filter(|listed| listed.generated_at == row.generated_at);
        if let Some(failing) = report.failing().or_else(|| listed?.failing()) {
            row.failed = failing.into_boxed_slice().into();
        }
        if self.listing.row(&row.id).is_some_and(|old| *old != row) {
            self.listing.put(row.clone());
        }
        if let Some(incoming) = self.incoming.as_mut().filter(|incoming| incoming.place(&row.id).is_some()) {
            incoming.put(row);
        }
    }

    fn remove_rows(&mut self, ids: Vec<ReportId>, ctx: &Ctx) {
        self.unmark(&ids);
        for id in ids {
            self.listing.remove(&id);
            if let Some(incoming) = &mut self.incoming {
                incoming.remove(&id);
            }
            self.deleted.insert(id);
        }
        self.shorten_range(|_| true);
        // Many rows are arranged in the background; meanwhile the deleted ones leave no empty lines.
        let rows = &self.listing.rows;
        self.shown.retain(|place| rows.get(*place).is_some());
        self.rows_changed(self.shown.len(), ctx);
    }
}

/// Whether `listing` holds every row of the `wanted` query, in any order.
pub fn covers(listing: &Listing, wanted: &ReportQuery) -> bool {
    let had = &listing.query;
    if had == wanted {
        return listing.load != LoadState::Idle;
    }
    let narrows = |had: &Option<String>, wanted: &Option<String>| had.is_none() || had == wanted;
    let searched = match (&had.search, &wanted.search) {
        (None, _) => true,
        (Some(had), Some(wanted)) => wanted.contains(had.as_str()),
        (Some(_), None) => false,
    };
    listing.is_complete()
        && narrows(&had.project, &wanted.project)
        && searched
        && (had.result.is_none() || had.result == wanted.result)
}
