//! A scrollable list with a cursor.

use ratatui::layout::Rect;

use crate::app::frame_layout::{FrameLayout, HitTarget};
use crate::app::overlays::ListCursor;
use crate::view::canvas::Canvas;
use crate::view::layout::area;
use crate::view::widgets::scroll_bar::{ScrollRange, bar};

/// Draws the visible rows of a list, with its cursor.
pub(crate) fn list(
    canvas: &mut Canvas,
    rows: Rect,
    cursor: &ListCursor,
    count: usize,
    drawn: &mut FrameLayout,
    mut row: impl FnMut(&mut Canvas, (u16, u16), usize),
) {
    drawn.overlay = usize::from(rows.height);
    drawn.hit_targets.push((area(rows), HitTarget::OverlayRows));
    let mut window = cursor.window;
    window.follow(cursor.at.min(count.saturating_sub(1)), count, drawn.overlay);
    bar(canvas, rows, &ScrollRange { top: window.top, fit: drawn.overlay, count }, None, drawn);
    for line in 0..rows.height {
        let at = window.top + usize::from(line);
        if at >= count {
            break;
        }
        let here = (rows.x, rows.y + line);
        row(canvas, here, at);
        if at == cursor.at {
            canvas.style_line(here, rows.width, canvas.look.theme.selected);
        }
    }
}
