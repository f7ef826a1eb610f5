//! The overview: blocks in two columns, or in one where the screen is narrow. The block under the cursor is always shown.

use jiff::{SignedDuration, Timestamp};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Bar, BarChart, BarGroup, Block, Sparkline};
use strum::IntoEnumIterator as _;

use crate::app::App;
use crate::app::frame_layout::{FrameLayout, HitTarget};
use crate::app::overlays::ListCursor;
use crate::domain::overview::{BIN, BINS, EventKind, OVERDUE, Overview, OverviewBlock, ProjectResults, Scores};
use crate::domain::report::fetch_failure::Responsible;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{fit_middle, width};
use crate::domain::triage::changes::{ListScope, Strokes, sparkline};
use crate::input::Action;
use crate::view::canvas::{Canvas, StyledText};
use crate::view::layout::{ScreenAreas, area};
use crate::view::theme::outcome_shape;
use crate::view::widgets::bar::bar;
use crate::view::widgets::share_bar::shares;

/// The least width with two columns.
const TWO_COLUMNS: u16 = 100;
/// The most cells of a bar.
const BAR: u64 = 16;
/// Cells of a project's bar and sparkline.
const SHARES: usize = 12;
const TREND: usize = 5;
/// The days of the history.
const DAYS: i64 = 30;

/// Where a block is drawn, and its lines among all lines.
struct BlockArea<'a> {
    block: OverviewBlock,
    inner: Rect,
    /// The number of its first line.
    first: usize,
    /// The number of its lines.
    count: usize,
    cursor: Option<usize>,
    counts: &'a Overview,
}

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas, drawn: &mut FrameLayout) {
    let place = Rect::new(0, 0, layout.screen.width, layout.footer);
    canvas.clear(place);
    // The frame of the footer begins with the last line of the blocks.
    let footer = Rect { y: place.height - 1, height: layout.screen.height + 1 - place.height, ..layout.screen };
    let lines = app.overview_lines();
    drawn.overlay = usize::from(place.height);
    let Some(counts) = app.overview.counts.as_ref().filter(|_| !lines.is_empty()) else {
        render_frames(canvas, &[place, footer]);
        canvas.text((2, 0), place.width.saturating_sub(4), &title(app, None), canvas.look.theme.title);
        canvas.text((2, 1), place.width.saturating_sub(4), "Counting …", canvas.look.theme.text);
        return;
    };
    let focused = lines.get(cursor.at).map_or(OverviewBlock::Results, |(block, _)| *block);
    let places = places(app, place, focused, &lines);
    let frames: Vec<Rect> = places.iter().map(|(_, place)| *place).chain([footer]).collect();
    render_frames(canvas, &frames);
    for (block, place) in places {
        let first = lines.iter().position(|(of, _)| *of == block).unwrap_or_default();
        let count = lines.iter().filter(|(of, _)| *of == block).count();
        let style = if block == focused { canvas.look.theme.focus } else { canvas.look.theme.dim };
        let inner = place.inner(Margin::new(2, 1));
        let heading = format!(" {} ", heading(app, counts, block));
        canvas.text((place.x + 2, place.y), place.width.saturating_sub(4), &heading, style);
        let cursor = (block == focused).then(|| cursor.at - first);
        draw_block(canvas, app, &BlockArea { block, inner, first, count, cursor, counts }, drawn);
    }
}

/// Frames that are joined where they meet.
fn render_frames(canvas: &mut Canvas, places: &[Rect]) {
    for place in places {
        let frame = Block::bordered().border_style(canvas.look.theme.dim).merge_borders(MergeStrategy::Exact);
        canvas.render(frame, *place);
    }
}

