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

mod ascii;
mod bulk;
mod canvas;
mod dialog;
mod footer;
mod form;
mod frame;
mod layout;
mod links;
mod overlay;
mod projects;
mod queue;
mod report;
mod reports;
mod scroll;
mod shares;
mod since;
pub mod theme;
mod times;

use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::app::App;
use crate::app::drawn::{Drawn, Pane};
use crate::app::overlay::Overlay;
use crate::domain::look::terminal_env::{Colours, Whereabouts};
use crate::domain::look::{Density, LookOptions, ThemeName, Times};
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::theme::Theme;

pub use crate::view::ascii::Characters;

/// How the program looks on this terminal. Fixed for a run, but for the theme when it follows the terminal.
#[derive(Debug, Clone)]
pub struct Look {
    /// Colours and attributes by meaning.
    pub theme: Theme,
    /// The theme that was asked for.
    pub theme_name: ThemeName,
    /// How many colours there are to show it in.
    pub colours: Colours,
    /// Which characters the screen is made of.
    pub characters: Characters,
    /// How much room things get.
    pub density: Density,
    /// Addresses are made clickable.
    pub links: bool,
    /// How times are told until the person switches.
    pub times: Times,
    /// The zone in which exact times are shown.
    pub zone: TimeZone,
}

impl Default for Look {
    /// The terminal's own colours, everything drawn, UTC.
    fn default() -> Self {
        let capable = Whereabouts { is_utf8: true, ..Whereabouts::default() };
        Self::of(&LookOptions::default(), &capable, TimeZone::UTC)
    }
}

impl Look {
    /// What a person asked for, as far as this terminal can show it.
    pub fn of(options: &LookOptions, whereabouts: &Whereabouts, zone: TimeZone) -> Self {
        let characters = match (whereabouts.is_utf8, options.ascii_frame || whereabouts.has_few_symbols) {
            (false, _) => Characters::AsciiOnly,
            (true, true) => Characters::AsciiFrame,
            (true, false) => Characters::All,
        };
        Self {
            theme: Theme::of(options.theme, whereabouts.colours),
            theme_name: options.theme,
            colours: whereabouts.colours,
            characters,
            density: options.density,
            links: whereabouts.has_links,
            times: options.times,
            zone,
        }
    }

    /// Takes the side of the terminal's background, where the theme should follow it.
    pub fn follow(&mut self, is_light: bool) {
        if self.theme_name == ThemeName::Auto {
            // On a dark background the terminal's own colours are what its owner chose; on a light one several are pale.
            let name = if is_light { ThemeName::Light } else { ThemeName::Terminal };
            self.theme = Theme::of(name, self.colours);
        }
    }
}

/// What painting a page came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Painted {
    /// What was learnt: rows that fit, what can be clicked.
    pub drawn: Drawn,
    /// Where the terminal's cursor belongs; hidden without one.
    pub cursor: Option<Position>,
}

/// Draws the state on a frame of the drawing library.
pub fn draw(frame: &mut Frame, app: &App, look: &Look) -> Drawn {
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
    let mut drawn = Drawn::default();
    let Some(layout) = Layout::of(area, app) else {
        canvas.too_small(area);
        ascii::apply(page, look.characters);
        return Painted::default();
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
            Overlay::Dialog(dialog) => dialog::draw(&mut canvas, (app, dialog), &layout, &mut drawn),
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
    let (cursor, links) = canvas.finish();
    ascii::apply(page, look.characters);
    links.apply(page);
    Painted { drawn, cursor }
}
