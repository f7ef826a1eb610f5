//! The reports pane: the rows that are wanted, the rows that are shown, the cursor.
//!
//! The cursor is kept by report id, not by place.

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

/// Cells of a holder's name behind a state.
const HOLDER_CELLS: u16 = 8;

/// How long typing must rest before the service is asked.
pub const FILTER_PAUSE: SignedDuration = SignedDuration::from_millis(300);

/// The reports pane.
#[derive(Debug)]
pub struct Reports {
    /// The rows that are shown.
    pub listing: Listing,
    /// The rows that will replace them: another query, or the same asked again.
    pub incoming: Option<Listing>,
    /// Why the last loading failed, until one succeeds.
    pub failure: Option<Failure>,
    /// The text of the filter line.
    pub filter_line: TextField,
    /// What the filter line means.
    pub filter: Filter,
    /// Completions and problems of the filter line.
    pub assist: FilterAssist,
    /// The person is typing the filter.
    pub typing: bool,
    /// What stood in the filter line before it was typed into.
    pub typed_over: String,
    /// When the typed filter is sent to the service.
    pub send_at: Option<Timestamp>,
    /// The opened project, `None` for all.
    pub scope: Option<Text>,
    /// The columns that the person chose.
    pub columns: ColumnLayout,
    /// Reports have triage states or notes, so that these have a column by default.
    pub(crate) has_states: bool,
    /// Reports may have a holder: there is a desk.
    pub(crate) has_holders: bool,
    /// The wanted order.
    pub sort: (Column, Direction),
    /// The places of the shown rows, in order.
    pub shown: Vec<u32>,
    /// How many rows of the listing `shown` takes account of.
    pub arranged: usize,
    /// What `shown` was made by and of.
    pub arranged_by: Option<AppliedArrangement>,
    /// The arrangement on another thread that is waited for.
    pub arranging: Option<(RequestId, AppliedArrangement)>,
    /// Something changed since that arranging began.
    pub arrange_again: bool,
    /// Rows were changed or added here, so that the service's order no longer holds.
    pub edited: bool,
    /// The row under the cursor.
    pub cursor: Option<ReportId>,
    /// Its place among the shown rows.
    pub at: usize,
    /// The person chose the row under the cursor: moved to it, opened or clicked it.
    pub(crate) is_chosen: bool,
    /// The list was sorted without a chosen row: the first row of the new order gets the cursor.
    pub(crate) to_first: bool,
    /// The rows on the screen.
    pub window: ListWindow,
    /// Reports that a refresh brought above the rows on the screen, until the first row was seen.
    pub new_above: usize,
    /// The rows before a refresh whose rows are still being arranged.
    pub(crate) refreshed: Option<Listing>,
    /// Cells that the URL column is scrolled by.
    pub sideways: usize,
    /// The selected reports.
    pub selection: Selection,
    /// The saved views, by name.
    pub views: Vec<SavedView>,
    /// Deleted reports, which older pages may still hold.
    pub(crate) deleted: HashSet<ReportId>,
    /// Replies to writes, which are newer than pages on their way.
    pub(crate) recent_writes: RecentWrites,
}

impl Default for Reports {
    fn default() -> Self {
        Self {
            listing: Listing::new(ReportQuery::default()),
            incoming: None,
            failure: None,
            filter_line: TextField::default(),
            filter: Filter::default(),
            assist: FilterAssist::default(),
            typing: false,
            typed_over: String::new(),
            send_at: None,
            scope: None,
            columns: ColumnLayout::default(),
            has_states: false,
            has_holders: false,
            new_above: 0,
            refreshed: None,
            sort: (Column::GeneratedAt, Direction::Descending),
            shown: Vec::new(),
            arranged: 0,
            arranged_by: None,
            arranging: None,
            arrange_again: false,
            edited: false,
            cursor: None,
            at: 0,
            is_chosen: false,
            to_first: false,
            window: ListWindow::default(),
            sideways: 0,
            selection: Selection::default(),
            views: Vec::new(),
            deleted: HashSet::new(),
            recent_writes: RecentWrites::default(),
        }
    }
}

