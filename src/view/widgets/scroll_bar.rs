//! Scroll bars: where the window on the rows is, drawn on the frame beside them when there is more than fits.

use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState};

use crate::app::frame_layout::{Area, FrameLayout, HitTarget, Pane};
use crate::view::canvas::Canvas;

/// The rows of a list and the part of them that is on the screen.
pub(crate) struct ScrollRange {
    pub(crate) top: usize,
    pub(crate) fit: usize,
    pub(crate) count: usize,
}

/// Draws the thumb on the frame to the right of the rows; without a pane it belongs to the list on top.
pub(crate) fn bar(canvas: &mut Canvas, rows: Rect, shown: &ScrollRange, pane: Option<Pane>, drawn: &mut FrameLayout) {
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
    canvas.render_with(scrollbar, Rect::new(column, rows.y, 1, rows.height), &mut state);
    let area = Area { column, row: rows.y, width: 1, height: rows.height };
    drawn.spots.push((area, HitTarget::ScrollBar(pane)));
}
