//! What was done, day by day, the latest first.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::FrameLayout;
use crate::app::overlays::ListCursor;
use crate::domain::event_log::line::LogLine;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// From this width on the weekday stands before the date.
const WITH_WEEKDAY: u16 = 60;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.saturating_sub(2), layout.screen.height.saturating_sub(2));
    let inner = boxed(canvas, place, "History: what was done, the latest first");
    let rows = Rect::new(inner.x, inner.y, inner.width, inner.height.saturating_sub(2));
    let lines = &app.log.lines;
    if lines.is_empty() {
        let text =
            if app.log.is_waiting() { "Loading …" } else { "Nothing was done yet. What you do is listed here." };
        canvas.text((inner.x, inner.y), inner.width, text, theme.dim);
    }
    let format = if inner.width < WITH_WEEKDAY { "%d %b" } else { "%a %d %b" };
    let zone = canvas.look.zone.clone();
    let day = |line: &LogLine| line.last.at.to_zoned(zone.clone()).strftime(format).to_string();
    let today = app.ctx.now.to_zoned(zone.clone()).strftime(format).to_string();
    let mut former: Option<String> = None;
    list(canvas, rows, cursor, lines.len(), drawn, |canvas, at, index| {
        let line = &lines[index];
        let theme = &canvas.look.theme;
        let (date, time) = (day(line), line.last.at.to_zoned(zone.clone()).strftime("%H:%M").to_string());
        let shown = if former.as_ref() == Some(&date) {
            ""
        } else if date == today {
            "today"
        } else {
            &date
        };
        let author = if line.last.author.is_empty() { String::new() } else { format!("{} ", line.last.author) };
        let pieces = vec![
            (format!("{shown:<width$} ", width = today.chars().count()), theme.title),
            (format!("{time} "), theme.dim),
            (author, theme.key),
            (line.text(), theme.text),
        ];
        canvas.pieces(at, inner.width, &pieces);
        former = Some(date);
    });
    let foot = (inner.x, inner.bottom().saturating_sub(1));
    let text = format!(
        "Kept on this machine for a year. {} opens or marks the reports, {} lists the requests.",
        app.ctx.key(Action::Pick),
        app.ctx.key(Action::Activity)
    );
    canvas.text(foot, inner.width, &text, canvas.look.theme.dim);
}
