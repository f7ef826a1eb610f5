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
    for line in 0..rows.height {
        let at = window.top + usize::from(line);
        if at >= count {
            break;
        }
        let here = (rows.x, rows.y + line);
        row(canvas, here, at);
        canvas.hit(Rect::new(here.0, here.1, rows.width, 1), HitTarget::OverlayLine(at));
        if at == cursor.at {
            canvas.style_line(here, rows.width, canvas.look.theme.selected);
        }
    }
}
