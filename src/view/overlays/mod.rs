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
use crate::app::frame_layout::FrameLayout;
use crate::app::overlays::Overlay;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;

/// Draws one overlay.
pub(super) fn draw(canvas: &mut Canvas, app: &App, overlay: &Overlay, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    match overlay {
        Overlay::Form(form) => form::draw(canvas, app, form, layout, drawn),
        Overlay::Dialog(dialog) => dialog::draw(canvas, (app, dialog), layout, drawn),
        Overlay::Menu(menu) => menu::draw(canvas, menu, layout, drawn),
        Overlay::Help(help) => help::draw(canvas, app, help, layout, drawn),
        Overlay::Palette(palette) => palette::draw(canvas, app, palette, layout, drawn),
        Overlay::History(cursor) => history::draw(canvas, app, cursor, layout, drawn),
        Overlay::Activity(cursor) => activity::draw(canvas, app, cursor, layout, drawn),
        Overlay::Key(field) => prompts::draw_key(canvas, app, field, layout),
        Overlay::ViewName(field) => prompts::draw_view_name(canvas, field, layout),
        Overlay::Note(note) => prompts::draw_note(canvas, app, note, layout, drawn),
        Overlay::StateNote(state) => prompts::draw_state_note(canvas, app, state, layout, drawn),
        Overlay::Queue(queue) => queue::draw(canvas, app, queue, layout, drawn),
        Overlay::Changes(cursor) => changes::draw(canvas, app, cursor, layout, drawn),
        Overlay::Overview(cursor) => overview::draw(canvas, app, cursor, layout, drawn),
        Overlay::Causes(cursor) => causes::draw(canvas, app, cursor, layout, drawn),
        Overlay::Columns(cursor) => columns::draw(canvas, app, cursor, layout, drawn),
        Overlay::Run(cursor) => bulk_run::draw(canvas, app, cursor, layout, drawn),
    }
}
