//! Frames joined where they meet.

use ratatui::layout::Rect;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::Block;

use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;

/// Draws frames above the footer, and the footer's, joined where they meet.
pub(crate) fn joined_frames(canvas: &mut Canvas, layout: &ScreenAreas, places: impl IntoIterator<Item = Rect>) {
    // The footer's frame shares the last line of those above.
    let (top, screen) = (layout.footer - 1, layout.screen);
    let footer = Rect { y: top, height: screen.height - top, ..screen };
    for place in places.into_iter().chain([footer]) {
        let frame = Block::bordered().border_style(canvas.look.theme.dim).merge_borders(MergeStrategy::Exact);
        canvas.render(frame, place);
    }
}
