//! Menus.

use ratatui::layout::Rect;

use crate::app::overlays::Menu;
use crate::domain::text::{fit_middle, width};
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// The lines below the rows, for the whole text of a row that is cut.
const FOOT: u16 = 2;

pub(crate) fn draw(canvas: &mut Canvas, menu: &Menu, layout: &ScreenAreas) {
    let widest = menu.rows.iter().map(|(text, _)| width(text)).max().unwrap_or(0);
    // The title is padded with a space on each side.
    let cells = widest.max(24).max(width(&menu.title) + 2) as u16 + 4;
    let foot = if widest + 4 > usize::from(layout.screen.width) { FOOT } else { 0 };
    let inner = boxed(canvas, layout.middle(cells, menu.rows.len() as u16 + foot + 2), &menu.title);
    let rows = Rect { height: inner.height.saturating_sub(foot), ..inner };
    let cells = usize::from(inner.width);
    list(canvas, rows, &menu.cursor, menu.rows.len(), |canvas, at, index| {
        let text = fit_middle(&menu.rows[index].0, cells);
        canvas.text(at, inner.width, &text, canvas.look.theme.text);
    });
    if let Some((text, _)) = menu.rows.get(menu.cursor.at).filter(|(text, _)| width(text) > cells) {
        canvas.wrapped(Rect { y: rows.bottom(), height: foot, ..inner }, text, canvas.look.theme.dim);
    }
}
