//! Frames joined where they meet.

use ratatui::layout::Rect;
use ratatui::symbols::line::{BOTTOM_LEFT, BOTTOM_RIGHT, HORIZONTAL, TOP_LEFT, TOP_RIGHT, VERTICAL};
use ratatui::symbols::merge::MergeStrategy;

use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;

/// Draws frames above the footer, and the footer's, joined where they meet.
pub(crate) fn joined_frames(canvas: &mut Canvas, layout: &ScreenAreas, places: impl IntoIterator<Item = Rect>) {
    // The footer's frame shares the last line of those above.
    let (top, screen) = (layout.footer - 1, layout.screen);
    let footer = Rect { y: top, height: screen.height - top, ..screen };
    for place in places.into_iter().chain([footer]) {
        frame(canvas, place);
    }
}

/// Draws one frame, and merges only its joints: ratatui's blocks merge every cell, which takes as long as drawing all
/// else.
fn frame(canvas: &mut Canvas, place: Rect) {
    let (left, top, right, bottom) = (place.x, place.y, place.right() - 1, place.bottom() - 1);
    let style = canvas.look.theme.dim;
    let corners = [
        ((left, top), TOP_LEFT),
        ((right, top), TOP_RIGHT),
        ((left, bottom), BOTTOM_LEFT),
        ((right, bottom), BOTTOM_RIGHT),
    ];
    let across = (left + 1..right).flat_map(|column| [top, bottom].map(|row| ((column, row), HORIZONTAL)));
    let down = (top + 1..bottom).flat_map(|row| [left, right].map(|column| ((column, row), VERTICAL)));
    for (at, symbol) in across.chain(down).chain(corners) {
        if let Some(cell) = canvas.cell(at).filter(|cell| cell.symbol() != symbol) {
            cell.merge_symbol(symbol, MergeStrategy::Exact).set_style(style);
        }
    }
}
