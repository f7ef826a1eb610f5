//! A scrollable list with a cursor.

use ratatui::layout::Rect;

use crate::app::frame_layout::HitTarget;
use crate::app::overlays::ListCursor;
use crate::view::canvas::Canvas;
use crate::view::widgets::scroll_bar::bar;

/// Draws the visible rows of a list, with its cursor.
pub(crate) fn list(
    canvas: &mut Canvas,
    rows: Rect,
    cursor: &ListCursor,
    count: usize,
    mut row: impl FnMut(&mut Canvas, (u16, u16), usize),
) {
    canvas.frame_layout.overlay = usize::from(rows.height);
    let mut window = cursor.window;
    window.follow(cursor.at.min(count.saturating_sub(1)), count, canvas.frame_layout.overlay);
    bar(canvas, rows, window.top, count, None);
    for (at, place) in (window.top..count).zip(rows.rows()) {
        let here = (place.x, place.y);
        row(canvas, here, at);
        canvas.hit(place, HitTarget::OverlayLine(at));
        if at == cursor.at {
            canvas.select_row(here, rows.width);
        }
    }
}
