//! Framed boxes with a title, for overlays.

use ratatui::layout::{Margin, Rect};
use ratatui::widgets::{Block, Padding};

use crate::domain::text::fit_middle;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::joined_frames::joined_frames;

/// Draws an empty framed box with a title. Returns the inside, with a padding of one cell.
pub(crate) fn boxed(canvas: &mut Canvas, place: Rect, title: &str) -> Rect {
    let title = format!("─{}", fit_middle(&format!(" {title} "), usize::from(place.width.saturating_sub(4))));
    let block = Block::bordered().border_style(canvas.look.theme.focus).title(title).padding(Padding::horizontal(1));
    let inner = block.inner(place);
    canvas.clear(place);
    canvas.render(block, place);
    inner
}

/// Draws an empty frame over all panes, joined with the footer's. Returns the inside, with a padding of one cell.
pub(crate) fn whole(canvas: &mut Canvas, layout: &ScreenAreas, title: &str) -> Rect {
    let place = Rect { height: layout.footer, ..layout.screen };
    canvas.clear(place);
    joined_frames(canvas, layout, [place]);
    canvas.text((1, 0), place.width.saturating_sub(2), &format!("─ {title} "), canvas.look.theme.focus);
    place.inner(Margin::new(2, 1))
}