/// Where the blocks stand: as many rows of blocks as fit, with the focused block among them.
fn places(
    app: &App,
    place: Rect,
    focused: OverviewBlock,
    lines: &[(OverviewBlock, impl Sized)],
) -> Vec<(OverviewBlock, Rect)> {
    let blocks: Vec<OverviewBlock> = OverviewBlock::iter().collect();
    let columns = if place.width >= TWO_COLUMNS { 2 } else { 1 };
    let rows: Vec<&[OverviewBlock]> = blocks.chunks(columns).collect();
    let count = |block: OverviewBlock| lines.iter().filter(|(of, _)| *of == block).count() as u16;
    let tallest = |row: &[OverviewBlock], lines: fn(&App, OverviewBlock, u16) -> u16| {
        row.iter().map(|block| lines(app, *block, count(*block))).max().unwrap_or_default()
    };
    // Neighbouring blocks share a line of their frames.
    let height = |row: &[OverviewBlock]| tallest(row, wanted) + 1;
    let at = rows.iter().position(|row| row.contains(&focused)).unwrap_or_default();
    let mut start = 0;
    while start < at && rows[start..=at].iter().map(|row| height(row)).sum::<u16>() >= place.height {
        start += 1;
    }
    let mut shown: Vec<(&[OverviewBlock], u16)> = Vec::new();
    let mut left = place.height - 1;
    for row in &rows[start..] {
        let height = if shown.is_empty() { height(row).min(left) } else { height(row) };
        if height > left {
            break;
        }
        left -= height;
        shown.push((row, height));
    }
    // The rows that hide most lines take the room that is left, then the last one.
    let hidden = |app: &App, block, count: u16| match block {
        OverviewBlock::History | OverviewBlock::Scores => 0,
        _ => count.saturating_sub(wanted(app, block, count)),
    };
    if let Some((row, height)) = shown.iter_mut().max_by_key(|(row, _)| tallest(row, hidden)) {
        let more = tallest(row, hidden).min(left);
        (*height, left) = (*height + more, left - more);
    }
    if let Some((_, height)) = shown.last_mut() {
        *height += left;
    }
    let mut placed = Vec::new();
    let mut y = place.y;
    let half = place.width / columns as u16;
    for (row, height) in shown {
        for (block, column) in row.iter().zip(0_u16..) {
            let x = column * half;
            let width = if usize::from(column) + 1 == columns { place.width - x } else { half + 1 };
            placed.push((*block, Rect::new(x, y, width, height + 1)));
        }
        y += height;
    }
    placed
}

/// The time of the last look, if there is one to compare with.
fn baseline(app: &App) -> Option<Timestamp> {
    app.triage.changes.compared.as_ref()?.baseline
}

/// The lines that a block wants.
fn wanted(app: &App, block: OverviewBlock, count: u16) -> u16 {
    match block {
        OverviewBlock::Results => count,
        OverviewBlock::Changes => {
            if baseline(app).is_some() {
                4
            } else {
                1
            }
        }
        OverviewBlock::Projects | OverviewBlock::Checks => count.clamp(2, 5),
        OverviewBlock::Work | OverviewBlock::Latest => count.clamp(2, 6),
        OverviewBlock::History | OverviewBlock::Scores => 6,
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
    let reports = if listing.is_complete() || total <= loaded {
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
            Some(at) => format!("Since the last look, {}", relative(app.ctx.now, at)),
            None => "Since the last look".to_owned(),
        },
        OverviewBlock::Projects => "Projects, most bad first".to_owned(),
        OverviewBlock::Checks => format!("What the {} fail", counted(counts.results.bad, "bad report")),
        OverviewBlock::Work => format!("Work: {} open", grouped(counts.open)),
        OverviewBlock::Latest => "Latest".to_owned(),
        OverviewBlock::History => format!("Bad reports, {DAYS} days"),
        OverviewBlock::Scores => match counts.scores.median {
            Some(median) => format!("Scores: median {median}"),
            None => "Scores".to_owned(),
        },
    }
}

fn draw_block(canvas: &mut Canvas, app: &App, area: &BlockArea<'_>, drawn: &mut FrameLayout) {
    match area.block {
        OverviewBlock::History => return history(canvas, app, area, drawn),
        OverviewBlock::Scores => return scores(canvas, area, drawn),
        OverviewBlock::Changes => return changes(canvas, app, area, drawn),
        _ => {}
    }
    let fit = usize::from(area.inner.height);
    let top = area.cursor.map_or(0, |cursor| (cursor + 1).saturating_sub(fit));
    for line in 0..fit.min(area.count.saturating_sub(top)) {
        let index = top + line;
        let at = (area.inner.x, area.inner.y + line as u16);
        let more = area.count - index;
        let is_last = line + 1 == fit && more > 1;
        let text = if is_last && area.cursor.is_none() {
            vec![(format!("{more} more"), canvas.look.theme.dim)]
        } else {
            self::line(canvas, app, area, index)
        };
        canvas.pieces(at, area.inner.width, &text);
        select(canvas, area, index, Rect::new(at.0, at.1, area.inner.width, 1), drawn);
    }
}

/// Marks the line under the cursor, and lets it be clicked.
fn select(canvas: &mut Canvas, block: &BlockArea<'_>, index: usize, place: Rect, drawn: &mut FrameLayout) {
    if block.cursor == Some(index) {
        canvas.style_line((place.x, place.y), place.width, canvas.look.theme.selected);
    }
    drawn.spots.push((area(place), HitTarget::OverviewLine(block.first + index)));
}

