//! The progress and items of a bulk run.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::ListCursor;
use crate::domain::bulk::{BulkItem, ItemState, Run, RunCounts, summary};
use crate::domain::report::report_state::Trend;
use crate::domain::text::numbers::grouped;
use crate::domain::text::{fit_middle, width, wrap, wrap_within};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::list::list;

/// The cells of an item's state.
const STATE: u16 = 15;
/// Below this height no empty line separates the bar from the rows.
const LOW: u16 = 12;
/// The maximum number of lines for the outcome of the item under the cursor.
const MOST_OUTCOME_LINES: usize = 3;

/// Draws the progress bar, and the state of each report.
pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let Some(bulk) = &app.jobs.bulk else { return };
    let theme = &canvas.look.theme;
    let place = layout.middle(layout.screen.width.saturating_sub(2).min(120), layout.screen.height.saturating_sub(2));
    let inner = boxed(canvas, place, &summary::title(&bulk.run));
    bar(canvas, (inner.x, inner.y), inner.width, bulk.run.tally());
    let key = |action| app.ctx.key(action);
    let (pause, stop, back) = (key(Action::PauseRun), key(Action::CancelRun), key(Action::Back));
    let undo = app.undo_run_text().map(|undo| format!(" · {undo}")).unwrap_or_default();
    let hint = if bulk.is_active() {
        let (pauses, goes_on) =
            if app.is_run_paused() { ("resumes", "it stays paused") } else { ("pauses", "it continues") };
        let waits = app.waits_until(&bulk.run.queue);
        let now = waits.map_or_else(|| format!("{pause} {pauses}"), |at| format!("Waiting until {at}"));
        format!("{now}{undo} · {stop} cancels the rest · {back} closes, {goes_on}")
    } else {
        format!("{}{undo} · {back} closes", end(&bulk.run, &key(Action::RetryFailed)))
    };
    let items = bulk.run.listed();
    let most = MOST_OUTCOME_LINES.min(usize::from(inner.height) / 6 + 1);
    let outcome = items.get(cursor.at).and_then(|item| cut_outcome(item, inner.width));
    let outcome = outcome.map_or_else(Vec::new, |text| wrap_within(&text, usize::from(inner.width), most));
    let lines = outcome.len() as u16;
    // On a low screen the rows need the empty line under the bar.
    let gap = u16::from(inner.height >= LOW);
    let rows = Rect { y: inner.y + 1 + gap, height: inner.height.saturating_sub(3 + gap + lines), ..inner };
    // A second line of the hint takes the place of the empty one.
    let foot = wrap(&hint, usize::from(inner.width)).len().min(2) as u16;
    canvas.wrapped(Rect { y: inner.bottom().saturating_sub(foot), height: foot, ..inner }, &hint, theme.dim);
    canvas.lines((inner.x, inner.bottom().saturating_sub(foot + lines)), inner.width, &outcome, theme.text);
    list(canvas, rows, cursor, items.len(), |canvas, at, index| item_row(canvas, at, inner.width, items[index]));
}

/// Describes how a run has ended.
fn end(run: &Run, retry: &str) -> String {
    let failed = run.tally().failed;
    let end = match run.unfinished().count() - failed {
        0 => "Finished".to_owned(),
        cancelled => format!("Cancelled, {} not sent", grouped(cancelled as u64)),
    };
    match failed {
        0 => format!("{end}. Nothing failed"),
        _ => format!("{end}. {retry} retries the {} that failed", grouped(failed as u64)),
    }
}

/// Returns the cells of an item's URL and of its outcome.
fn widths(cells: u16) -> (u16, u16) {
    let rest = cells.saturating_sub(STATE);
    let url = (rest / 2).max(12).min(rest);
    (url, rest.saturating_sub(url + 1))
}

fn outcome(item: &BulkItem) -> String {
    let (_, text) = item.in_words();
    match item.state {
        ItemState::Done(_) => format!("{} → {text}", item.before),
        ItemState::Failed(_) | ItemState::Skipped(_) => text.to_owned(),
        ItemState::Waiting | ItemState::Lost | ItemState::Sent => item.before.clone(),
    }
}

/// Returns the outcome and URL of an item if its row cuts the outcome.
fn cut_outcome(item: &BulkItem, cells: u16) -> Option<String> {
    let outcome = outcome(item);
    (width(&outcome) > usize::from(widths(cells).1)).then(|| format!("{outcome} · {}", item.url))
}

fn item_row(canvas: &mut Canvas, at: (u16, u16), cells: u16, item: &BulkItem) {
    let theme = &canvas.look.theme;
    let (word, _) = item.in_words();
    let style = match item.state {
        ItemState::Done(_) => match item.change {
            Some(Trend::Better) | None => theme.good,
            Some(Trend::Same) => theme.text,
            Some(Trend::Worse) => theme.bad,
        },
        ItemState::Failed(_) => theme.bad,
        ItemState::Sent | ItemState::Lost => theme.decent,
        ItemState::Waiting | ItemState::Skipped(_) => theme.dim,
    };
    canvas.text(at, STATE, word, style);
    let (url, room) = widths(cells);
    canvas.text((at.0 + STATE, at.1), url, &fit_middle(&item.url, usize::from(url)), theme.text);
    canvas.text((at.0 + STATE + url + 1, at.1), room, &outcome(item), style);
}

/// Draws a progress bar of done, failed, skipped and running requests, with numbers for plain themes.
fn bar(canvas: &mut Canvas, at: (u16, u16), cells: u16, tally: RunCounts) {
    let theme = &canvas.look.theme;
    let ended = tally.done + tally.failed + tally.skipped;
    let text = format!(" {}/{}", grouped(ended as u64), grouped(tally.all as u64));
    let room = usize::from(cells).saturating_sub(text.len() + 2);
    let share = |count: usize| count * room / tally.all.max(1);
    let (done, failed) = (share(tally.done), share(tally.done + tally.failed));
    let (skipped, under_way) = (share(ended), share(ended + tally.under_way));
    let mut column = at.0;
    for (from, to, symbol, style) in [
        (0, done, "█", theme.good),
        (done, failed, "▓", theme.bad),
        (failed, skipped, "▒", theme.dim),
        (skipped, under_way, "░", theme.decent),
        (under_way, room, "·", theme.dim),
    ] {
        let count = to.saturating_sub(from);
        column += canvas.text((column, at.1), count as u16, &symbol.repeat(count), style);
    }
    canvas.text((column, at.1), cells, &text, theme.text);
}
