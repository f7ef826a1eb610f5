//! The charts of the overview: bad reports over time, and the histogram of scores.

use jiff::{Timestamp, ToSpan as _, Zoned};
use ratatui::layout::Rect;
use ratatui::widgets::{Bar, BarChart, BarGroup, Sparkline};

use crate::app::App;
use crate::app::frame_layout::HitTarget;
use crate::domain::overview::{BIN, BINS, OverviewBlock, Scores};
use crate::domain::report::outcome::Outcome;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::width;
use crate::view::canvas::Canvas;
use crate::view::widgets::blocks::Block;

/// The number of days in the history.
pub(super) const DAYS: i64 = 30;
/// The days between two dates on the axis of the history.
const TICK_DAYS: usize = 10;

/// Returns this time of day on a day of the history; the last one is today. Days are those of the calendar: with summer
/// time, some are not 24 hours long.
fn day_of_chart(app: &App, day: i64) -> Zoned {
    app.ctx.now.to_zoned(app.screen.zone.clone()).saturating_sub((DAYS - 1 - day).days())
}

/// Returns the number of looks within the days of the history.
pub(super) fn looks_within(app: &App, looks: &[(Timestamp, u64)]) -> usize {
    let first = day_of_chart(app, 0);
    let start = first.start_of_day().unwrap_or(first).timestamp();
    looks.iter().filter(|(at, _)| *at >= start).count()
}

/// Draws the number of bad reports on each of the last days, from this machine's snapshots.
pub(super) fn history(canvas: &mut Canvas, app: &App, block: &Block<OverviewBlock>) {
    let theme = canvas.look.theme.clone();
    let inner = block.inner();
    let Rect { x, y, width: cells, height } = inner;
    canvas.hit(inner, HitTarget::OverlayLine(block.first));
    let looks = app.compared_list().map_or(&[][..], |compared| &compared.trends.bad);
    let bad_at = |end: Timestamp| looks.iter().rev().find(|(at, _)| *at <= end).map(|(_, bad)| *bad);
    // The last look of each day, whatever the time is now.
    let end_of = |day: i64| day_of_chart(app, day).end_of_day().unwrap_or_else(|_| day_of_chart(app, day)).timestamp();
    let days: Vec<Option<u64>> = (0..DAYS).map(|day| bad_at(end_of(day))).collect();
    let most = days.iter().flatten().max().copied().unwrap_or_default();
    if looks.len() < 2 || height < 3 {
        let text = match looks.last() {
            Some((_, bad)) => format!("{} at the first look: the chart starts with the next", grouped(*bad)),
            None if app.reports.scope.is_some() => "The chart is of whole lists, not of one project".to_owned(),
            None => "The chart starts with the first complete list".to_owned(),
        };
        canvas.wrapped(inner, &text, theme.dim);
        return;
    }
    let label = grouped(most);
    let left = width(&label) as u16 + 1;
    let lines = height - 1;
    canvas.right((x, y), left - 1, &label, theme.dim);
    if lines >= 4 && lines.is_multiple_of(2) && most.is_multiple_of(2) {
        canvas.right((x, y + lines / 2), left - 1, &grouped(most / 2), theme.dim);
    }
    canvas.right((x, y + lines - 1), left - 1, "0", theme.dim);
    let room = cells.saturating_sub(left);
    let bars: Vec<Option<u64>> =
        (0..usize::from(room)).map(|column| days[column * days.len() / usize::from(room)]).collect();
    let chart = Sparkline::default().data(bars).max(most.max(1)).style(theme.bad);
    canvas.render(chart, Rect::new(x + left, y, room, lines));
    let today = "today";
    for day in (0..DAYS as u16).step_by(TICK_DAYS) {
        let column = (day * room).div_ceil(DAYS as u16);
        let date = day_of_chart(app, day.into()).strftime("┬ %-d %b").to_string();
        let free = room.saturating_sub(column + today.len() as u16 + 1);
        let tick = if width(&date) > usize::from(free) { "┬" } else { &date };
        canvas.text((x + left + column, y + lines), free.max(1), tick, theme.dim);
    }
    canvas.right((x + left, y + lines), room, today, theme.dim);
    if block.cursor.is_some() {
        canvas.select_row((x, y + height - 1), cells);
    }
}

/// Draws the histogram of scores, and describes the bin under the cursor.
pub(super) fn scores(canvas: &mut Canvas, scores: &Scores, block: &Block<OverviewBlock>) {
    let theme = canvas.look.theme.clone();
    let Rect { x, y, width: cells, height } = block.inner();
    let Scores { bins, unscored, worst_tenth, .. } = scores;
    let bar_width = (cells / BINS as u16).max(1);
    let chart_height = height.saturating_sub(2);
    let bars: Vec<Bar> = bins
        .iter()
        .enumerate()
        .map(|(bin, reports)| {
            let style = theme.outcome(&Outcome::from_score((bin * BIN + BIN / 2) as f64));
            let style = if block.cursor == Some(bin) { style.patch(theme.selected) } else { style };
            Bar::default().value(*reports).text_value(String::new()).style(style)
        })
        .collect();
    let chart = BarChart::default()
        .data(BarGroup::default().bars(&bars))
        .bar_width(bar_width)
        .bar_gap(0)
        .max(bins.iter().max().copied().unwrap_or_default().max(1));
    canvas.render(chart, Rect::new(x, y, (bar_width * BINS as u16).min(cells), chart_height));
    for bin in 0..BINS as u16 {
        let column = Rect::new(x + bin * bar_width, y, bar_width, chart_height + 1);
        canvas.hit(column, HitTarget::OverlayLine(block.first + usize::from(bin)));
    }
    let axis = y + chart_height;
    let labels = if bar_width == 1 { ["0", "┆49", "┆80"] } else { ["0 bad", "┆49 decent", "┆80 good"] };
    for (score, label) in [0, 50, 80].into_iter().zip(labels) {
        let column = score / BIN as u16 * bar_width;
        canvas.text((x + column, axis), cells.saturating_sub(column), label, theme.dim);
    }
    let words = if let Some(bin) = block.cursor {
        let last = if bin + 1 == BINS { 100 } else { (bin + 1) * BIN - 1 };
        format!("{} with a score from {} to {last}", counted(bins[bin], "report"), bin * BIN)
    } else {
        let tenth = worst_tenth.map(|score| format!("worst tenth: {score} and below")).unwrap_or_default();
        let without = if *unscored > 0 { format!("{} without a score", grouped(*unscored)) } else { String::new() };
        let between = if tenth.is_empty() || without.is_empty() { "" } else { " · " };
        format!("{tenth}{between}{without}")
    };
    let used = canvas.text((x, axis + 1), cells, &words, theme.dim);
    if block.cursor.is_some() {
        canvas.select_row((x, axis + 1), used);
    }
}
