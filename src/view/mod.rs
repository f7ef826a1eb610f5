//! Draws the state: `draw(&App) -> FrameLayout`. Drawing is a function of the state and the look.
//!
//! ```text
//! ┌ reportdeck  work · seo.example ── good 812 ▕████▎ decent 190 ▕█▉ bad 87 ▕▉ ── as of 14:02 ┐  header
//! │ Projects 14   │ Reports 1,089 · result:bad · audited ↓             │ Report 812           │  titles
//! │ ▸ All    1089 │   RESULT     URL                       GENERATED   │ https://…            │
//! │   shop    412 │ ▸ ✗ bad  31  shop.example/tea          2 h ago     │ ✗ title      high    │  panes
//! ├───────────────┴────────────────────────────────────────────────────┴──────────────────────┤
//! │ showing 87 of 1,089                       Enter open  n new  e edit  / filter  ? all keys │  footer
//! └───────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! There is one file per area. The cost of a frame does not depend on the number of rows, except that a range drawn
//! beside marked rows, the reports of the queue, and those of a bulk run and of its plan are counted in each frame.

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

use crate::app::App;
use crate::app::frame_layout::{FrameLayout, Pane};
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::{footer, header, projects, report, reports};

pub use self::ascii::Characters;
pub use self::layout::{SMALLEST_HEIGHT, SMALLEST_WIDTH};
pub use self::look::Look;

/// Draws the state on a blank frame and returns its layout.
pub fn draw(frame: &mut Frame, app: &App, look: &Look) -> FrameLayout {
    let area = frame.area();
    let page = frame.buffer_mut();
    let mut canvas = Canvas::new(page, look);
    let Some(layout) = ScreenAreas::of(area, app) else {
        canvas.too_small(area);
        ascii::apply(page, look.characters);
        return FrameLayout::default();
    };
    header::draw(&mut canvas, app, &layout);
    for (pane, place) in &layout.panes {
        canvas.frame_layout.visible.push(*pane);
        match pane {
            Pane::Projects => projects::draw(&mut canvas, app, *place),
            Pane::Reports => reports::draw(&mut canvas, app, *place),
            Pane::Report => report::draw(&mut canvas, app, *place),
        }
    }
    footer::draw(&mut canvas, app, &layout);
    for overlay in &app.overlays {
        overlays::draw(&mut canvas, app, overlay, &layout);
    }
    let (frame_layout, cursor, links) = canvas.finish();
    ascii::apply(page, look.characters);
    links.apply(page);
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    frame_layout
}
