//! Scroll bars: where the window on the rows is, drawn on the frame beside them when there is more than fits.

use ratatui::layout::Rect;

use crate::app::frame_layout::{Area, FrameLayout, HitTarget, Pane};
use crate::view::canvas::Canvas;

/// The rows of a list and the part of them that is on the screen.
pub(crate) struct Shown {
    pub(crate) top: usize,
    pub(crate) fit: usize,
    pub(crate) count: usize,
}

/// Draws the thumb on the frame to the right of the rows; without a pane it belongs to the list on top.
pub(crate) fn bar(canvas: &mut Canvas, rows: Rect, shown: &Shown, pane: Option<Pane>, drawn: &mut FrameLayout) {
    let height = usize::from(rows.height);
    if shown.count <= shown.fit || height < 2 {
        return;
    }
    let (start, length) = thumb(height, shown);
    let column = rows.right() + u16::from(pane.is_none());
    let style = canvas.look.theme.text;
    for line in start..start + length {
        canvas.symbol((column, rows.y + line as u16), "┃", style);
    }
    let area = Area { column, row: rows.y, width: 1, height: rows.height };
    drawn.spots.push((area, HitTarget::ScrollBar(pane)));
}

/// The first line of the thumb and how many it has. It touches an end only where the rows do.
fn thumb(height: usize, shown: &Shown) -> (usize, usize) {
    let length = (height * shown.fit / shown.count).clamp(1, height - 1);
    let last_top = shown.count - shown.fit;
    let room = height - length;
    let start = shown.top.min(last_top) * room / last_top;
    let start = if shown.top > 0 && room > 1 { start.max(1) } else { start };
    (if shown.top < last_top { start.min(room - 1) } else { room }, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_thumb_says_where_the_window_is() {
        let thumb = |top| thumb(10, &Shown { top, fit: 10, count: 100 });
        assert_eq!([0, 1, 45, 89, 90].map(thumb), [(0, 1), (1, 1), (4, 1), (8, 1), (9, 1)]);
    }

    proptest! {
        #[test]
        fn the_thumb_stays_on_its_bar(height in 2_usize..60, fit in 1_usize..60, more in 1_usize..200_000, top in 0_usize..200_000) {
            let shown = Shown { top, fit, count: fit + more };
            let (start, length) = thumb(height, &shown);
            prop_assert!(length >= 1 && start + length <= height);
            prop_assert_eq!(start + length == height, top >= more);
        }
    }
}