fn line(canvas: &Canvas, app: &App, area: &BlockArea<'_>, index: usize) -> StyledText {
    let cells = usize::from(area.inner.width);
    match area.block {
        OverviewBlock::Results => result_line(canvas, app, area.counts, index, cells),
        OverviewBlock::Projects => project_line(canvas, app, area.counts, index, cells),
        OverviewBlock::Checks => check_line(canvas, app, area.counts, index, cells),
        OverviewBlock::Work => work_line(canvas, area.counts, index, cells),
        OverviewBlock::Latest => latest_line(canvas, app, index),
        OverviewBlock::Changes | OverviewBlock::History | OverviewBlock::Scores => Vec::new(),
    }
}

fn percent(part: u64, whole: u64) -> String {
    match part * 100 / whole.max(1) {
        0 if part > 0 => "<1 %".to_owned(),
        share => format!("{share} %"),
    }
}

fn result_line(canvas: &Canvas, app: &App, counts: &Overview, index: usize, cells: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let ResultCounts { good, decent, bad } = counts.results;
    let before = app.triage.changes.compared.as_ref().and_then(|compared| compared.results);
    let lines = [
        (Outcome::Good, good, before.map(|before| before.good)),
        (Outcome::Decent, decent, before.map(|before| before.decent)),
        (Outcome::Bad, bad, before.map(|before| before.bad)),
    ];
    let Some((outcome, number, before)) = lines.get(index) else {
        let other = counts.other_results();
        let behind = index - lines.len() - usize::from(other > 0);
        return if other > 0 && index == lines.len() {
            vec![(format!("  other  {:>8} {:>5}", grouped(other), percent(other, counts.reports)), theme.dim)]
        } else {
            unfetched_line(canvas, counts, behind)
        };
    };
    let style = theme.outcome(outcome);
    let change = before.map(|before| number.cast_signed() - before.cast_signed()).filter(|change| *change != 0);
    let change = change.map(|change| format!("{change:+}")).unwrap_or_default();
    let numbers = format!("{:>8} {:>5} {change:>6}  ", grouped(*number), percent(*number, counts.reports));
    let room = cells.saturating_sub(width(&numbers) + 9) as u64;
    vec![
        (format!("{} {:<6} ", outcome_shape(outcome), outcome.word()), style),
        (numbers, theme.text),
        (bar(*number, good.max(decent).max(bad), room.min(2 * BAR)), style),
    ]
}

/// Pages that could not be fetched: all of them, then by reason with who has to act.
fn unfetched_line(canvas: &Canvas, counts: &Overview, index: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let Some((failure, number)) = index.checked_sub(1).and_then(|at| counts.unfetched.get(at)) else {
        let all = counts.unfetched.iter().map(|(_, reports)| reports).sum();
        let share = percent(all, counts.reports);
        return vec![(format!("! not fetched {:>3} {share:>5}", grouped(all)), theme.bad)];
    };
    let who = match failure.responsible() {
        Responsible::Host => "the site's host",
        Responsible::Us => "the address",
    };
    vec![(format!("    {:<8}{:>5}  {} · {who}", failure.word(), grouped(*number), failure.reason()), theme.text)]
}

fn project_line(canvas: &Canvas, app: &App, counts: &Overview, index: usize, cells: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let Some(project) = counts.projects.get(index) else { return vec![("No project".to_owned(), theme.dim)] };
    let most = |number: fn(&ProjectResults) -> u64| {
        grouped(counts.projects.iter().map(number).max().unwrap_or_default()).len()
    };
    let (bad_width, all_width) = (most(|project| project.counts.bad), most(|project| project.reports));
    let numbers = format!(
        " {:>bad_width$} of {:>all_width$} {:>5}",
        grouped(project.counts.bad),
        grouped(project.reports),
        percent(project.counts.bad, project.reports)
    );
    let has_trends = app.trend(None).is_some();
    let trend = app.trend(Some(project.name.raw()));
    let trend = trend.map(|values| sparkline(&values[values.len().saturating_sub(TREND)..], TREND, Strokes::Blocks));
    let trend = if has_trends { format!(" {:TREND$}", trend.unwrap_or_default()) } else { String::new() };
    let with_bar = cells >= 50;
    let taken = width(&numbers) + width(&trend) + if with_bar { SHARES + 1 } else { 0 };
    let room = cells.saturating_sub(taken);
    let name = fit_middle(project.name.shown(), room);
    let mut pieces = vec![(format!("{name}{}", " ".repeat(room.saturating_sub(width(&name)))), theme.text)];
    if with_bar {
        pieces.push((" ".to_owned(), theme.text));
        pieces.extend(shares(project.counts, SHARES, theme));
        if project.counts.sum() == 0 {
            pieces.push((" ".repeat(SHARES), theme.text));
        }
    }
    pieces.push((numbers, theme.text));
    pieces.push((trend, theme.bad));
    pieces
}

