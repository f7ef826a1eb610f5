//! The help page: a pane's keys in columns, folded topics below, and an explanation of the key under the cursor.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::HitTarget;
use crate::app::overlays::help::{Help, HelpEntry, HelpKey};
use crate::domain::text::width;
use crate::input::Action;
use crate::input::bindings::{Binding, KeyGroup};
use crate::input::explanations::explanation;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::whole;
use crate::view::widgets::scroll_bar::bar;

/// The minimum widths for four, three and two columns.
const COLUMNS: [(u16, usize); 3] = [(108, 4), (72, 3), (48, 2)];
/// The maximum number of cells for the keys of an entry.
const KEY_CELLS: usize = 9;
/// The cells between two columns.
const GAP: u16 = 2;
/// From this height on, the explanation has four lines instead of three.
const TALL: u16 = 16;

/// The position of an entry on the page, which may be longer than the screen.
#[derive(Debug, Clone, Copy, Default)]
struct EntryPlace {
    column: usize,
    line: usize,
}

/// The layout of the whole page, before it is cut to the screen.
struct HelpPage {
    places: Vec<EntryPlace>,
    headings: Vec<(KeyGroup, EntryPlace)>,
    lines: usize,
    /// The number of columns of keys, and of topics per line.
    columns: usize,
    across: usize,
}

impl HelpPage {
    /// The left edge and the width of an entry.
    fn area(&self, body: Rect, entry: &HelpEntry, place: EntryPlace) -> (u16, u16) {
        let columns = match entry {
            HelpEntry::Key(_) => self.columns,
            HelpEntry::Topic(..) | HelpEntry::Line { .. } => self.across,
        };
        column_at(body, columns, place.column)
    }

    /// For each line, its first entry or the next one below.
    fn first_entries(&self) -> Vec<usize> {
        let first = |line| {
            let below = self.places.iter().enumerate().filter(|(_, place)| place.line >= line);
            below.min_by_key(|(_, place)| (place.line, place.column)).map(|(entry, _)| entry)
        };
        (0..self.lines).filter_map(first).collect()
    }
}

pub(crate) fn draw(canvas: &mut Canvas, app: &App, help: &Help, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let back = app.ctx.key(Action::Back);
    let inner = whole(canvas, layout, &format!("Keys: {} · type to search · {back} closes", help.subject()));
    canvas.prompt((inner.x, inner.y), inner.width, "> ", &help.search);
    let entries = help.entries(&app.ctx.keymap);
    let at = help.cursor.at.min(entries.len().saturating_sub(1));
    let explanation_lines = if inner.height >= TALL { 4 } else { 3 };
    let body = Rect::new(inner.x, inner.y + 1, inner.width, inner.height.saturating_sub(explanation_lines + 1));
    if entries.is_empty() {
        canvas.text((body.x, body.y + 1), body.width, &format!("No match. {back} closes."), theme.dim);
    }
    let columns = COLUMNS.iter().find(|(least, _)| body.width >= *least).map_or(1, |(_, columns)| *columns);
    let page = arrange(&entries, columns);
    let fit = usize::from(body.height);
    let here = page.places.get(at).map_or(0, |place| place.line);
    let top = here.saturating_sub(fit / 2).min(page.lines.saturating_sub(fit));
    canvas.frame_layout.overlay = fit;
    canvas.frame_layout.help_lines = page.first_entries();
    bar(canvas, body, top, page.lines, None);
    draw_entries(canvas, app, (&entries, &page), (body, top));
    if let (Some(entry), Some(place)) = (entries.get(at), page.places.get(at)) {
        let (x, cells) = page.area(body, entry, *place);
        canvas.select_row((x, body.y + (place.line - top) as u16), cells);
        draw_explanation(canvas, app, entry, Rect::new(inner.x, body.bottom(), inner.width, explanation_lines));
    }
}

/// Returns the left edge and the width of a column.
fn column_at(body: Rect, columns: usize, column: usize) -> (u16, u16) {
    let cells = (body.width + GAP) / columns as u16;
    (body.x + column as u16 * cells, cells.saturating_sub(GAP))
}

/// Arranges the groups in columns of similar height, in order, with the topics below across the full width.
fn arrange(entries: &[HelpEntry], columns: usize) -> HelpPage {
    let mut groups: Vec<(KeyGroup, usize)> = Vec::new();
    for entry in entries {
        if let HelpEntry::Key(key) = entry {
            match groups.last_mut().filter(|(group, _)| *group == key.binding.group) {
                Some((_, count)) => *count += 1,
                None => groups.push((key.binding.group, 1)),
            }
        }
    }
    // A group takes one line for its heading; an empty line separates groups of a column.
    let heights: Vec<usize> = groups.iter().map(|(_, count)| count + 1).collect();
    let all: usize = heights.iter().sum::<usize>() + heights.len();
    let tallest = heights.iter().copied().max().unwrap_or(0);
    let fits = |limit: &usize| packed(&heights, *limit).last().is_none_or(|last| last.column < columns);
    let starts = packed(&heights, (tallest..=all).find(fits).unwrap_or(all));
    let mut places = Vec::new();
    for ((_, count), start) in groups.iter().zip(&starts) {
        places.extend((1..=*count).map(|line| EntryPlace { line: start.line + line, ..*start }));
    }
    let headings = groups.iter().zip(&starts).map(|((group, _), start)| (*group, *start)).collect();
    let mut lines = places.iter().map(|place| place.line + 1).max().unwrap_or(0);
    let topics = entries.len() - places.len();
    lines += usize::from(lines > 0 && topics > 0);
    let all_folded = entries.iter().all(|entry| !matches!(entry, HelpEntry::Line { .. }));
    // Folded topics are placed side by side; once any is unfolded, each takes its own line.
    let across = if all_folded { columns } else { 1 };
    places.extend((0..topics).map(|topic| EntryPlace { column: topic % across, line: lines + topic / across }));
    HelpPage { places, headings, lines: lines + topics.div_ceil(across), columns, across }
}

