//! The column layout of the table: which columns, in which order, how wide. Stored on this machine per service.

use crate::app::ctx::Ctx;
use crate::app::effect::Effect;
use crate::app::list_window::CursorMove;
use crate::app::overlays::ListCursor;
use crate::app::panes::reports::Reports;
use crate::app::undo::UndoStep;
use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::columns::{COLUMNS, Column};

/// The minimum and maximum width of a column, in cells.
const WIDTHS: std::ops::RangeInclusive<u16> = 3..=60;

impl Reports {
    /// Returns all columns and whether they are shown; the shown ones come first, in order.
    pub fn column_choices(&self) -> Vec<(Column, bool)> {
        let shown = self.wanted_columns();
        let hidden = COLUMNS.iter().map(|entry| entry.column).filter(|column| !shown.contains(column));
        shown.iter().map(|column| (*column, true)).chain(hidden.map(|column| (column, false))).collect()
    }

    /// Shows or hides the column under the cursor of the overlay; the URL is always shown.
    pub(crate) fn toggle_column(&mut self, cursor: &mut ListCursor, ctx: &mut Ctx) {
        let Some((column, is_shown)) = self.column_choices().get(cursor.at).copied() else { return };
        if column == Column::Url {
            return ctx.notify("The URL is always shown");
        }
        let mut columns = self.wanted_columns();
        if is_shown {
            columns.retain(|other| *other != column);
        } else {
            // Inserted after the URL: columns that do not fit are dropped from the end.
            let behind_url = columns.iter().position(|other| *other == Column::Url).map_or(columns.len(), |at| at + 1);
            columns.insert(behind_url, column);
        }
        self.set_columns(Some(columns), ctx);
        let at = self.column_choices().iter().position(|(other, _)| *other == column).unwrap_or(0);
        cursor.go(CursorMove::To(at), COLUMNS.len(), ctx.layout.overlay);
    }

    /// Moves the column under the cursor of the overlay left or right.
    pub(crate) fn move_column(&mut self, cursor: &mut ListCursor, to_the_right: bool, ctx: &mut Ctx) {
        let mut columns = self.wanted_columns();
        let Some(to) = (if to_the_right { cursor.at.checked_add(1) } else { cursor.at.checked_sub(1) }) else { return };
        if cursor.at.max(to) < columns.len() {
            columns.swap(cursor.at, to);
            self.set_columns(Some(columns), ctx);
            cursor.go(CursorMove::To(to), COLUMNS.len(), ctx.layout.overlay);
        }
    }

    /// Widens or narrows the column under the cursor of the overlay.
    pub(crate) fn resize_column(&mut self, cursor: &ListCursor, cells: i16, ctx: &mut Ctx) {
        let Some((column, true)) = self.column_choices().get(cursor.at).copied() else { return };
        if column == Column::Url {
            return ctx.notify("The URL takes the remaining width");
        }
        let width = self.width_of(column).saturating_add_signed(cells).clamp(*WIDTHS.start(), *WIDTHS.end());
        let mut chosen = self.columns.clone();
        chosen.widths.insert(column, width);
        chosen.widths.retain(|column, width| *width != column.entry().width);
        self.choose_columns(chosen, ctx);
    }

    /// Moves a column to the position of another, onto whose heading it was dragged.
    pub(crate) fn drop_column(&mut self, dragged: Column, onto: Column, ctx: &mut Ctx) {
        let mut columns = self.wanted_columns();
        let place = |columns: &[Column], wanted: Column| columns.iter().position(|column| *column == wanted);
        let (Some(from), Some(to)) = (place(&columns, dragged), place(&columns, onto)) else { return };
        let column = columns.remove(from);
        columns.insert(to, column);
        self.set_columns(Some(columns), ctx);
    }

    /// Restores the default columns and widths.
    pub(crate) fn reset_columns(&mut self, ctx: &mut Ctx) {
        self.choose_columns(ColumnLayout::default(), ctx);
        ctx.notify("Default columns restored");
    }

    /// Shows these columns. Can be undone.
    pub(crate) fn set_columns(&mut self, columns: Option<Vec<Column>>, ctx: &mut Ctx) {
        let shown = columns.filter(|columns| *columns != self.default_columns());
        self.choose_columns(ColumnLayout { shown, widths: self.columns.widths.clone() }, ctx);
    }

    fn choose_columns(&mut self, chosen: ColumnLayout, ctx: &mut Ctx) {
        if chosen != self.columns {
            let before = self.swap_columns(chosen, ctx);
            ctx.undo.remember(UndoStep::Columns(before));
        }
    }

    /// Replaces the layout and returns the previous one.
    pub(crate) fn swap_columns(&mut self, columns: ColumnLayout, ctx: &mut Ctx) -> ColumnLayout {
        ctx.effects.push(Effect::StoreColumns(columns.clone()));
        std::mem::replace(&mut self.columns, columns)
    }
}