fn check_line(canvas: &Canvas, app: &App, counts: &Overview, index: usize, cells: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let unknown = counts.unknown_checks.len() as u64;
    if unknown > 0 && index == 0 {
        let (reports, key) = (counted(unknown, "report"), app.ctx.key(Action::Pick));
        return vec![(format!("Checks of {reports} unknown: {key} fetches them"), theme.decent)];
    }
    let Some((id, number)) = counts.failing.get(index - usize::from(unknown > 0)) else {
        let text = if counts.results.bad == 0 { "No report is bad" } else { "No check fails" };
        return vec![(text.to_owned(), theme.dim)];
    };
    let most = counts.failing.first().map_or(1, |(_, most)| *most);
    let importance = app.ctx.explanations.get(&**id).map_or("", |explanation| explanation.importance.word());
    let numbers =
        format!(" {:>6} {:>5}", grouped(*number), percent(*number, counts.results.bad.saturating_sub(unknown)));
    let bars = if cells >= 50 { BAR as usize + 1 } else { 0 };
    let room = cells.saturating_sub(width(&numbers) + bars + 8);
    let name = fit_middle(id, room);
    let mut pieces = vec![
        (format!("{name}{}", " ".repeat(room.saturating_sub(width(&name)))), theme.text),
        (format!(" {importance:<7}"), theme.dim),
    ];
    if bars > 0 {
        let drawn = bar(*number, most, BAR);
        let rest = " ".repeat((BAR as usize).saturating_sub(width(&drawn)));
        pieces.push((format!("{drawn}{rest} "), theme.bad));
    }
    pieces.push((numbers, theme.text));
    pieces
}

fn work_line(canvas: &Canvas, counts: &Overview, index: usize, cells: usize) -> StyledText {
    let theme = &canvas.look.theme;
    if index == 0 {
        return vec![(format!("open {} · new or being looked at, and not good", grouped(counts.open)), theme.text)];
    }
    if let Some(state) = counts.states.get(index - 1) {
        let overdue = match state.overdue {
            0 => String::new(),
            overdue => format!(" ({} for more than {} d)", grouped(overdue), OVERDUE.as_hours() / 24),
        };
        return vec![(format!("{} {}{overdue}", state.kind.label(), grouped(state.reports)), theme.text)];
    }
    let at = index - 1 - counts.states.len();
    let Some(urgent) = counts.urgent.get(at) else { return Vec::new() };
    let score = urgent.score.map(|score| score.to_string()).unwrap_or_default();
    let place = ["1st", "2nd", "3rd"].get(at).copied().unwrap_or_default();
    let room = cells.saturating_sub(14);
    let name = fit_middle(&urgent.url, room);
    vec![
        (format!("{place} "), theme.dim),
        (format!("{:>4} ", urgent.points), theme.key),
        (format!("{name}{}", " ".repeat(room.saturating_sub(width(&name)))), theme.text),
        (format!(" {score:>3}"), theme.bad),
    ]
}

fn latest_line(canvas: &Canvas, app: &App, index: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let Some(event) = app.overview.latest.get(index) else {
        return vec![("Nothing happened within a day".to_owned(), theme.dim)];
    };
    let at = event.at.to_zoned(canvas.look.zone.clone());
    let is_today = app.ctx.now.duration_since(event.at) < SignedDuration::from_hours(24);
    let at = if is_today { at.strftime("%H:%M").to_string() } else { at.strftime("%d %b").to_string() };
    let what = match &event.kind {
        EventKind::Triage(what) => format!("you    {what}"),
        EventKind::Audits { project, counts, reports } => {
            let ResultCounts { good, decent, bad } = *counts;
            let results = format!("{} good, {} decent, {} bad", grouped(good), grouped(decent), grouped(bad));
            format!("audits {project}: {} ({results})", grouped(*reports))
        }
    };
    vec![(format!("{at:>6} "), theme.dim), (what, theme.text)]
}