/// Places groups of these heights in columns of at most `limit` lines, in order. Returns their first lines.
fn packed(heights: &[usize], limit: usize) -> Vec<EntryPlace> {
    let mut next = EntryPlace::default();
    let place = |height: &usize| {
        if next.line > 0 && next.line + 1 + height > limit {
            next = EntryPlace { column: next.column + 1, line: 0 };
        } else if next.line > 0 {
            next.line += 1;
        }
        let start = next;
        next.line += height;
        start
    };
    heights.iter().map(place).collect()
}

fn draw_entries(
    canvas: &mut Canvas,
    app: &App,
    (entries, page): (&[HelpEntry], &HelpPage),
    (body, top): (Rect, usize),
) {
    let theme = &canvas.look.theme;
    let on_screen = |line: usize| Some(body.y + line.checked_sub(top)? as u16).filter(|row| *row < body.bottom());
    for (group, place) in &page.headings {
        if let Some(row) = on_screen(place.line) {
            let (x, cells) = column_at(body, page.columns, place.column);
            let name: &str = group.into();
            canvas.text((x, row), cells, &name.to_uppercase(), theme.focus);
        }
    }
    // The keys of a line of a topic.
    let topic_keys = (body.width / 4).clamp(10, 20);
    for (index, (entry, place)) in entries.iter().zip(&page.places).enumerate() {
        let Some(row) = on_screen(place.line) else { continue };
        let (x, cells) = page.area(body, entry, *place);
        match entry {
            HelpEntry::Key(key) => {
                canvas.text((x, row), KEY_CELLS as u16, &canvas.look.characters.key(&shown_keys(key)), theme.key);
                let room = cells.saturating_sub(KEY_CELLS as u16 + 1);
                let text = label(key.binding, usize::from(room));
                let is_disabled = app.disabled_reason(key.binding.action).is_some();
                let style = if is_disabled { theme.dim } else { theme.text };
                canvas.text((x + KEY_CELLS as u16 + 1, row), room, text, style);
            }
            HelpEntry::Topic(topic, open) => {
                let text = format!("{} {}", if *open { "▾" } else { "▸" }, topic.title());
                canvas.text((x, row), cells, &text, theme.focus);
            }
            HelpEntry::Line { key, text, .. } => {
                canvas.text((body.x + 2, row), topic_keys - 1, &canvas.look.characters.key(key), theme.dim);
                let at = (body.x + 2 + topic_keys, row);
                canvas.text(at, body.width.saturating_sub(topic_keys + 2), text, theme.text);
            }
        }
        canvas.hit(Rect::new(x, row, cells, 1), HitTarget::OverlayLine(index));
    }
}

/// Joins as many keys of an entry as fit.
fn shown_keys(key: &HelpKey) -> String {
    let mut shown = String::new();
    for name in &key.keys {
        let longer = if shown.is_empty() { name.clone() } else { format!("{shown} {name}") };
        if !shown.is_empty() && width(&longer) > KEY_CELLS {
            break;
        }
        shown = longer;
    }
    shown
}

/// Returns a binding's help text, or its longest part up to a colon, semicolon or comma that fits, or else its hint.
fn label(binding: &'static Binding, room: usize) -> &'static str {
    if width(binding.help) <= room {
        return binding.help;
    }
    let mut ends = binding.help.match_indices([':', ';', ',']).map(|(end, _)| &binding.help[..end]);
    ends.rfind(|part| width(part) <= room).unwrap_or(binding.hint)
}

/// Draws the explanation of the entry under the cursor: its keys, what it does, and why it is unavailable.
fn draw_explanation(canvas: &mut Canvas, app: &App, entry: &HelpEntry, place: Rect) {
    let theme = &canvas.look.theme;
    let pick = app.ctx.key(Action::Pick);
    let (heading, text) = match entry {
        HelpEntry::Key(key) => {
            let action = key.binding.action;
            let heading = format!("{}  {}", key.keys.join(" "), key.binding.help);
            let now = app.disabled_reason(action).map(|reason| format!("Not now: {reason}. "));
            (heading, format!("{}{}", now.unwrap_or_default(), explanation(action)))
        }
        HelpEntry::Topic(topic, open) => {
            (topic.title().to_owned(), format!("{pick} {} this.", if *open { "folds" } else { "unfolds" }))
        }
        HelpEntry::Line { key, text, action: Some(action), topic } => {
            let note = format!("Not here ({}). ", topic.title().to_lowercase());
            (format!("{key}  {text}"), format!("{note}{}", explanation(*action)))
        }
        HelpEntry::Line { key, text, action: None, .. } => {
            let filter = app.ctx.key(Action::Filter);
            (format!("{key}  {text}"), format!("Typed into the filter line, which {filter} opens."))
        }
    };
    let rule = "─".repeat(usize::from(place.width));
    canvas.text((place.x, place.y), place.width, &rule, theme.dim);
    canvas.text((place.x, place.y + 1), place.width, &canvas.look.characters.key(&heading), theme.key);
    let below = Rect { y: place.y + 2, height: place.height.saturating_sub(2), ..place };
    canvas.wrapped(below, &text, theme.text);
}
