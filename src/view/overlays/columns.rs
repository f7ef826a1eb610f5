//! The column overlay: which columns are shown, in which order, how wide.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::Pane;
use crate::app::overlays::ListCursor;
use crate::domain::list::columns::Column;
use crate::domain::text::wrap;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::table_columns::TableColumns;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// The cells of the overlay, with its frame.
const WIDTH: u16 = 52;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let choices = app.reports.column_choices();
    let key = |action| canvas.look.characters.key(&app.ctx.key(action));
    let hint = format!(
        "{} shows or hides, {} {} move, {} {} resize, {} default",
        key(Action::ToggleColumn),
        key(Action::ColumnRight),
        key(Action::ColumnLeft),
        key(Action::ColumnWider),
        key(Action::ColumnNarrower),
        key(Action::UsualColumns)
    );
    let cells = layout.screen.width.min(WIDTH);
    let foot = wrap(&hint, usize::from(cells - 4)).len() as u16;
    let inner = boxed(canvas, layout.middle(cells, choices.len() as u16 + foot + 2), "Columns");
    let rows = Rect { height: inner.height.saturating_sub(foot), ..inner };
    // The pane may fill the screen, or be hidden.
    let pane = layout.panes.iter().find(|(pane, _)| *pane == Pane::Reports).map(|(_, place)| place.width);
    let fitting = pane.map(|cells| TableColumns::of(app, cells, canvas.gap(cells)));
    list(canvas, rows, cursor, choices.len(), |canvas, at, index| {
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
    canvas.wrapped(Rect { y: rows.bottom(), height: foot, ..inner }, &hint, theme.dim);
}
