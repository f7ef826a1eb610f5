//! The overview: blocks in two columns, or in one on a narrow screen. The block under the cursor is always visible.

mod block;
mod charts;
mod lines;
mod places;

use ratatui::layout::{Margin, Rect};

use self::block::{BlockArea, DAYS, baseline, select};
use crate::app::App;
use crate::app::overlays::ListCursor;
use crate::domain::overview::{Overview, OverviewBlock};
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::triage::changes::ListScope;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::joined_frames::joined_frames;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let place = Rect::new(0, 0, layout.screen.width, layout.footer);
    canvas.clear(place);
    let lines = app.overview_lines();
    canvas.frame_layout.overlay = usize::from(place.height);
    let Some(counts) = app.overview.counts.as_ref().filter(|_| !lines.is_empty()) else {
        joined_frames(canvas, layout, [place]);
        canvas.text((2, 0), place.width.saturating_sub(4), &title(app, None), canvas.look.theme.title);
        canvas.text((2, 1), place.width.saturating_sub(4), "Counting …", canvas.look.theme.text);
        return;
    };
    let focused = lines.get(cursor.at).map_or(OverviewBlock::Results, |(block, _)| *block);
    let places = places::places(app, place, focused, &lines);
    joined_frames(canvas, layout, places.iter().map(|(_, place)| *place));
    for (block, place) in places {
        let first = lines.iter().position(|(of, _)| *of == block).unwrap_or_default();
        let count = lines.iter().filter(|(of, _)| *of == block).count();
        let style = if block == focused { canvas.look.theme.focus } else { canvas.look.theme.dim };
        let inner = place.inner(Margin::new(2, 1));
        let heading = format!(" {} ", heading(app, counts, block));
        canvas.text((place.x + 2, place.y), place.width.saturating_sub(4), &heading, style);
        let cursor = (block == focused).then(|| cursor.at - first);
        draw_block(canvas, app, &BlockArea { block, inner, first, count, cursor, counts });
    }
}

fn title(app: &App, counts: Option<&Overview>) -> String {
    let listing = &app.reports.listing;
    let is_whole = ListScope::of(&listing.query) == ListScope::default();
    let of = match (&app.reports.scope, counts) {
        (Some(project), _) => format!("{project}"),
        (None, Some(counts)) if is_whole => match &counts.projects[..] {
            [only] => only.name.to_string(),
            projects => format!("all {}", counted(projects.len() as u64, "project")),
        },
        (None, _) if is_whole => "all projects".to_owned(),
        (None, _) => "the filtered list".to_owned(),
    };
    let (loaded, total) = (listing.loaded() as u64, app.reports.total(&app.projects));
    let reports = if let Some(counts) = counts.filter(|_| listing.is_complete()) {
        counted(counts.reports, "report")
    } else if total <= loaded {
        counted(loaded, "report")
    } else {
        format!("{} of {} loaded", grouped(loaded), counted(total, "report"))
    };
    format!(" Overview of {of} · {reports} ")
}

fn heading(app: &App, counts: &Overview, block: OverviewBlock) -> String {
    match block {
        OverviewBlock::Results => title(app, Some(counts)).trim().to_owned(),
        OverviewBlock::Changes => match baseline(app) {
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
        OverviewBlock::History => match app.compared_list().map(|compared| compared.trends.bad.len()) {
            Some(looks) if looks > 1 => format!("Bad reports, {DAYS} days, {}", counted(looks as u64, "look")),
            Some(_) | None => format!("Bad reports, {DAYS} days"),
        },
        OverviewBlock::Scores => match counts.scores.median {
            Some(median) => format!("Scores: median {median}"),
            None => "Scores".to_owned(),
        },
    }
}

fn draw_block(canvas: &mut Canvas, app: &App, area: &BlockArea<'_>) {
    match area.block {
        OverviewBlock::History => return charts::history(canvas, app, area),
        OverviewBlock::Scores => return charts::scores(canvas, area),
        OverviewBlock::Changes => return lines::changes(canvas, app, area),
        OverviewBlock::Results
        | OverviewBlock::Projects
        | OverviewBlock::Checks
        | OverviewBlock::Work
        | OverviewBlock::Latest => {}
    }
    let fit = usize::from(area.inner.height);
    let top = area.cursor.map_or(0, |cursor| (cursor + 1).saturating_sub(fit));
    for line in 0..fit.min(area.count.saturating_sub(top)) {
        let index = top + line;
        let at = (area.inner.x, area.inner.y + line as u16);
        // A block may list only some of its lines.
        let more = area.block_len() - index;
        let is_last = line + 1 == fit && more > 1;
        let text = if is_last && area.cursor.is_none() {
            vec![(format!("{more} more"), canvas.look.theme.dim)]
        } else {
            lines::line(canvas, app, area, index)
        };
        canvas.styled_text(at, area.inner.width, &text);
        select(canvas, area, index, Rect::new(at.0, at.1, area.inner.width, 1));
    }
}
