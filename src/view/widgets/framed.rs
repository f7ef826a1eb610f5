//! An emptied box with a frame and a title, for what lies over the panes.

use ratatui::layout::Rect;

use crate::view::canvas::Canvas;

/// An emptied box with a frame and a title; returns what is inside, one cell away from the frame.
pub(crate) fn boxed(canvas: &mut Canvas, place: Rect, title: &str) -> Rect {
    let theme = &canvas.look.theme;
    canvas.clear(place);
    let (right, bottom) = (place.right() - 1, place.bottom() - 1);
    for column in place.x..=right {
        canvas.symbol((column, place.y), "─", theme.focus);
        canvas.symbol((column, bottom), "─", theme.focus);
    }
    for row in place.y..=bottom {
        canvas.symbol((place.x, row), "│", theme.focus);
        canvas.symbol((right, row), "│", theme.focus);
    }
    for (symbol, at) in
        [("┌", (place.x, place.y)), ("┐", (right, place.y)), ("└", (place.x, bottom)), ("┘", (right, bottom))]
    {
        canvas.symbol(at, symbol, theme.focus);
    }
    canvas.text((place.x + 2, place.y), place.width.saturating_sub(4), &format!(" {title} "), theme.focus);
    Rect::new(place.x + 2, place.y + 1, place.width.saturating_sub(4), place.height.saturating_sub(2))
}
