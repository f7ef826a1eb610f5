//! A screen of framed blocks of lines, such as the overview.

use ratatui::layout::{Margin, Rect};

use crate::app::frame_layout::HitTarget;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::joined_frames::joined_frames;

/// A block, its area, and the position of its lines among all lines.
pub(crate) struct Block<Kind> {
    pub(crate) kind: Kind,
    pub(crate) place: Rect,
    /// The index of its first line.
    pub(crate) first: usize,
    /// The number of its lines.
    pub(crate) count: usize,
    /// The line of the cursor, if it is in this block.
    pub(crate) cursor: Option<usize>,
}

/// Clears the screen above the footer, and returns its area.
pub(crate) fn clear(canvas: &mut Canvas, layout: &ScreenAreas) -> Rect {
    let place = Rect { height: layout.footer, ..layout.screen };
    canvas.clear(place);
    canvas.frame_layout.overlay = usize::from(place.height);
    place
}

/// Draws a screen without blocks.
pub(crate) fn draw_empty(canvas: &mut Canvas, layout: &ScreenAreas, place: Rect, title: &str, text: &str) {
    joined_frames(canvas, layout, [place]);
    canvas.text((2, 0), place.width.saturating_sub(4), title, canvas.look.theme.title);
    canvas.wrapped(place.inner(Margin::new(2, 1)), text, canvas.look.theme.text);
}

/// Draws the frames of the visible blocks, and returns the blocks.
pub(crate) fn draw_frames<Kind: Copy + PartialEq>(
    canvas: &mut Canvas,
    layout: &ScreenAreas,
    places: Vec<(Kind, Rect)>,
    lines: &[(Kind, impl Sized)],
    cursor: usize,
) -> Vec<Block<Kind>> {
    joined_frames(canvas, layout, places.iter().map(|(_, place)| *place));
    let block = |(kind, place)| {
        let first = lines.iter().position(|(of, _)| *of == kind).unwrap_or_default();
        let count = count(lines, kind);
        let cursor = cursor.checked_sub(first).filter(|line| *line < count);
        Block { kind, place, first, count, cursor }
    };
    places.into_iter().map(block).collect()
}

/// The number of lines of a block.
pub(crate) fn count<Kind: Copy + PartialEq>(lines: &[(Kind, impl Sized)], kind: Kind) -> usize {
    lines.iter().filter(|(of, _)| *of == kind).count()
}

impl<Kind> Block<Kind> {
    /// The area within the frame.
    pub(crate) fn inner(&self) -> Rect {
        self.place.inner(Margin::new(2, 1))
    }

    /// The visible lines, each with its place. The line of the cursor is among them.
    pub(crate) fn visible(&self) -> impl Iterator<Item = (usize, Rect)> + use<Kind> {
        let inner = self.inner();
        let top = self.cursor.map_or(0, |cursor| (cursor + 1).saturating_sub(usize::from(inner.height)));
        (top..self.count).zip(inner.rows())
    }

    /// Draws the heading into the frame.
    pub(crate) fn draw_heading(&self, canvas: &mut Canvas, heading: &str) {
        let theme = &canvas.look.theme;
        let style = if self.cursor.is_some() { theme.focus } else { theme.dim };
        let at = (self.place.x + 2, self.place.y);
        canvas.text(at, self.place.width.saturating_sub(4), &format!(" {heading} "), style);
    }

    /// Highlights the line under the cursor, and makes the line clickable.
    pub(crate) fn select(&self, canvas: &mut Canvas, index: usize, place: Rect) {
        if self.cursor == Some(index) {
            canvas.select_row((place.x, place.y), place.width);
        }
        canvas.hit(place, HitTarget::OverlayLine(self.first + index));
    }
}
