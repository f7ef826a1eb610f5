//! The list of requests and responses of this run.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::ListCursor;
use crate::domain::activity::Exchange;
use crate::domain::text::{width, wrap_within};
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::whole;
use crate::view::widgets::list::list;

/// The maximum number of lines below the list.
const MOST_FOOT: usize = 4;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let inner = whole(canvas, layout, "Requests and responses, newest first");
    let foot = foot(app, cursor, usize::from(inner.width));
    let rows = Rect { height: inner.height.saturating_sub(foot.len() as u16 + 1), ..inner };
    if app.ctx.activity.is_empty() {
        canvas.text((inner.x, inner.y), inner.width, "No requests yet.", theme.dim);
    }
    list(canvas, rows, cursor, app.ctx.activity.len(), |canvas, at, index| {
        let exchange = &app.ctx.activity[index];
        let style = if exchange.status.is_some_and(|status| status < 400) { theme.text } else { theme.bad };
        canvas.text(at, inner.width, &exchange_text(app, exchange), style);
    });
    canvas.lines((inner.x, rows.bottom() + 1), inner.width, &foot, theme.dim);
}

/// Returns the full text of the line under the cursor if it is cut, else what the list does not show.
fn foot(app: &App, cursor: &ListCursor, cells: usize) -> Vec<String> {
    let text = app.ctx.activity.get(cursor.at).map(|exchange| exchange_text(app, exchange)).unwrap_or_default();
    let unlisted = "Authorization: Bearer •••• on every request; form fields are not recorded";
    wrap_within(if width(&text) > cells { &text } else { unlisted }, cells, MOST_FOOT)
}

fn exchange_text(app: &App, exchange: &Exchange) -> String {
    let time = exchange.at.to_zoned(app.screen.zone.clone()).strftime("%H:%M:%S").to_string();
    let status = exchange.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
    let again = if exchange.attempt > 1 { format!(" (try {})", exchange.attempt) } else { String::new() };
    let problem = if exchange.problem.is_empty() { String::new() } else { format!(" {}", exchange.problem) };
    let milliseconds = exchange.took.as_millis();
    format!(
        "{time} {status:>3} {milliseconds:>5} ms {:<6} {}{again}{problem} {} B",
        exchange.method, exchange.path, exchange.bytes
    )
}
