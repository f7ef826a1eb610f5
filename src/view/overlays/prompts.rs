//! Single-line prompts: the name of a view, a note (alone or below the triage states), an API key.

use ratatui::layout::Rect;
use tui_input::Input as TextField;

use crate::app::App;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::form::text_field::TextEdit;
use crate::app::overlays::note::{NoteField, StateNote};
use crate::app::triage::notes::STATES;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::times::cell;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// The lines of a hint above the field.
const HINT: u16 = 2;

pub(crate) fn draw_view_name(canvas: &mut Canvas, field: &TextField, layout: &ScreenAreas) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let hint = "Stores filter, sort and columns. Paste a colleague's view to show it.";
    prompt(canvas, place, ("Save view as", hint), field, false);
}

/// Draws a box with a hint above a text field. Returns the inside of the box.
fn prompt(
    canvas: &mut Canvas,
    place: Rect,
    (title, hint): (&str, &str),
    field: &dyn TextEdit,
    is_masked: bool,
) -> Rect {
    let inner = boxed(canvas, place, title);
    canvas.wrapped(Rect { height: HINT, ..inner }, hint, canvas.look.theme.dim);
    canvas.field_with((inner.x, inner.y + HINT), inner.width, field, true, is_masked);
    inner
}

pub(crate) fn draw_note(canvas: &mut Canvas, app: &App, note: &NoteField, layout: &ScreenAreas) {
    let earlier = note.entries.len() - 1;
    let list_height = if earlier == 0 { 0 } else { note.entries.len() as u16 + 1 };
    let height = 5_u16.saturating_add(list_height).min(layout.screen.height.saturating_sub(2));
    let place = layout.middle(layout.screen.width.min(84), height);
    let key = |action| canvas.look.characters.key(&app.ctx.key(action));
    let (save, down, cancel) = (key(Action::Press), key(Action::MoveDown), key(Action::Back));
    let entry = note.entry();
    let readers = match app.desk {
        Some(_) => "Your team sees it; @name notifies a person.",
        None => "Stored on this machine.",
    };
    let hint = match (entry.written_at, note.ids.as_slice(), earlier) {
        (Some(_), ..) => format!("{save} saves the change, an empty text deletes the note, {cancel} cancels."),
        (None, [_], 0) => format!("{readers} {save} adds it, {cancel} cancels."),
        (None, [_], _) => format!("{save} adds it, {down} changes an earlier one, {cancel} cancels."),
        (None, ..) => format!("{readers} {save} adds it to each report, {cancel} cancels."),
    };
    let inner = prompt(canvas, place, (&format!("Note about {}", note.about), &hint), &entry.field, false);
    if earlier == 0 {
        return;
    }
    let rows = Rect { y: inner.y + 4, height: inner.height.saturating_sub(4), ..inner };
    list(canvas, rows, &note.cursor, note.entries.len(), |canvas, at, index| {
        let entry = &note.entries[index];
        let mark = if entry.is_changed() { "* " } else { "" };
        let text = match entry.written_at {
            None => format!("{mark}new note"),
            Some(written_at) => format!("{mark}{} {}", cell(app, Some(written_at)), entry.stored),
        };
        canvas.text(at, inner.width, &text, canvas.look.theme.text);
    });
}

/// Draws the states to choose from, and the note field.
pub(crate) fn draw_state_note(canvas: &mut Canvas, app: &App, state: &StateNote, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.min(84), STATES.len() as u16 + 5);
    let inner = boxed(canvas, place, &format!("State and note: {}", state.note.about));
    let rows = Rect { height: inner.height.saturating_sub(3), ..inner };
    list(canvas, rows, &state.cursor, STATES.len(), |canvas, at, index| {
        canvas.text(at, inner.width, STATES[index].0, canvas.look.theme.text);
    });
    let key = |action| canvas.look.characters.key(&app.ctx.key(action));
    let (save, cancel) = (key(Action::Press), key(Action::Back));
    let note = if state.note.ids.len() == 1 { "note" } else { "note to each" };
    let (up, down) = (key(Action::MoveUp), key(Action::MoveDown));
    let claim = if let [id] = state.note.ids.as_slice() { app.claim_text(id) } else { None };
    let claim = claim.map(|claim| format!("{claim} · ")).unwrap_or_default();
    let hint = format!("{claim}{up} {down} state · {save} saves both · {cancel} cancels");
    let row = rows.bottom() + canvas.wrapped(Rect { y: rows.bottom(), height: HINT, ..inner }, &hint, theme.dim);
    canvas.prompt((inner.x, row), inner.width, &format!("{note} > "), &state.note.entry().field);
}

pub(crate) fn draw_key(canvas: &mut Canvas, app: &App, field: &SecretInput, layout: &ScreenAreas) {
    let place = layout.middle(layout.screen.width.min(64), 5);
    let (uses, cancels) = (app.ctx.key(Action::Press), app.ctx.key(Action::Back));
    let hint = format!("Not stored. {uses} uses it, {cancels} cancels.");
    prompt(canvas, place, ("API key for this run", &hint), field, true);
}
