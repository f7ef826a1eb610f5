//! What lies over the panes besides forms and dialogs: menus, the list of keys, the activity, the field for a key.

use ratatui::layout::Rect;
use tui_input::Input as TextField;

use crate::app::App;
use crate::app::drawn::{Drawn, Spot};
use crate::app::hidden::Hidden;
use crate::app::inbox::NoteField;
use crate::app::overlay::{Cursor, Help, HelpRow, Menu};
use crate::domain::activity::Exchange;
use crate::domain::list::columns::Column;
use crate::domain::text::{clean, width};
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::projects::area;
use crate::view::scroll::{Shown, bar};

/// An emptied box with a frame and a title; returns what is inside, one cell away from the frame.
pub(super) fn boxed(canvas: &mut Canvas, place: Rect, title: &str) -> Rect {
    let theme = &canvas.look.theme;
    canvas.clear(place);
    let (right, bottom) = (place.right() - 1, place.bottom() - 1);
    for column in place.x..=right {
        canvas.symbol((column, place.y), "─", theme.focus);
        canvas.symbol((column, bottom), "─", theme.focus);
    }
    for row in place.y..=bottom {
        canvas.symbol((place.x, row), "│", theme.focus);
        canvas.symbol((right, row), "│", theme.focus);
    }
    for (symbol, at) in
        [("┌", (place.x, place.y)), ("┐", (right, place.y)), ("└", (place.x, bottom)), ("┘", (right, bottom))]
    {
        canvas.symbol(at, symbol, theme.focus);
    }
    canvas.text((place.x + 2, place.y), place.width.saturating_sub(4), &format!(" {title} "), theme.focus);
    Rect::new(place.x + 2, place.y + 1, place.width.saturating_sub(4), place.height.saturating_sub(2))
}

/// Draws the rows of a list that fit, with its cursor.
pub(super) fn list(
    canvas: &mut Canvas,
    rows: Rect,
    cursor: &Cursor,
    count: usize,
    drawn: &mut Drawn,
    mut row: impl FnMut(&mut Canvas, (u16, u16), usize),
) {
    drawn.overlay = usize::from(rows.height);
    drawn.spots.push((area(rows), Spot::OverlayRows));
    let mut window = cursor.window;
    window.follow(cursor.at.min(count.saturating_sub(1)), count, drawn.overlay);
    bar(canvas, rows, &Shown { top: window.top, fit: drawn.overlay, count }, None, drawn);
    for line in 0..rows.height {
        let at = window.top + usize::from(line);
        if at >= count {
            break;
        }
        let here = (rows.x, rows.y + line);
        row(canvas, here, at);
        if at == cursor.at {
            canvas.style_line(here, rows.width, canvas.look.theme.selected);
        }
    }
}

pub(super) fn draw_menu(canvas: &mut Canvas, menu: &Menu, layout: &Layout, drawn: &mut Drawn) {
    let texts = menu.rows.iter().map(|(text, _)| text.as_str());
    // The title has a space on either side.
    let widest = texts.map(width).max().unwrap_or(0).max(24).max(width(&menu.title) + 2);
    let width = widest as u16 + 4;
    let inner = boxed(canvas, layout.middle(width, menu.rows.len() as u16 + 2), &menu.title);
    list(canvas, inner, &menu.cursor, menu.rows.len(), drawn, |canvas, at, index| {
        canvas.text(at, inner.width, &menu.rows[index].0, canvas.look.theme.text);
    });
}

pub(super) fn draw_help(canvas: &mut Canvas, app: &App, help: &Help, layout: &Layout, drawn: &mut Drawn) {
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.saturating_sub(4).min(96), layout.screen.height.saturating_sub(2));
    let inner = boxed(canvas, place, "Keys and commands: type to search, Enter runs");
    let used = canvas.text((inner.x, inner.y), inner.width, "> ", theme.focus);
    canvas.field((inner.x + used, inner.y), inner.width - used, &help.search, true, false);
    let rows = help.rows(&app.views, &app.keymap);
    let place = Rect::new(inner.x, inner.y + 1, inner.width, inner.height - 1);
    if rows.is_empty() {
        canvas.text((place.x, place.y + 1), place.width, "Nothing fits. Esc goes back.", theme.dim);
    }
    let keys = (inner.width / 5).clamp(10, 16);
    let name = if inner.width >= 60 { 20 } else { 0 };
    list(canvas, place, &help.cursor, rows.len(), drawn, |canvas, at, index| {
        let bound = match &rows[index] {
            HelpRow::Binding(bound) => bound,
            HelpRow::SaveView(view) => {
                let text = format!("save filter, order and columns as the view {}", clean(view));
                canvas.text((at.0 + keys, at.1), inner.width.saturating_sub(keys), &text, theme.text);
                return;
            }
            HelpRow::ShowView(view) => {
                let text = format!("view {}", clean(&view.name));
                canvas.text((at.0 + keys, at.1), inner.width.saturating_sub(keys), &text, theme.text);
                return;
            }
        };
        let binding = bound.binding;
        let reason = app.why_not(binding.action);
        canvas.text(at, keys - 1, &canvas.look.characters.key(&bound.keys_shown()), theme.key);
        canvas.text((at.0 + keys, at.1), name, &binding.action.name().replace('_', " "), theme.dim);
        let text = reason.map_or_else(|| binding.help.to_owned(), |reason| format!("{} — {reason}", binding.help));
        canvas.text((at.0 + keys + name + 1, at.1), inner.width.saturating_sub(keys + name + 1), &text, theme.text);
    });
}

