//! Choosing the columns of the table, their order and widths. The choice is kept on this machine per service.

use crate::domain::list::column_layout::ColumnLayout;
use crate::domain::list::column_layout::default_columns;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::list_window::CursorMove;
use crate::app::overlays::{ListCursor, Overlay};
use crate::app::undo::UndoStep;
use crate::domain::list::columns::{COLUMNS, Column};

/// The narrowest and the widest that a column can be made.
const WIDTHS: std::ops::RangeInclusive<u16> = 3..=60;

impl App {
    /// `C`: the list of columns.
    pub(crate) fn choose_columns(&mut self) {
        self.overlays.push(Overlay::Columns(ListCursor::default()));
    }

    /// All columns: those of the table in their order, then the others.
    pub fn column_choices(&self) -> Vec<(Column, bool)> {
        let shown = self.reports.wanted_columns();
        let hidden = COLUMNS.iter().map(|entry| entry.column).filter(|column| !shown.contains(column));
        shown.iter().map(|column| (*column, true)).chain(hidden.map(|column| (column, false))).collect()
    }

    fn column_under_cursor(&self) -> Option<(usize, Column, bool)> {
        let Some(Overlay::Columns(cursor)) = self.overlays.last() else { return None };
        self.column_choices().get(cursor.at).map(|(column, is_shown)| (cursor.at, *column, *is_shown))
    }

    /// Shows or hides the column under the cursor; the URL always stays.
    pub(crate) fn toggle_column(&mut self) {
        let Some((_, column, is_shown)) = self.column_under_cursor() else { return };
        if column == Column::Url {
            return self.ctx.tell("The URL is always shown".to_owned());
        }
        let mut columns = self.reports.wanted_columns();
        if is_shown {
            columns.retain(|other| *other != column);
        } else {
            columns.push(column);
        }
        self.set_columns(Some(columns));
        let at = self.column_choices().iter().position(|(other, _)| *other == column).unwrap_or(0);
        self.put_column_cursor(at);
    }

    /// Moves the column under the cursor to the left or to the right.
    pub(crate) fn move_column(&mut self, to_the_right: bool) {
        let Some((at, _, true)) = self.column_under_cursor() else { return };
        let mut columns = self.reports.wanted_columns();
        let Some(other) = (if to_the_right { at.checked_add(1) } else { at.checked_sub(1) }) else { return };
        if other < columns.len() {
            columns.swap(at, other);
            self.set_columns(Some(columns));
            self.put_column_cursor(other);
        }
    }

    /// Makes the column under the cursor wider or narrower.
    pub(crate) fn resize_column(&mut self, cells: i16) {
        let Some((_, column, true)) = self.column_under_cursor() else { return };
        if column == Column::Url {
            return self.ctx.tell("The URL takes what the other columns leave".to_owned());
        }
        let width = self.reports.width_of(column).saturating_add_signed(cells).clamp(*WIDTHS.start(), *WIDTHS.end());
        let mut chosen = self.reports.columns.clone();
        chosen.widths.insert(column, width);
        chosen.widths.retain(|column, width| *width != column.entry().width);
        self.choose(chosen);
    }

    /// A heading was dragged to the place of another one.
    pub(crate) fn drop_column(&mut self, dragged: Column, onto: Column) {
        let mut columns = self.reports.wanted_columns();
        let place = |columns: &[Column], wanted: Column| columns.iter().position(|column| *column == wanted);
        let (Some(from), Some(to)) = (place(&columns, dragged), place(&columns, onto)) else { return };
        let column = columns.remove(from);
        columns.insert(to, column);
        self.set_columns(Some(columns));
    }

    /// The usual columns again, as wide as usual.
    pub(crate) fn usual_columns(&mut self) {
        self.choose(ColumnLayout::default());
        self.ctx.tell("The usual columns".to_owned());
    }

    fn put_column_cursor(&mut self, at: usize) {
        let fit = self.ctx.layout.overlay;
        if let Some(Overlay::Columns(cursor)) = self.overlays.last_mut() {
            cursor.go(CursorMove::By(at.cast_signed() - cursor.at.cast_signed()), COLUMNS.len(), fit);
        }
    }

    /// Takes another choice; it can be taken back.
    pub(crate) fn set_columns(&mut self, columns: Option<Vec<Column>>) {
        let shown =
            columns.filter(|columns| *columns != default_columns(self.reports.sort, self.reports.scope.is_some()));
        self.choose(ColumnLayout { shown, widths: self.reports.columns.widths.clone() });
    }

    fn choose(&mut self, chosen: ColumnLayout) {
        if chosen != self.reports.columns {
            let before = self.swap_columns(chosen);
            self.ctx.undo.remember(UndoStep::Columns(before));
        }
    }

    /// Puts other columns in the place of the present ones, which it gives back.
    pub(crate) fn swap_columns(&mut self, columns: ColumnLayout) -> ColumnLayout {
        let before = std::mem::replace(&mut self.reports.columns, columns.clone());
        self.ctx.effects.push(Effect::StoreColumns(columns));
        before
    }
}
