//! The filter line and the sort order. The caller loads or arranges the rows afterwards.

use jiff::Timestamp;
use tui_input::Input as TextField;

use crate::app::ctx::Ctx;
use crate::app::panes::reports::{FILTER_PAUSE, Reports};
use crate::app::undo::UndoStep;
use crate::domain::list::columns::Column;
use crate::domain::list::filter::complete::ends_with_value;
use crate::domain::list::filter::{self, Filter};
use crate::domain::list::query::Direction;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::Triages;
use crate::input::Action;

impl Reports {
    /// Moves the focus to the filter line.
    pub(crate) fn start_filter(&mut self) {
        if !self.typing {
            self.typing = true;
            self.typed_over = self.filter_line.value().to_owned();
            if ends_with_value(&self.typed_over) && self.filter_problems().next().is_none() {
                // So that the next term can be typed directly. A mistake is rather corrected.
                self.filter_line = TextField::new(format!("{} ", self.typed_over));
            }
            self.refresh_assist();
        }
    }

    /// Ends editing the filter line, and records the change for undo.
    pub(crate) fn accept_filter(&mut self, ctx: &mut Ctx) {
        self.typing = false;
        self.assist.cycle = None;
        // A completed term is followed by a space for the next one.
        let line = self.filter_line.value().trim_end();
        if line.len() < self.filter_line.value().len() && Filter::parse(line) == self.filter {
            self.filter_line = TextField::new(line.to_owned());
        }
        self.refresh_assist();
        let before = std::mem::take(&mut self.typed_over);
        if before != self.filter_line.value() {
            ctx.undo.remember(UndoStep::Filter(before));
        }
    }

    /// Applies the filter line after it was typed or completed; the service is queried after a pause.
    pub(crate) fn filter_changed(&mut self, ctx: &Ctx) {
        self.filter = Filter::parse(self.filter_line.value());
        self.send_at = ctx.now.saturating_add(FILTER_PAUSE).ok();
        self.refresh_assist();
    }

    /// Replaces the filter. Can be undone.
    pub(crate) fn set_filter(&mut self, text: &str, ctx: &mut Ctx) {
        let before = self.swap_filter(text);
        if before != text {
            ctx.undo.remember(UndoStep::Filter(before));
        }
    }

    /// Restricts the list to a project, or to none. Can be undone.
    pub(crate) fn set_project(&mut self, project: Option<Text>, ctx: &mut Ctx) {
        if self.scope != project {
            ctx.undo.remember(UndoStep::Project(std::mem::replace(&mut self.scope, project)));
        }
    }

    /// Moves the cursor to a report that is not shown: leaves another project, and clears a filter that hides it.
    pub(crate) fn reveal(&mut self, id: ReportId, triages: &Triages, now: Timestamp, ctx: &mut Ctx) {
        let row = self.listing.row(&id);
        let is_in_project = |row: &Report| self.scope.as_ref().is_none_or(|open| open.raw() == row.project.raw());
        let is_elsewhere = !row.is_some_and(is_in_project);
        let is_filtered = !row.is_some_and(|row| self.filter.keeps(row, triages, now));
        if is_elsewhere {
            self.set_project(None, ctx);
            ctx.notify(format!("All projects are shown ({} goes back)", ctx.key(Action::Undo)));
        }
        if is_filtered {
            self.set_filter("", ctx);
            ctx.notify(format!("The filter hid this report ({} restores it)", ctx.key(Action::Undo)));
        }
        self.cursor = Some(id);
    }

    /// Replaces the filter and returns the previous one.
    pub(crate) fn swap_filter(&mut self, text: &str) -> String {
        self.filter = Filter::parse(text);
        let before = std::mem::replace(&mut self.filter_line, TextField::new(text.to_owned())).value().to_owned();
        self.assist.cycle = None;
        self.refresh_assist();
        before
    }

    /// Adds a term to the filter.
    pub(crate) fn add_term(&mut self, term: &str, ctx: &mut Ctx) {
        self.set_filter(&filter::with_term(self.filter_line.value(), term), ctx);
    }

    /// Filters by the next result: bad, decent, good, all.
    pub(crate) fn cycle_result(&mut self, ctx: &mut Ctx) {
        let text = self.filter_line.value();
        let next = match filter::qualifier_value(text, "result:").as_deref() {
            None => Some("bad"),
            Some("bad") => Some("decent"),
            Some("decent") => Some("good"),
            Some(_) => None,
        };
        self.set_filter(&filter::with_qualifier(text, "result:", next), ctx);
    }

    /// Sorts by a column, or reverses the direction if it is the current one.
    pub(crate) fn sort_by(&mut self, column: Column, ctx: &mut Ctx) {
        let (former, direction) = self.sort;
        let direction = match column {
            same if same == former => direction.reversed(),
            // The newest, the worst, the start of the alphabet first.
            Column::GeneratedAt | Column::Id | Column::Failed | Column::Urgency => Direction::Descending,
            Column::Result | Column::Url | Column::Project | Column::Privacy | Column::Score | Column::State => {
                Direction::Ascending
            }
        };
        self.set_sort((column, direction), ctx);
    }

    /// Replaces the sort order. Can be undone.
    pub(super) fn set_sort(&mut self, sort: (Column, Direction), ctx: &mut Ctx) {
        if self.sort != sort {
            ctx.undo.remember(UndoStep::Sort(std::mem::replace(&mut self.sort, sort)));
            self.to_first = !self.is_chosen;
            // Rows may have changed since the service sorted them.
            self.edited = true;
        }
    }
}
