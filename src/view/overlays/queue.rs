//! The triage queue: the progress, and the current report with all of its fields. The keys are in the footer.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::FrameLayout;
use crate::app::overlays::queue::TriageQueue;
use crate::domain::text::numbers::grouped;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::report;
use crate::view::widgets::bar::bar;
use crate::view::widgets::framed::boxed;

/// Cells of the bar that shows how much is settled.
const BAR: u64 = 20;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, queue: &TriageQueue, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    let theme = &canvas.look.theme;
    let place = Rect::new(0, 0, layout.screen.width, layout.footer - 1);
    let count = queue.ids.len() as u64;
    let inner = boxed(canvas, place, &format!("Queue {}/{}", grouped(queue.at as u64 + 1), grouped(count)));
    let settled = queue.settled as u64;
    let state = queue.ids.get(queue.at).and_then(|id| app.tag(id)).unwrap_or_else(|| "new".to_owned());
    let bar = format!("▕{:<width$}▏", bar(settled, count, BAR), width = BAR as usize);
    let used = canvas.text((inner.x, inner.y), inner.width, &bar, theme.good);
    let text = format!(" {} settled · this one: {state}", grouped(settled));
    canvas.text((inner.x + used, inner.y), inner.width - used, &text, theme.text);
    let body = Rect::new(inner.x, inner.y + 2, inner.width, inner.height.saturating_sub(2));
    report::body(canvas, app, body, drawn);
}