pub(super) fn draw_activity(canvas: &mut Canvas, app: &App, cursor: &Cursor, layout: &Layout, drawn: &mut Drawn) {
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.saturating_sub(2), layout.screen.height.saturating_sub(2));
    let inner = boxed(canvas, place, "Activity: requests and answers, newest first");
    let rows = Rect::new(inner.x, inner.y, inner.width, inner.height.saturating_sub(2));
    if app.activity.is_empty() {
        canvas.text((inner.x, inner.y), inner.width, "Nothing was asked yet.", theme.dim);
    }
    list(canvas, rows, cursor, app.activity.len(), drawn, |canvas, at, index| {
        let exchange = &app.activity[index];
        let style = if exchange.status.is_some_and(|status| status < 400) { theme.text } else { theme.bad };
        canvas.text(at, inner.width, &exchange_text(canvas, exchange), style);
    });
    let foot = (inner.x, inner.bottom().saturating_sub(1));
    canvas.text(
        foot,
        inner.width,
        "Authorization: Bearer •••• on every request; form fields are not recorded",
        theme.dim,
    );
}

fn exchange_text(canvas: &Canvas, exchange: &Exchange) -> String {
    let time = exchange.at.to_zoned(canvas.look.zone.clone()).strftime("%H:%M:%S").to_string();
    let status = exchange.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
    let again = if exchange.attempt > 1 { format!(" (try {})", exchange.attempt) } else { String::new() };
    let problem = if exchange.problem.is_empty() { String::new() } else { format!(" {}", exchange.problem) };
    let milliseconds = exchange.took.as_millis();
    format!(
        "{time} {status:>3} {milliseconds:>5} ms {:<6} {}{again}{problem} {} B",
        exchange.method, exchange.path, exchange.bytes
    )
}

pub(super) fn draw_columns(canvas: &mut Canvas, app: &App, cursor: &Cursor, layout: &Layout, drawn: &mut Drawn) {
    let theme = &canvas.look.theme;
    let choices = app.column_choices();
    let inner = boxed(canvas, layout.middle(52, choices.len() as u16 + 3), "Columns");
    let rows = Rect::new(inner.x, inner.y, inner.width, inner.height.saturating_sub(1));
    list(canvas, rows, cursor, choices.len(), drawn, |canvas, at, index| {
        let (column, is_shown) = choices[index];
        let (mark, style) = if is_shown { ("[x]", theme.text) } else { ("[ ]", theme.dim) };
        canvas.text(at, rows.width, &format!("{mark} {}", column.name()), style);
        if is_shown && column != Column::Url {
            canvas.right(at, rows.width, &app.reports.width_of(column).to_string(), style);
        }
    });
    let foot = (inner.x, inner.bottom().saturating_sub(1));
    canvas.text(foot, inner.width, "Space shows or hides, J K move, + - resize, x usual", theme.dim);
}

pub(super) fn draw_view_name(canvas: &mut Canvas, field: &TextField, layout: &Layout) {
    let place = layout.middle(layout.screen.width.min(84), 5);
    let inner = boxed(canvas, place, "Save this view under a name");
    let hint = "Filter, order and columns are kept. A pasted line of a colleague's view is shown instead.";
    canvas.text((inner.x, inner.y), inner.width, hint, canvas.look.theme.dim);
    canvas.field((inner.x, inner.y + 2), inner.width, field, true, false);
}

pub(super) fn draw_note(canvas: &mut Canvas, note: &NoteField, layout: &Layout) {
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

pub(super) fn draw_key(canvas: &mut Canvas, field: &Hidden, layout: &Layout) {
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
