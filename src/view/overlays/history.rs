//! The history: what was done, by day, latest first.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::ListCursor;
use crate::domain::event_log::line::LogLine;
use crate::domain::text::{width, wrap_within};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::whole;
use crate::view::widgets::list::list;

/// The cells of day and time before a text.
const TIME_CELLS: usize = 18;
/// The maximum number of lines below the list.
const MOST_FOOT: usize = 3;
/// The minimum width with the weekday.
const WITH_WEEKDAY: u16 = 60;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let inner = whole(canvas, layout, "History, latest first");
    let lines = &app.log.lines;
    if lines.is_empty() {
        let text = if app.log.request.is_some() {
            "Loading …".to_owned()
        } else if let Some(problem) = app.ctx.journal_problem() {
            format!("Nothing was done in this run, and {problem}.")
        } else {
            "Nothing yet. Your actions will be listed here.".to_owned()
        };
        canvas.text((inner.x, inner.y), inner.width, &text, theme.dim);
    }
    let foot = foot(app, cursor, usize::from(inner.width));
    let rows = Rect { height: inner.height.saturating_sub(foot.len() as u16 + 1), ..inner };
    let format = if inner.width < WITH_WEEKDAY { "%d %b" } else { "%a %d %b" };
    let zone = app.screen.zone.clone();
    let now = app.ctx.now.to_zoned(zone.clone());
    let cells = now.strftime(format).to_string().chars().count();
    let mut former = None;
    list(canvas, rows, cursor, lines.len(), |canvas, at, index| {
        let line = &lines[index];
        let theme = &canvas.look.theme;
        let at_zone = line.last.at.to_zoned(zone.clone());
        let (date, time) = (at_zone.date(), at_zone.strftime("%H:%M").to_string());
        let shown = if former == Some(date) {
            String::new()
        } else if date == now.date() {
            "today".to_owned()
        } else {
            at_zone.strftime(format).to_string()
        };
        let author = if line.last.author.is_empty() { String::new() } else { format!("{} ", line.last.author) };
        let pieces = vec![
            (format!("{shown:<cells$} "), theme.title),
            (format!("{time} "), theme.dim),
            (author, theme.key),
            (line.text(), theme.text),
        ];
        canvas.styled_text(at, inner.width, &pieces);
        former = Some(date);
    });
    canvas.lines((inner.x, rows.bottom() + 1), inner.width, &foot, theme.dim);
}

/// Returns the full text of the line under the cursor if it is cut, else the available actions.
fn foot(app: &App, cursor: &ListCursor, cells: usize) -> Vec<String> {
    let text = app.log.lines.get(cursor.at).map(LogLine::text).unwrap_or_default();
    if width(&text) + TIME_CELLS > cells {
        return wrap_within(&text, cells, MOST_FOOT);
    }
    let (open, requests) = (app.ctx.key(Action::Pick), app.ctx.key(Action::Activity));
    let kept = if app.log.is_stored { "Kept on this machine for a year" } else { "Kept until you quit" };
    let keys = format!("{kept}. {open} opens or marks the reports, {requests} lists the requests.");
    wrap_within(&keys, cells, MOST_FOOT)
}
