//! State to cells: `draw(&App) -> Drawn`. Decides nothing, reads nothing but the state.
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

mod bulk;
mod canvas;
mod dialog;
mod footer;
mod form;
mod frame;
mod layout;
mod overlay;
mod projects;
mod queue;
mod report;
mod reports;
mod since;
pub mod theme;

use jiff::tz::TimeZone;
use ratatui::Frame;

use crate::app::App;
use crate::app::drawn::{Drawn, Pane};
use crate::app::overlay::Overlay;
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::theme::Theme;

/// How the program looks on this terminal; fixed for a run.
#[derive(Debug, Clone)]
pub struct Look {
    /// Colours and attributes by meaning.
    pub theme: Theme,
    /// The zone in which exact times are shown.
    pub zone: TimeZone,
}

/// Draws the state and says what was learnt: rows that fit, what can be clicked.
pub fn draw(frame: &mut Frame, app: &App, look: &Look) -> Drawn {
    let area = frame.area();
    let mut canvas = Canvas::new(frame.buffer_mut(), look);
    let mut drawn = Drawn::default();
    let Some(layout) = Layout::of(area, app) else {
        canvas.too_small(area);
        return drawn;
    };
    frame::draw(&mut canvas, app, &layout);
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
        match overlay {
            Overlay::Form(form) => form::draw(&mut canvas, form, &layout, &mut drawn),
            Overlay::Dialog(dialog) => dialog::draw(&mut canvas, dialog, &layout, &mut drawn),
            Overlay::Menu(menu) => overlay::draw_menu(&mut canvas, menu, &layout, &mut drawn),
            Overlay::Help(help) => overlay::draw_help(&mut canvas, app, help, &layout, &mut drawn),
            Overlay::Activity(cursor) => overlay::draw_activity(&mut canvas, app, cursor, &layout, &mut drawn),
            Overlay::Key(field) => overlay::draw_key(&mut canvas, field, &layout),
            Overlay::ViewName(field) => overlay::draw_view_name(&mut canvas, field, &layout),
            Overlay::Note(note) => overlay::draw_note(&mut canvas, note, &layout),
            Overlay::Queue(queue) => queue::draw(&mut canvas, app, queue, &layout, &mut drawn),
            Overlay::Since(cursor) => since::draw(&mut canvas, app, cursor, &layout, &mut drawn),
            Overlay::Columns(cursor) => overlay::draw_columns(&mut canvas, app, cursor, &layout, &mut drawn),
            Overlay::Run(cursor) => bulk::draw_run(&mut canvas, app, cursor, &layout, &mut drawn),
        }
    }
    if let Some(position) = canvas.cursor() {
        frame.set_cursor_position(position);
    }
    drawn
}
