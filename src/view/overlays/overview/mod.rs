//! The overview: blocks in two columns, or in one on a narrow screen. The block under the cursor is always visible.

mod charts;
mod lines;
mod places;

use self::charts::DAYS;
use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::overlays::ListCursor;
use crate::domain::overview::{Overview, OverviewBlock};
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::width;
use crate::domain::triage::changes::ListScope;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::panes::header::age;
use crate::view::widgets::blocks::{self, Block};

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let place = blocks::clear(canvas, layout);
    let lines = app.overview_lines();
    let Some(counts) = app.overview.counts.as_ref().filter(|_| !lines.is_empty()) else {
        let is_counting = app.reports.is_loading() || app.reports.listing.loaded() > 0;
        let text = if is_counting { "Counting …" } else { "No reports are loaded" };
        return blocks::draw_empty(canvas, layout, place, &title(app, None), text);
    };
    let focused = lines.get(cursor.at).map_or(OverviewBlock::Results, |(block, _)| *block);
    let places = places::places(app, place, focused, &lines);
    for block in blocks::draw_frames(canvas, layout, places, &lines, cursor.at) {
        block.draw_heading(canvas, &heading(app, counts, &block));
        draw_block(canvas, app, counts, &block);
    }
}

fn title(app: &App, counts: Option<&Overview>) -> String {
    let listing = &app.reports.listing;
    let is_whole = ListScope::of(&listing.query) == ListScope::default();
    let of = match (&app.reports.scope, counts) {
        (Some(project), _) => format!("{project}"),
        (None, Some(counts)) if is_whole => {
            let named = counts.projects.iter().map(|project| &project.name).filter(|name| !name.raw().is_empty());
            match &named.collect::<Vec<_>>()[..] {
                [only] => only.to_string(),
                projects => format!("all {}", counted(projects.len() as u64, "project")),
            }
        }
        (None, _) if is_whole => "all projects".to_owned(),
        (None, _) => "the filtered list".to_owned(),
    };
    let (loaded, total) =
        (counts.map_or(listing.loaded() as u64, |counts| counts.reports), app.reports.total(&app.projects));
    let reports = if total <= loaded || (listing.is_complete() && counts.is_some()) {
        counted(loaded, "report")
    } else {
        format!("{} of {} loaded", grouped(loaded), counted(total, "report"))
    };
    format!(" Overview of {of} · {reports} ")
}

/// The title with the name of the account and the time of the list, as far as they fit.
fn whole_title(app: &App, counts: &Overview, cells: usize) -> String {
    let name = match &app.ctx.connection {
        Connection::Ready(connected) => connected.name.as_str(),
        Connection::Starting | Connection::Failed(_) => "",
    };
    let (title, age) = (title(app, Some(counts)), age(app));
    let with = |name: &str| {
        let parts = [name, &title, &age].map(str::trim).into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" · ")
    };
    let fitting = [with(name), with("")].into_iter().find(|text| width(text) <= cells);
    fitting.unwrap_or_else(|| title.trim().to_owned())
}

fn heading(app: &App, counts: &Overview, block: &Block<OverviewBlock>) -> String {
    match block.kind {
        OverviewBlock::Results => whole_title(app, counts, usize::from(block.inner().width.saturating_sub(2))),
        OverviewBlock::Changes => match app.triage.changes.baseline() {
            Some(at) => {
                // The changes are those of the whole list, also while one of its projects is open.
                let of = if app.compared_list().is_none() { ", all reports" } else { "" };
                format!("Since the last look, {}{of}", relative(app.ctx.now, at))
            }
            None => "Since the last look".to_owned(),
        },
        OverviewBlock::Projects => "Projects, most bad first".to_owned(),
        OverviewBlock::Checks => match counts.results.bad {
            1 => "What the bad report fails".to_owned(),
            bad => format!("What the {} bad reports fail", grouped(bad)),
        },
        OverviewBlock::Work => {
            // Of the reports that are counted, not of all that the desk knows.
            let is_counted = |id: &ReportId| {
                let report = app.reports.listing.row(id).filter(|report| report.outcome != Outcome::Good);
                report.is_some_and(|report| app.reports.scope.as_ref().is_none_or(|scope| *scope == *report.project))
            };
            let shares = app.desk.as_ref().map(|desk| desk.shares(is_counted));
            let team = match shares.unwrap_or_default() {
                (0, 0) => String::new(),
                (mine, others) => format!(", {} yours, {} with others", grouped(mine), grouped(others)),
            };
            format!("Work: {} open{team}", grouped(counts.open))
        }
        OverviewBlock::Latest => "Latest".to_owned(),
        OverviewBlock::History => {
            match app.compared_list().map(|compared| charts::looks_within(app, &compared.trends.bad)) {
                Some(looks) if looks > 1 => format!("Bad reports, {DAYS} days, {}", counted(looks as u64, "look")),
                Some(_) | None => format!("Bad reports, {DAYS} days"),
            }
        }
        OverviewBlock::Scores => match counts.scores.median {
            Some(median) => format!("Scores: median {median}"),
            None => "Scores".to_owned(),
        },
    }
}

fn draw_block(canvas: &mut Canvas, app: &App, counts: &Overview, block: &Block<OverviewBlock>) {
    // A block may list only some of its lines.
    let all = match block.kind {
        OverviewBlock::History => return charts::history(canvas, app, block),
        OverviewBlock::Scores => return charts::scores(canvas, &counts.scores, block),
        OverviewBlock::Changes => return lines::changes(canvas, app, block),
        OverviewBlock::Projects => counts.projects.len(),
        OverviewBlock::Checks => counts.failing.len() + usize::from(!counts.unknown_checks.is_empty()),
        OverviewBlock::Results | OverviewBlock::Work | OverviewBlock::Latest => block.count,
    };
    for (index, place) in block.visible() {
        let more = all.max(block.count) - index;
        let is_last = place.bottom() == block.inner().bottom() && more > 1;
        let text = if is_last && block.cursor.is_none() {
            vec![(format!("{more} more"), canvas.look.theme.dim)]
        } else {
            lines::line(canvas, app, (counts, block.kind), index, usize::from(place.width))
        };
        canvas.styled_text((place.x, place.y), place.width, &text);
        block.select(canvas, index, place);
    }
}
