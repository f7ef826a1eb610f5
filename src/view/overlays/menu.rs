//! Menus.

use crate::app::overlays::Menu;
use crate::domain::text::{fit_middle, width};
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

pub(crate) fn draw(canvas: &mut Canvas, menu: &Menu, layout: &ScreenAreas) {
    let texts = menu.rows.iter().map(|(text, _)| text.as_str());
    // The title is padded with a space on each side.
    let widest = texts.map(width).max().unwrap_or(0).max(24).max(width(&menu.title) + 2);
    let width = widest as u16 + 4;
    let inner = boxed(canvas, layout.middle(width, menu.rows.len() as u16 + 2), &menu.title);
    list(canvas, inner, &menu.cursor, menu.rows.len(), |canvas, at, index| {
        let text = fit_middle(&menu.rows[index].0, usize::from(inner.width));
        canvas.text(at, inner.width, &text, canvas.look.theme.text);
    });
}
