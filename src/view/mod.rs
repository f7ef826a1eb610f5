//! State to cells: `draw(&App) -> FrameLayout`. Decides nothing, reads nothing but the state.
//!
//! ```text
//! ┌ reportdeck  work · seo.example ── good 812 ▕████▎ decent 190 ▕█▉ bad 87 ▕▉ ── as of 14:02 ┐  header
//! │ Projects 14   │ Reports 1,089 · result:bad · sort generated_at ↓   │ Report 812           │  titles
//! │ ▸ All    1089 │   RESULT     URL                       GENERATED   │ https://…            │
//! │   shop    412 │ ▸ ✗ bad  31  shop.example/tea          2 h ago     │ ✗ title      high    │  panes
//! ├───────────────┴────────────────────────────────────────────────────┴──────────────────────┤
//! │ showing 87 of 1,089                       Enter open  n new  e edit  / filter  ? all keys │  footer
//! └───────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! One file per area, with the names of the state's files. Only rows that fit are looked at.

mod ascii;
mod canvas;
mod layout;
mod links;
mod look;
mod overlays;
mod panes;
pub mod theme;
mod times;
mod widgets;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::app::App;
use crate::app::frame_layout::{FrameLayout, Pane};
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::panes::{footer, header, projects, report, reports};

pub use self::ascii::Characters;
pub use self::look::Look;

/// What painting a page came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Painted {
    /// What was learnt: rows that fit, what can be clicked.
    pub drawn: FrameLayout,
    /// Where the terminal's cursor belongs; hidden without one.
    pub cursor: Option<Position>,
}

/// Draws the state on a frame of the drawing library.
pub fn draw(frame: &mut Frame, app: &App, look: &Look) -> FrameLayout {
    let painted = paint(frame.buffer_mut(), app, look);
    if let Some(position) = painted.cursor {
        frame.set_cursor_position(position);
    }
    painted.drawn
}

/// Draws the state on a blank page.
pub fn paint(page: &mut Buffer, app: &App, look: &Look) -> Painted {
    let area = *page.area();
    let mut canvas = Canvas::new(page, look);
    let mut drawn = FrameLayout::default();
    let Some(layout) = Layout::of(area, app) else {
        canvas.too_small(area);
        ascii::apply(page, look.characters);
        return Painted::default();
    };
    header::draw(&mut canvas, app, &layout);
    for (pane, place) in &layout.panes {
        drawn.visible.push(*pane);
        match pane {
            Pane::Projects => projects::draw(&mut canvas, app, *place, &mut drawn),
            Pane::Reports => reports::draw(&mut canvas, app, *place, &mut drawn),
            Pane::Report => report::draw(&mut canvas, app, *place, &mut drawn),
        }
    }
    footer::draw(&mut canvas, app, &layout, &mut drawn);
    for overlay in &app.overlays {
        overlays::draw(&mut canvas, app, overlay, &layout, &mut drawn);
    }
    let (cursor, links) = canvas.finish();
    ascii::apply(page, look.characters);
    links.apply(page);
    Painted { drawn, cursor }
}