impl Reports {
    /// The shown row at a place on the list.
    pub fn shown_row(&self, at: usize) -> Option<&Report> {
        self.listing.rows.get(*self.shown.get(at)?)
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&Report> {
        self.shown_row(self.at)
    }

    /// The listing that is being loaded, or was last.
    pub fn loading(&self) -> &Listing {
        self.incoming.as_ref().unwrap_or(&self.listing)
    }

    /// The same, to be changed.
    pub fn loading_mut(&mut self) -> &mut Listing {
        self.incoming.as_mut().unwrap_or(&mut self.listing)
    }

    /// When the shown rows came, for the text of a failure to load newer ones. Cached rows always show their age.
    pub(crate) fn age_to_tell(&self) -> Option<Timestamp> {
        self.listing.as_of.filter(|_| self.listing.loaded() > 0 && !self.listing.from_memory)
    }

    /// True while a page is waited for.
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

    /// Puts the cursor on a row that the person chose.
    pub(crate) fn choose_row(&mut self, at: usize, fit: usize) {
        self.put_cursor(at, fit);
        self.is_chosen = true;
        self.to_first = false;
    }

    /// Puts the cursor on the row at `at`.
    pub fn put_cursor(&mut self, at: usize, fit: usize) {
        self.at = at.min(self.shown.len().saturating_sub(1));
        self.cursor = self.current().map(|report| report.id.clone());
        self.window.follow(self.at, self.shown.len(), fit);
    }

    /// Shows the first rows, as far as the cursor's row stays on the screen.
    pub(crate) fn show_top(&mut self, fit: usize) {
        self.window = ListWindow::default();
        self.window.follow(self.at, self.shown.len(), fit);
    }

    /// Finds the cursor's row after the shown rows changed, and keeps it on its line of the screen.
    ///
    /// A row that is gone leaves the cursor at its place. After sorting it goes to the first row unless one was chosen.
    pub fn find_cursor(&mut self, fit: usize) {
        if self.to_first {
            // A list that is loaded anew in this order has another first row when it comes.
            self.to_first = self.is_loading() || self.arranging.is_some();
            return self.put_cursor(0, fit);
        }
        let place = self.cursor.as_ref().and_then(|id| self.listing.place(id));
        let found = place.and_then(|place| self.shown.iter().position(|shown| *shown == place));
        if let Some(found) = found {
            self.window.carry(self.at, found);
            self.at = found;
        }
        self.put_cursor(self.at, fit);
    }

    /// The query for the present filter, project and sort order.
    pub fn wanted_query(&self, projects: &Projects) -> ReportQuery {
        let mut query = self.filter.pushed_down(projects.names());
        if let Some(scope) = &self.scope {
            query.project = Some(scope.raw().to_owned());
        }
        let (column, direction) = self.sort;
        query.sort = match column.entry().service_sort {
            Some(key) => Some((key, direction)),
            // The service cannot sort by this column: what it was asked before will do.
            None => self.listing.query.sort,
        };
        query.per_page = Some(DEFAULT_PAGE_SIZE);
        query
    }

    /// The columns of the table, in their order; drawing leaves out what does not fit.
    pub fn wanted_columns(&self) -> Vec<Column> {
        self.columns.shown.clone().unwrap_or_else(|| self.default_columns())
    }

    /// The columns that are shown until the person chooses others.
    pub(crate) fn default_columns(&self) -> Vec<Column> {
        default_columns(self.sort, self.scope.is_some(), self.has_states)
    }

    /// The URL as the table shows it: the path alone where one project is chosen and it is named like the host.
    pub fn shown_url<'a>(&self, report: &'a Report) -> &'a str {
        if self.is_in_one_project() { report.url_in_project() } else { report.short_url() }
    }

    /// Whether all rows are of one project that was chosen or filtered for.
    pub fn is_in_one_project(&self) -> bool {
        self.scope.is_some() || self.listing.query.project.is_some() || self.filter.names_a_project()
    }

    /// How wide a column is, in cells.
    pub fn width_of(&self, column: Column) -> u16 {
        let holder = if column == Column::State && self.has_holders { HOLDER_CELLS } else { 0 };
        self.columns.widths.get(&column).copied().unwrap_or(column.entry().width + holder)
    }

    /// True when the rows have to be sorted here: the service cannot, did not, or got another order.
    pub fn sorts_here(&self) -> bool {
        self.edited || self.listing.out_of_order || self.listing.asked_order() != Some(self.sort)
    }

    /// Applies a fact. True when the rows have to be arranged again.
    ///
    /// The order of the rows is left alone where a report changed: the view must not jump.
    pub(crate) fn on_fact(&mut self, fact: &Fact, ctx: &Ctx) -> bool {
        if let (Fact::ReportCreated(report) | Fact::ReportUpdated(report), Some(until)) =
            (fact, self.loading().waits_for())
        {
            self.recent_writes.record(report, matches!(fact, Fact::ReportCreated(_)), until);
        }
        match fact {
            Fact::ReportCreated(report) => {
                self.listing.put(Report { details: None, ..report.clone() });
                self.edited = true;
                true
            }
            Fact::ReportUpdated(report) | Fact::ReportRead(report) => {
                self.put_row(report);
                false
            }
            Fact::ReportDeleted(id) => {
                self.remove_row(id, ctx);
                false
            }
            Fact::ProjectDeleted(project) => {
                self.remove_project(project);
                true
            }
        }
    }

    fn put_row(&mut self, report: &Report) {
        let mut row = Report { details: None, ..report.clone() };
        // What the list said of its checks holds until another audit is known.
        let listed = self.listing.row(&row.id).filter(|listed| listed.generated_at == row.generated_at);
        if let Some(failing) = report.failing().or_else(|| listed?.failing()) {
            row.set_failing(failing.into());
        }
        if self.listing.row(&row.id).is_some_and(|old| *old != row) {
            self.listing.put(row.clone());
        }
        if let Some(incoming) = self.incoming.as_mut().filter(|incoming| incoming.place(&row.id).is_some()) {
            incoming.put(row);
        }
    }

    fn remove_row(&mut self, id: &ReportId, ctx: &Ctx) {
        self.deleted.insert(id.clone());
        self.unmark(std::slice::from_ref(id));
        self.listing.remove(id);
        if let Some(incoming) = &mut self.incoming {
            incoming.remove(id);
        }
        let rows = &self.listing.rows;
        self.shown.retain(|place| rows.get(*place).is_some());
        self.rows_changed(0, ctx);
    }

    fn remove_project(&mut self, project: &Text) {
        let rows = self.listing.rows.iter().filter(|row| row.project.raw() == project.raw());
        let ids: Vec<ReportId> = rows.map(|row| row.id.clone()).collect();
        for id in ids {
            self.listing.remove(&id);
            self.deleted.insert(id);
        }
        self.scope.take_if(|scope| scope.raw() == project.raw());
    }
}

/// True when `listing` holds every row of the `wanted` query, in whatever order.
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
