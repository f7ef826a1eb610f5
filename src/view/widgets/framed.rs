//! An emptied box with a frame and a title, for what lies over the panes.

use ratatui::layout::Rect;
use ratatui::widgets::{Block, Padding};

use crate::domain::text::fit;
use crate::view::canvas::Canvas;

/// An emptied box with a frame and a title; returns what is inside, one cell away from the frame.
pub(crate) fn boxed(canvas: &mut Canvas, place: Rect, title: &str) -> Rect {
    let title = format!("─{}", fit(&format!(" {title} "), usize::from(place.width.saturating_sub(4))));
    let block = Block::bordered().border_style(canvas.look.theme.focus).title(title).padding(Padding::horizontal(1));
    let inner = block.inner(place);
    canvas.clear(place);
    canvas.render(block, place);
    inner
}
