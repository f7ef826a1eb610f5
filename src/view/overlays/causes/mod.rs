//! The causes screen: blocks in two columns, or stacked on a narrow screen. The block under the cursor is always
//! visible.

mod lines;
mod places;

use ratatui::layout::{Margin, Rect};
use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::frame_layout::HitTarget;
use crate::app::overlays::ListCursor;
use crate::app::triage::CauseTarget;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{clean, width};
use crate::domain::triage::causes::MOST_ADDRESSES;
use crate::domain::triage::causes::lines::{CauseBlock, CauseScope, FoundCauses};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::joined_frames::joined_frames;

/// Below this width the title contains only the number of bad reports.
const NARROW: u16 = 60;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let place = Rect::new(0, 0, layout.screen.width, layout.footer);
    canvas.clear(place);
    let lines = app.cause_lines();
    canvas.frame_layout.overlay = usize::from(place.height);
    let found = app.triage.causes.found.as_ref().filter(|found| found.all > 0);
    let Some(found) = found else {
        joined_frames(canvas, layout, [place]);
        let is_found = app.triage.causes.found.is_some();
        let text = if is_found { "No bad report is shown: nothing to compare." } else { "Comparing …" };
        canvas.text((2, 0), place.width.saturating_sub(4), " Causes ", canvas.look.theme.title);
        canvas.text((2, 1), place.width.saturating_sub(4), text, canvas.look.theme.text);
        return;
    };
    let focused = lines.get(cursor.at).map_or(CauseBlock::Checks, |(block, _)| *block);
    let count = |block: CauseBlock| lines.iter().filter(|(of, _)| *of == block).count();
    let counts: Vec<(CauseBlock, usize)> = CauseBlock::iter().map(|block| (block, count(block))).collect();
    let places = places::places(place, focused, &counts);
    joined_frames(canvas, layout, places.iter().map(|(_, place)| *place));
    for (at, (block, place)) in places.into_iter().enumerate() {
        let first = lines.iter().position(|(of, _)| *of == block).unwrap_or_default();
        let style = if block == focused { canvas.look.theme.focus } else { canvas.look.theme.dim };
        let title = match at {
            0 if place.width < NARROW => format!("{} bad · ", grouped(found.all)),
            0 => format!("{} · ", title(app, found)),
            _ => String::new(),
        };
        let heading = format!(" {title}{} ", heading(app, found, block));
        canvas.text((place.x + 2, place.y), place.width.saturating_sub(4), &heading, style);
        let targets = &lines[first..first + count(block)];
        let cursor = (block == focused).then(|| cursor.at - first);
        draw_block(canvas, app, found, &BlockView { of: block, place, first, targets, cursor });
    }
}

/// A block, its area, and the position of its lines among all lines.
struct BlockView<'a> {
    of: CauseBlock,
    place: Rect,
    first: usize,
    targets: &'a [(CauseBlock, CauseTarget)],
    cursor: Option<usize>,
}

fn title(app: &App, found: &FoundCauses) -> String {
    let bad = counted(found.all, "bad report");
    match (&found.scope, &app.reports.scope) {
        // A filter hides other bad reports of the project.
        (None, Some(project)) if found.all > 0 => format!("Causes of {bad} shown of {project}"),
        (_, Some(project)) => format!("Causes of {bad} of {project}"),
        (Some(CauseScope::Project(project)), None) => {
            format!("Causes of {bad} of {}", clean(project))
        }
        (Some(CauseScope::All), None) => format!("Causes of {bad}"),
        (None, None) => format!("Causes of {bad} shown"),
    }
}

fn heading(app: &App, found: &FoundCauses, block: CauseBlock) -> String {
    let count = found.lines(block).len() as u64;
    match block {
        CauseBlock::Checks if !found.unknown.is_empty() => "Failing checks".to_owned(),
        CauseBlock::Checks => {
            let is_compared = found.checks.first().is_some_and(|line| app.failed_before(&line.label).is_some());
            let compared = app.triage.changes.compared.as_ref().filter(|_| is_compared);
            let since = compared.and_then(|compared| compared.baseline);
            let since = since.map(|at| format!(" · ▲ since {}", relative(app.ctx.now, at)));
            format!("{}{}", counted(count, "check"), since.as_deref().unwrap_or(" failing"))
        }
        CauseBlock::Projects => {
            let whose = if count == 1 { "its" } else { "their" };
            format!("{}, by {whose} share of bad reports", counted(count, "project"))
        }
        CauseBlock::Addresses if count == MOST_ADDRESSES as u64 => format!("The {count} most frequent addresses"),
        CauseBlock::Addresses => "Addresses".to_owned(),
        CauseBlock::Sets => "Checks that fail together".to_owned(),
    }
}

fn draw_block(canvas: &mut Canvas, app: &App, found: &FoundCauses, block: &BlockView<'_>) {
    let inner = block.place.inner(Margin::new(2, 1));
    let fit = usize::from(inner.height);
    let top = block.cursor.map_or(0, |cursor| (cursor + 1).saturating_sub(fit));
    let columns = lines::Columns::of(app, found, block.of, inner.width);
    for (line, (_, target)) in block.targets.iter().skip(top).take(fit).enumerate() {
        let at = (inner.x, inner.y + line as u16);
        let text = match target {
            CauseTarget::Reports(index) => lines::line(canvas, app, &found.lines(block.of)[*index], &columns),
            CauseTarget::UnknownChecks => vec![(unknown_checks(app, found), canvas.look.theme.decent)],
            CauseTarget::Nothing => vec![(nothing(found, block.of).to_owned(), canvas.look.theme.dim)],
        };
        canvas.styled_text(at, inner.width, &text);
        if block.cursor == Some(top + line) {
            canvas.style_line(at, inner.width, canvas.look.theme.selected);
        }
        let place = Rect::new(at.0, at.1, inner.width, 1);
        canvas.hit(place, HitTarget::OverlayLine(block.first + top + line));
    }
    let more = block.targets.len().saturating_sub(top + fit);
    if more > 0 {
        let text = format!(" {} more ", grouped(more as u64));
        let cells = (width(&text) as u16).min(block.place.width.saturating_sub(4));
        let column = block.place.right() - 2 - cells;
        canvas.text((column, block.place.bottom() - 1), cells, &text, canvas.look.theme.dim);
    }
}

/// Returns the text for an empty block.
fn nothing(found: &FoundCauses, block: CauseBlock) -> &'static str {
    match block {
        CauseBlock::Checks => "No check fails",
        CauseBlock::Projects => "No project",
        _ if found.all == 1 => "Only one bad report: nothing to compare",
        CauseBlock::Addresses => "No two share a part of their URL",
        CauseBlock::Sets if !found.unknown.is_empty() => "Unknown without the checks",
        CauseBlock::Sets => "No two checks fail together",
    }
}

/// Describes for how many reports the checks are unknown, and how to get them.
fn unknown_checks(app: &App, found: &FoundCauses) -> String {
    let reports = counted(found.unknown.len() as u64, "report");
    if app.jobs.checks.fetch.is_some() {
        return format!("The checks of {reports} are being fetched");
    }
    if app.triage.causes.were_fetched {
        return format!("Checks of {reports} unknown: the service does not send them");
    }
    match app.ctx.unreachable_reason() {
        Some(reason) => format!("Checks of {reports} unknown: {reason}"),
        None => format!("Checks of {reports} unknown: {} fetches them", app.ctx.key(Action::Pick)),
    }
}
