//! The causes screen: blocks in two columns, or stacked on a narrow screen. The block under the cursor is always
//! visible.

mod lines;
mod places;

use strum::IntoEnumIterator as _;

use crate::app::App;
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
use crate::view::widgets::blocks::{self, Block};

/// Below this width the title contains only the number of bad reports.
const NARROW: u16 = 60;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let place = blocks::clear(canvas, layout);
    let lines = app.cause_lines();
    let found = app.triage.causes.found.as_ref().filter(|found| found.all > 0);
    let Some(found) = found else {
        let is_found = app.triage.causes.found.is_some();
        let text = if is_found { "No bad report is shown: nothing to compare." } else { "Comparing …" };
        return blocks::draw_empty(canvas, layout, place, " Causes ", text);
    };
    let focused = lines.get(cursor.at).map_or(CauseBlock::Checks, |(block, _)| *block);
    let counts: Vec<_> = CauseBlock::iter().map(|block| (block, blocks::count(&lines, block))).collect();
    let places = places::places(place, focused, &counts);
    for (at, block) in blocks::draw_frames(canvas, layout, places, &lines, cursor.at).iter().enumerate() {
        let title = match at {
            0 if block.place.width < NARROW => format!("{} bad · ", grouped(found.all)),
            0 => format!("{} · ", title(app, found)),
            _ => String::new(),
        };
        block.draw_heading(canvas, &format!("{title}{}", heading(app, found, block.kind)));
        draw_block(canvas, app, found, block, &lines[block.first..]);
    }
}

fn title(app: &App, found: &FoundCauses) -> String {
    let bad = counted(found.all, "bad report");
    match (&found.scope, &app.reports.scope) {
        // A filter hides other bad reports of the project.
        (None, Some(project)) => format!("Causes of {bad} shown of {project}"),
        (Some(_), Some(project)) => format!("Causes of {bad} of {project}"),
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
            let since = app.triage.changes.baseline().filter(|_| is_compared);
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

fn draw_block(
    canvas: &mut Canvas,
    app: &App,
    found: &FoundCauses,
    block: &Block<CauseBlock>,
    targets: &[(CauseBlock, CauseTarget)],
) {
    let columns = lines::Columns::of(app, found, block.kind, block.inner().width);
    for (index, place) in block.visible() {
        let text = match targets[index].1 {
            CauseTarget::Reports(at) => lines::line(canvas, app, &found.lines(block.kind)[at], &columns),
            CauseTarget::UnknownChecks => vec![(unknown_checks(app, found), canvas.look.theme.decent)],
            CauseTarget::Nothing => vec![(nothing(found, block.kind).to_owned(), canvas.look.theme.dim)],
        };
        canvas.styled_text((place.x, place.y), place.width, &text);
        block.select(canvas, index, place);
    }
    let shown = block.visible().last().map_or(0, |(index, _)| index + 1);
    let more = block.count - shown;
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
    match app.unknown_checks_reason() {
        Some(reason) => format!("Checks of {reports} unknown: {reason}"),
        None => format!("Checks of {reports} unknown: {} fetches them", app.ctx.key(Action::Pick)),
    }
}
