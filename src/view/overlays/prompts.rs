//! Prompts of one line: the name of a view, a note, an API key.

use tui_input::Input as TextField;

use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::note::NoteField;
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::widgets::framed::boxed;

pub(crate) fn draw_view_name(canvas: &mut Canvas, field: &TextField, layout: &Layout) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let inner = boxed(canvas, place, "Save this view under a name");
    let hint = "Filter, order and columns are kept. A pasted line of a colleague's view is shown instead.";
    canvas.text((inner.x, inner.y), inner.width, hint, canvas.look.theme.dim);
    canvas.field((inner.x, inner.y + 2), inner.width, field, true, false);
}

pub(crate) fn draw_note(canvas: &mut Canvas, note: &NoteField, layout: &Layout) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let inner = boxed(canvas, place, &format!("Note about {}", note.about));
    let hint = if note.ids.len() == 1 {
        "Kept on this machine. Enter saves, an empty note removes it, Esc changes nothing."
    } else {
        "Kept on this machine. Enter adds it to each report's note, Esc changes nothing."
    };
    canvas.text((inner.x, inner.y), inner.width, hint, canvas.look.theme.dim);
    canvas.field((inner.x, inner.y + 2), inner.width, &note.field, true, false);
}

pub(crate) fn draw_key(canvas: &mut Canvas, field: &SecretInput, layout: &Layout) {
    let place = layout.middle(layout.screen.width.min(64), 5);
    let inner = boxed(canvas, place, "API key for this run");
    canvas.text(
        (inner.x, inner.y),
        inner.width,
        "Not kept. Enter uses it, Esc leaves things as they are.",
        canvas.look.theme.dim,
    );
    canvas.field((inner.x, inner.y + 2), inner.width, field, true, true);
}
