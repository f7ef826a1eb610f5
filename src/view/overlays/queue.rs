//! The triage queue: progress, the report's urgency explained, and its fields. The keys are in the footer.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::TriageQueue;
use crate::domain::text::numbers::grouped;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::report;
use crate::view::widgets::bar::bar;
use crate::view::widgets::framed::whole;

/// Below this width the urgency is explained by points only, without reasons, and the bar is left out.
const BRIEF: u16 = 70;
/// The cells of the bar of settled reports.
const BAR: u64 = 20;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, queue: &TriageQueue, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let count = queue.ids.len() as u64;
    let title = if queue.of > queue.ids.len() {
        let (most, of) = (grouped(count), grouped(queue.of as u64));
        format!("Queue {}/{most}: the {most} most urgent of {of}", grouped(queue.at as u64 + 1))
    } else {
        format!("Queue {}/{}", grouped(queue.at as u64 + 1), grouped(count))
    };
    let others = match queue.with_others as u64 {
        0 => String::new(),
        count => format!(" · {} with others", grouped(count)),
    };
    let inner = whole(canvas, layout, &format!("{title}{others}"));
    let settled = app.settled(queue);
    let id = queue.ids.get(queue.at);
    let report = id.and_then(|id| app.reports.listing.row(id));
    let state = report.map_or_else(String::new, |report| {
        format!(" · this one: {}", app.tag(&report.id).unwrap_or_else(|| "new".to_owned()))
    });
    let mut used = 0;
    // On a narrow screen the state needs the room of the bar.
    if inner.width >= BRIEF {
        let cells = BAR.min(u64::from(inner.width) / 4);
        let bar = format!("▕{:<width$}▏ ", bar(settled, count, cells), width = cells as usize);
        used = canvas.text((inner.x, inner.y), inner.width, &bar, theme.good);
    }
    let text = format!("{} settled{state}", grouped(settled));
    canvas.text((inner.x + used, inner.y), inner.width - used, &text, theme.text);
    let why = match report {
        Some(report) => format!("Why: {}", app.urgency_text(report, inner.width < BRIEF)),
        None => format!("This report is no longer in the list: {} shows the next", app.ctx.key(Action::NextInQueue)),
    };
    // On a low screen the report needs the room.
    let most = if inner.height >= 16 { 2 } else { 1 };
    let place = Rect { y: inner.y + 1, height: most, ..inner };
    let above = canvas.wrapped(place, &why, theme.dim) + if inner.height >= 16 { 2 } else { 1 };
    let body = Rect::new(inner.x, inner.y + above, inner.width, inner.height.saturating_sub(above));
    report::body(canvas, app, body);
}
