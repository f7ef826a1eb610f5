//! Frames joined where they meet.

use ratatui::layout::Rect;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::Block;

use crate::view::canvas::Canvas;

/// Draws frames joined where they meet.
pub(crate) fn joined_frames(canvas: &mut Canvas, places: &[Rect]) {
    for place in places {
        let frame = Block::bordered().border_style(canvas.look.theme.dim).merge_borders(MergeStrategy::Exact);
        canvas.render(frame, *place);
    }
}
