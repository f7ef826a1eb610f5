//! Scroll bars, drawn on the frame beside rows that do not all fit.

use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState};

use crate::app::frame_layout::{HitTarget, Pane};
use crate::view::canvas::Canvas;

/// Draws a scroll bar to the right of the rows, of which `top` is the first of `count`. `pane` is `None` for the list on
/// top.
pub(crate) fn bar(canvas: &mut Canvas, rows: Rect, top: usize, count: usize, pane: Option<Pane>) {
    let fit = usize::from(rows.height);
    if count <= fit || rows.height < 2 {
        return;
    }
    let column = rows.right() + u16::from(pane.is_none());
    let mut state = ScrollbarState::new(count - fit).position(top).viewport_content_length(fit);
    let scrollbar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol("┃")
        .thumb_style(canvas.look.theme.text);
    let place = Rect::new(column, rows.y, 1, rows.height);
    canvas.render_with(scrollbar, place, &mut state);
    canvas.hit(place, HitTarget::ScrollBar(pane));
}
