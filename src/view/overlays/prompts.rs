//! Prompts of one line: the name of a view, a note, an API key.

use tui_input::Input as TextField;

use crate::app::App;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::note::NoteField;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;

pub(crate) fn draw_view_name(canvas: &mut Canvas, field: &TextField, layout: &ScreenAreas) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let inner = boxed(canvas, place, "Save view as");
    let hint = "Stores filter, sort and columns. Paste a colleague's view to show it instead.";
    canvas.text((inner.x, inner.y), inner.width, hint, canvas.look.theme.dim);
    canvas.field((inner.x, inner.y + 2), inner.width, field, true, false);
}

pub(crate) fn draw_note(canvas: &mut Canvas, app: &App, note: &NoteField, layout: &ScreenAreas) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let inner = boxed(canvas, place, &format!("Note about {}", note.about));
    let (save, cancel) = (app.ctx.key(Action::Press), app.ctx.key(Action::Back));
    let hint = if note.ids.len() == 1 {
        format!("Stored on this machine. {save} saves, an empty note deletes it, {cancel} cancels.")
    } else {
        format!("Stored on this machine. {save} adds it to each report's note, {cancel} cancels.")
    };
    canvas.text((inner.x, inner.y), inner.width, &hint, canvas.look.theme.dim);
    canvas.field((inner.x, inner.y + 2), inner.width, &note.field, true, false);
}

pub(crate) fn draw_key(canvas: &mut Canvas, app: &App, field: &SecretInput, layout: &ScreenAreas) {
    let place = layout.middle(layout.screen.width.min(64), 5);
    let inner = boxed(canvas, place, "API key for this run");
    canvas.text(
        (inner.x, inner.y),
        inner.width,
        &format!("Not stored. {} uses it, {} cancels.", app.ctx.key(Action::Press), app.ctx.key(Action::Back)),
        canvas.look.theme.dim,
    );
    canvas.field((inner.x, inner.y + 2), inner.width, field, true, true);
}
