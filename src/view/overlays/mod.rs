//! Overlays over the panes: forms, dialogs, menus, prompts, and full-screen lists.

mod activity;
mod bulk_plan;
mod bulk_run;
mod causes;
mod changes;
mod columns;
mod dialog;
mod form;
mod help;
mod history;
mod menu;
mod overview;
mod palette;
mod prompts;
mod queue;

use crate::app::App;
use crate::app::overlays::Overlay;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;

/// Draws one overlay over what was drawn before.
pub(super) fn draw(canvas: &mut Canvas, app: &App, overlay: &Overlay, layout: &ScreenAreas) {
    // A search leaves its list as it is.
    if !matches!(overlay, Overlay::Search(_)) {
        canvas.cover(layout.room());
    }
    match overlay {
        Overlay::Form(form) => form::draw(canvas, app, form, layout),
        Overlay::Dialog(dialog) => dialog::draw(canvas, (app, dialog), layout),
        Overlay::Menu(menu) => menu::draw(canvas, menu, layout),
        Overlay::Help(help) => help::draw(canvas, app, help, layout),
        Overlay::Palette(palette) => palette::draw(canvas, app, palette, layout),
        Overlay::History(cursor) => history::draw(canvas, app, cursor, layout),
        Overlay::Activity(cursor) => activity::draw(canvas, app, cursor, layout),
        Overlay::Key(field) => prompts::draw_key(canvas, app, field, layout),
        Overlay::ViewName(field) => prompts::draw_view_name(canvas, field, layout),
        Overlay::Note(note) => prompts::draw_note(canvas, app, note, layout),
        Overlay::StateNote(state) => prompts::draw_state_note(canvas, app, state, layout),
        Overlay::Queue(queue) => queue::draw(canvas, app, queue, layout),
        Overlay::Changes(cursor) => changes::draw(canvas, app, cursor, layout),
        Overlay::Overview(cursor) => overview::draw(canvas, app, cursor, layout),
        Overlay::Causes(cursor) => causes::draw(canvas, app, cursor, layout),
        Overlay::Columns(cursor) => columns::draw(canvas, app, cursor, layout),
        // The footer shows the field.
        Overlay::Search(_) => {}
        Overlay::Run(cursor) => bulk_run::draw(canvas, app, cursor, layout),
    }
}
