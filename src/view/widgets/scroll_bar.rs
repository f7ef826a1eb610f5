//! Scroll bars, drawn on the frame beside rows that do not all fit.

use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState};

use crate::app::frame_layout::{HitTarget, Pane};
use crate::view::canvas::Canvas;

/// The visible part of a list.
pub(crate) struct ScrollRange {
    pub(crate) top: usize,
    pub(crate) fit: usize,
    pub(crate) count: usize,
}

/// Draws a scroll bar to the right of the rows. `pane` is `None` for the list on top.
pub(crate) fn bar(canvas: &mut Canvas, rows: Rect, shown: &ScrollRange, pane: Option<Pane>) {
    if shown.count <= shown.fit || rows.height < 2 {
        return;
    }
    let column = rows.right() + u16::from(pane.is_none());
    let mut state = ScrollbarState::new(shown.count - shown.fit).position(shown.top).viewport_content_length(shown.fit);
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
