//! The column overlay: which columns are shown, in which order, how wide.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::{FrameLayout, Pane};
use crate::app::overlays::ListCursor;
use crate::domain::list::columns::Column;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::table_columns::TableColumns;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    let theme = &canvas.look.theme;
    let choices = app.reports.column_choices();
    let inner = boxed(canvas, layout.middle(52, choices.len() as u16 + 3), "Columns");
    let rows = Rect::new(inner.x, inner.y, inner.width, inner.height.saturating_sub(1));
    // The pane may fill the screen, or be hidden.
    let pane = layout.panes.iter().find(|(pane, _)| *pane == Pane::Reports).map(|(_, place)| place.width);
    let fitting = pane.map(|cells| TableColumns::of(app, cells, canvas.gap(cells)));
    list(canvas, rows, cursor, choices.len(), drawn, |canvas, at, index| {
        let (column, is_shown) = choices[index];
        let (mark, style) = if is_shown { ("[x]", theme.text) } else { ("[ ]", theme.dim) };
        canvas.text(at, rows.width, &format!("{mark} {}", column.name()), style);
        if is_shown && column != Column::Url {
            canvas.right(at, rows.width, &app.reports.width_of(column).to_string(), style);
        }
        if is_shown && fitting.as_ref().is_some_and(|fitting| !fitting.holds(column)) {
            canvas.right(at, rows.width.saturating_sub(4), "does not fit", theme.decent);
        }
    });
    let key = |action| app.ctx.key(action);
    let hint = format!(
        "{} shows or hides, {} {} move, {} {} resize, {} default",
        key(Action::ToggleColumn),
        key(Action::ColumnRight),
        key(Action::ColumnLeft),
        key(Action::ColumnWider),
        key(Action::ColumnNarrower),
        key(Action::UsualColumns)
    );
    let foot = (inner.x, inner.bottom().saturating_sub(1));
    canvas.text(foot, inner.width, &hint, theme.dim);
}
