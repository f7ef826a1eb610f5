//! The command palette: names, keys and descriptions of actions, filtered while typing.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::help::HelpKey;
use crate::app::overlays::palette::{CommandPalette, PaletteRow};
use crate::domain::text::{clean, fit_middle, width};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// The cells of an action's name.
const NAME: u16 = 21;
/// The cells of its keys.
const KEYS: u16 = 12;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, palette: &CommandPalette, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let rows = app.palette_rows();
    let cells = layout.screen.width.saturating_sub(if layout.screen.width >= 100 { 8 } else { 0 }).min(140);
    let place = layout.middle(cells, layout.screen.height.saturating_sub(2));
    let (run, back) = (app.ctx.key(Action::Pick), app.ctx.key(Action::Back));
    let inner = boxed(canvas, place, &format!("Commands · {run} runs · {back} closes"));
    canvas.prompt((inner.x, inner.y), inner.width, ": ", &palette.search);
    let place = Rect::new(inner.x, inner.y + 1, inner.width, inner.height - 1);
    if rows.is_empty() {
        canvas.text((place.x, place.y + 1), place.width, &format!("No match. {back} closes."), theme.dim);
    }
    list(canvas, place, &palette.cursor, rows.len(), |canvas, at, index| match &rows[index] {
        PaletteRow::Run(key, reason) => draw_command(canvas, at, inner.width, (key, reason.as_deref())),
        PaletteRow::SaveView(view) => {
            let text = format!("save {}: filter, order, columns and project as a view", clean(view));
            canvas.text(at, inner.width, &text, theme.text);
        }
        PaletteRow::ShowView(view) => draw_view(canvas, at, inner.width, &format!("view {}", clean(&view.name))),
        PaletteRow::DeleteView(view) => draw_view(canvas, at, inner.width, &format!("delete view {}", clean(view))),
    });
}

/// Draws the command of a view. Names of views may differ only at their end.
fn draw_view(canvas: &mut Canvas, at: (u16, u16), cells: u16, text: &str) {
    canvas.text(at, cells, &fit_middle(text, usize::from(cells)), canvas.look.theme.text);
}

/// Draws name, keys and description. An unavailable action is dimmed, with the reason.
fn draw_command(canvas: &mut Canvas, at: (u16, u16), cells: u16, (key, reason): (&HelpKey, Option<&str>)) {
    let theme = &canvas.look.theme;
    let name = key.binding.action.name().replace('_', " ");
    let (style, key_style) = if reason.is_some() { (theme.dim, theme.dim) } else { (theme.text, theme.key) };
    canvas.text(at, NAME - 1, &name, style);
    let room = cells.saturating_sub(NAME);
    let keys = canvas.look.characters.key(&key.keys.join(" "));
    if room < 2 * KEYS {
        canvas.text((at.0 + NAME, at.1), room, reason.unwrap_or(&keys), key_style);
        return;
    }
    let keys = if width(&keys) < usize::from(KEYS) { keys } else { key.keys.first().cloned().unwrap_or_default() };
    canvas.text((at.0 + NAME, at.1), KEYS - 1, &keys, key_style);
    let text = reason.unwrap_or_else(|| description(&name, key.binding.help));
    canvas.text((at.0 + NAME + KEYS, at.1), cells.saturating_sub(NAME + KEYS), text, style);
}

/// Returns the help text, unless all of its words are in the name.
fn description<'a>(name: &str, help: &'a str) -> &'a str {
    let adds_nothing = |word: &str| matches!(word, "a" | "the" | "this") || name.split(' ').any(|known| known == word);
    if help.to_lowercase().split(' ').all(adds_nothing) { "" } else { help }
}