fn changes(canvas: &mut Canvas, app: &App, area: &BlockArea<'_>, drawn: &mut FrameLayout) {
    let theme = canvas.look.theme.clone();
    let lines: Vec<StyledText> = match &app.triage.changes.compared {
        None => vec![vec![("Changes appear when the whole list is loaded".to_owned(), theme.dim)]],
        Some(compared) if compared.baseline.is_none() => {
            vec![vec![("First visit: changes appear from the next start".to_owned(), theme.dim)]]
        }
        Some(compared) => {
            let comparison = &compared.comparison;
            let (worse, better) = (comparison.regressed.len() as u64, comparison.improved.len() as u64);
            let most = worse.max(better);
            let line = |number: u64, word: &str, style: Style| {
                vec![(format!("{:>8} {word:<7} ", grouped(number)), theme.text), (bar(number, most, BAR), style)]
            };
            let known = |knows: bool, number: usize| if knows { grouped(number as u64) } else { "?".to_owned() };
            let new = known(comparison.knows_new, comparison.new.len());
            let gone = known(comparison.knows_gone, comparison.gone.len());
            vec![
                line(worse, "worse", theme.bad),
                line(better, "better", theme.good),
                vec![(format!("{new:>8} new · {gone} no longer listed"), theme.text)],
                vec![(format!("{} shows them", app.ctx.key(Action::Pick)), theme.dim)],
            ]
        }
    };
    for (line, text) in lines.iter().take(usize::from(area.inner.height)).enumerate() {
        let at = (area.inner.x, area.inner.y + line as u16);
        canvas.pieces(at, area.inner.width, text);
        if line == 0 {
            select(canvas, area, 0, Rect::new(at.0, at.1, area.inner.width, 1), drawn);
        }
    }
}

/// The number of bad reports on each of the last days, from the looks of this machine.
fn history(canvas: &mut Canvas, app: &App, block: &BlockArea<'_>, drawn: &mut FrameLayout) {
    let theme = canvas.look.theme.clone();
    let Rect { x, y, width: cells, height } = block.inner;
    drawn.spots.push((area(block.inner), HitTarget::OverviewLine(block.first)));
    let looks = app.triage.changes.compared.as_ref().map_or(&[][..], |compared| &compared.trends.bad);
    let days: Vec<Option<u64>> = (0..DAYS)
        .rev()
        .map(|ago| {
            let end = app.ctx.now - SignedDuration::from_hours(24 * ago);
            looks.iter().rev().find(|(at, _)| *at <= end).map(|(_, bad)| *bad)
        })
        .collect();
    let most = days.iter().flatten().max().copied().unwrap_or_default();
    if looks.len() < 2 || height < 3 {
        let text = match looks.last() {
            Some((_, bad)) => format!("{} at the first look: the chart begins with the next", grouped(*bad)),
            None => "The chart begins when the whole list is loaded".to_owned(),
        };
        canvas.text((x, y), cells, &text, theme.dim);
        return;
    }
    let label = grouped(most);
    let left = width(&label) as u16 + 1;
    canvas.right((x, y), left - 1, &label, theme.dim);
    canvas.right((x, y + height - 2), left - 1, "0", theme.dim);
    let room = cells.saturating_sub(left);
    let repeat = usize::from(room) / days.len();
    let bars: Vec<Option<u64>> = days.iter().flat_map(|day| std::iter::repeat_n(*day, repeat.max(1))).collect();
    let bars = &bars[bars.len().saturating_sub(room.into())..];
    let chart = Sparkline::default().data(bars).max(most.max(1)).style(theme.bad);
    canvas.render(chart, Rect::new(x + left, y, bars.len() as u16, height - 1));
    let first = looks.iter().find(|(at, _)| app.ctx.now.duration_since(*at) <= SignedDuration::from_hours(24 * DAYS));
    let since = first.map(|(at, _)| relative(app.ctx.now, *at)).unwrap_or_default();
    let span = format!("{DAYS} days ago → now · first look {since} · {} looks", looks.len());
    canvas.text((x, y + height - 1), cells, &span, theme.dim);
    if block.cursor.is_some() {
        canvas.style_line((x, y + height - 1), cells, theme.selected);
    }
}

/// The histogram of scores, and the bin under the cursor in words.
fn scores(canvas: &mut Canvas, block: &BlockArea<'_>, drawn: &mut FrameLayout) {
    let theme = canvas.look.theme.clone();
    let Rect { x, y, width: cells, height } = block.inner;
    let Scores { bins, unscored, worst_tenth, .. } = &block.counts.scores;
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
        drawn.spots.push((area(column), HitTarget::OverviewLine(block.first + usize::from(bin))));
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
        let without = if *unscored > 0 { format!(" · {} without a score", grouped(*unscored)) } else { String::new() };
        format!("{tenth}{without}")
    };
    let style = if block.cursor.is_some() { theme.selected } else { theme.dim };
    canvas.text((x, axis + 1), cells, &words, style);
}
