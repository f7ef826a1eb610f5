//! Lines of the overview's blocks as styled text.

use ratatui::style::Style;

use crate::app::App;
use crate::app::triage::change_sections::ChangeSection;
use crate::domain::overview::{EventKind, OVERDUE, Overview, OverviewBlock, ProjectResults};
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::Trend;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped, percent};
use crate::domain::text::{Text, fit_middle, width};
use crate::domain::triage::changes::{ResultChange, sparkline};
use crate::input::Action;
use crate::view::canvas::{Canvas, StyledText, padded};
use crate::view::theme::outcome_shape;
use crate::view::widgets::bar::bar;
use crate::view::widgets::blocks::Block;
use crate::view::widgets::change::change;
use crate::view::widgets::share_bar::shares;

/// The maximum number of cells of a bar.
const BAR: u64 = 16;
/// The cells of a bar of the changes.
const CHANGES_BAR: u64 = 12;
/// The cells of a project's bar and sparkline.
const SHARES: usize = 12;
const TREND: usize = 5;
/// The minimum number of cells of a check's name.
const NAME: usize = 18;
/// The cells of the change of a check or a project: `▲1,234`.
const CHANGE: usize = 6;

pub(super) fn line(
    canvas: &Canvas,
    app: &App,
    (counts, block): (&Overview, OverviewBlock),
    index: usize,
    cells: usize,
) -> StyledText {
    match block {
        OverviewBlock::Results => result_line(canvas, app, counts, index, cells),
        OverviewBlock::Projects => project_line(canvas, app, counts, index, cells),
        OverviewBlock::Checks => check_line(canvas, app, counts, index, cells),
        OverviewBlock::Work => work_line(canvas, app, counts, index, cells),
        OverviewBlock::Latest => latest_line(canvas, app, index),
        OverviewBlock::Changes | OverviewBlock::History | OverviewBlock::Scores => Vec::new(),
    }
}

fn result_line(canvas: &Canvas, app: &App, counts: &Overview, index: usize, cells: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let ResultCounts { good, decent, bad } = counts.results;
    let before = app.compared_list().and_then(|compared| compared.results);
    let lines = [
        (Outcome::Good, good, before.map(|before| before.good)),
        (Outcome::Decent, decent, before.map(|before| before.decent)),
        (Outcome::Bad, bad, before.map(|before| before.bad)),
    ];
    let Some((outcome, number, before)) = lines.get(index) else {
        let other = counts.other_results();
        let behind = (index - lines.len()).saturating_sub(usize::from(other > 0));
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
        (format!("{} {:<6} ", outcome_shape(outcome), outcome.name()), style),
        (numbers, theme.text),
        (bar(*number, good.max(decent).max(bad), room.min(2 * BAR)), style),
    ]
}

/// Formats the number of pages that could not be fetched: first in total, then by reason with who has to act.
fn unfetched_line(canvas: &Canvas, counts: &Overview, index: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let Some((failure, number)) = index.checked_sub(1).and_then(|at| counts.unfetched.get(at)) else {
        let all = counts.unfetched.iter().map(|(_, reports)| reports).sum();
        let share = percent(all, counts.reports);
        return vec![(format!("! not fetched {:>3} {share:>5}", grouped(all)), theme.bad)];
    };
    let (who, reason) = (failure.responsible(), failure.reason());
    vec![(format!("    {:<8}{:>5}  {reason} · {who}", failure.name(), grouped(*number)), theme.text)]
}

fn project_name(name: &Text) -> &str {
    if name.raw().is_empty() { "without a project" } else { name.shown() }
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
    let compared = app.triage.changes.compared.as_ref().filter(|compared| compared.baseline.is_some() && cells >= 50);
    let change = compared.map(|compared| {
        let more = compared.comparison.bad_by_project.get(project.name.raw()).copied().unwrap_or_default();
        change(project.counts.bad.saturating_add_signed(-more), project.counts.bad, theme)
    });
    let has_trends = app.trend(None).is_some();
    let trend = app.trend(Some(project.name.raw()));
    let trend = trend.map(|values| sparkline(&values[values.len().saturating_sub(TREND)..], TREND));
    let trend = if has_trends { format!(" {:TREND$}", trend.unwrap_or_default()) } else { String::new() };
    let with_bar = cells >= 50;
    let change_cells = if change.is_some() { CHANGE } else { 0 };
    let taken = width(&numbers) + width(&trend) + change_cells + if with_bar { SHARES + 1 } else { 0 };
    let room = cells.saturating_sub(taken);
    let mut pieces = vec![(padded(&fit_middle(project_name(&project.name), room), room), theme.text)];
    if with_bar {
        pieces.push((" ".to_owned(), theme.text));
        pieces.extend(shares(project.counts, SHARES, theme));
        if project.counts.sum() == 0 {
            pieces.push((" ".repeat(SHARES), theme.text));
        }
    }
    pieces.push((numbers, theme.text));
    pieces.extend(change.map(|(text, style)| (format!("{text:>CHANGE$}"), style)));
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
    let importance = app.ctx.explanations.get(&**id).map_or("", |explanation| explanation.importance.name());
    let numbers =
        format!(" {:>6} {:>5}", grouped(*number), percent(*number, counts.results.bad.saturating_sub(unknown)));
    let before = app.failed_before_in_list(id).filter(|_| unknown == 0 && cells >= 50);
    let change = before.map(|before| change(before, *number, theme));
    let taken = width(&numbers) + 8 + if change.is_some() { CHANGE } else { 0 };
    // The name takes precedence over a long bar.
    let bar_cells = (cells.saturating_sub(taken + NAME + 1) as u64).clamp(BAR / 2, BAR);
    let bars = if cells >= 50 { bar_cells as usize + 1 } else { 0 };
    let room = cells.saturating_sub(taken + bars);
    let mut pieces = vec![(padded(&fit_middle(id, room), room), theme.text), (format!(" {importance:<7}"), theme.dim)];
    if bars > 0 {
        pieces.push((padded(&bar(*number, most, bar_cells), bars), theme.bad));
    }
    pieces.push((numbers, theme.text));
    pieces.extend(change.map(|(text, style)| (format!("{text:>CHANGE$}"), style)));
    pieces
}

fn work_line(canvas: &Canvas, app: &App, counts: &Overview, index: usize, cells: usize) -> StyledText {
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
    let age = urgent.generated_at.filter(|_| cells >= 50).map(|at| format!("{:>11}", relative(app.ctx.now, at)));
    let age = age.unwrap_or_default();
    let room = cells.saturating_sub(14 + width(&age));
    vec![
        (format!("{place} "), theme.dim),
        (format!("{:>4} ", urgent.points), theme.key),
        (padded(&fit_middle(&urgent.url, room), room), theme.text),
        (format!(" {score:>3}"), theme.bad),
        (age, theme.dim),
    ]
}

fn latest_line(canvas: &Canvas, app: &App, index: usize) -> StyledText {
    let theme = &canvas.look.theme;
    let Some(event) = app.overview.latest.get(index) else {
        return vec![("Nothing happened in the last 24 h".to_owned(), theme.dim)];
    };
    let [at, now] = [event.at, app.ctx.now].map(|time| time.to_zoned(app.screen.zone.clone()));
    let at = at.strftime(if at.date() == now.date() { "%H:%M" } else { "%d %b" }).to_string();
    let what = match &event.kind {
        EventKind::Logged { author, text } if author.is_empty() => format!("you    {text}"),
        EventKind::Logged { author, text } => format!("{author} {text}"),
        EventKind::Audits { project, counts, reports } => {
            let ResultCounts { good, decent, bad } = *counts;
            let other = match reports - counts.sum() {
                0 => String::new(),
                other => format!(", {} other", grouped(other)),
            };
            let results = format!("{} good, {} decent, {} bad{other}", grouped(good), grouped(decent), grouped(bad));
            format!("audits {}: {} ({results})", project_name(project), grouped(*reports))
        }
    };
    vec![(format!("{at:>6} "), theme.dim), (what, theme.text)]
}

/// Draws the changes since the last look.
pub(super) fn changes(canvas: &mut Canvas, app: &App, block: &Block<OverviewBlock>) {
    let theme = canvas.look.theme.clone();
    let changes = &app.triage.changes;
    let none_because =
        |usual: &str| vec![vec![(app.comparison_problem().unwrap_or_else(|| usual.to_owned()), theme.dim)]];
    let lines: Vec<StyledText> = match &changes.compared {
        None => none_because("Shown once the whole list is loaded"),
        Some(compared) if compared.baseline.is_none() => none_because("First visit: nothing to compare yet"),
        Some(compared) => {
            let comparison = &compared.comparison;
            let (worse, better) = (comparison.regressed.len() as u64, comparison.improved.len() as u64);
            let most = worse.max(better);
            // The changes of results come first.
            let has = |trend| move |change: &&ResultChange| change.before.result_trend(&change.after) == trend;
            let fallen = comparison.regressed.iter().take_while(has(Trend::Worse)).count() as u64;
            let risen = comparison.improved.iter().take_while(has(Trend::Better));
            let left_bad = risen.filter(|change| change.before.outcome == Outcome::Bad).count() as u64;
            let line = |number: u64, word: &str, style: Style, of_them: String| {
                let bar = padded(&bar(number, most, CHANGES_BAR), CHANGES_BAR as usize);
                let mut pieces = vec![(format!("{:>8} {word:<7} ", grouped(number)), theme.text), (bar, style)];
                if block.inner().width >= 50 {
                    pieces.push((of_them, theme.text));
                }
                pieces
            };
            let (untested, days) = (changes.count(ChangeSection::Untested) as u64, changes.untested_days.into());
            let untested = grouped(untested);
            let [open, seen] = [Action::Pick, Action::AllSeen].map(|action| app.ctx.key(action));
            let known = |knows: bool, number: usize| if knows { grouped(number as u64) } else { "?".to_owned() };
            let new = known(comparison.knows_new, comparison.new.len());
            let gone = known(comparison.knows_gone, comparison.gone.len());
            vec![
                line(worse, "worse", theme.bad, format!(" {} with a worse result", grouped(fallen))),
                line(better, "better", theme.good, format!(" {} left bad", grouped(left_bad))),
                vec![(format!("{new:>8} new · {gone} no longer listed"), theme.text)],
                vec![(format!("{untested:>8} not re-run for {}", counted(days, "day")), theme.text)],
                vec![(format!("{open} shows them, {seen} there marks everything as seen"), theme.dim)],
            ]
        }
    };
    for (text, place) in lines.iter().zip(block.inner().rows()) {
        canvas.styled_text((place.x, place.y), place.width, text);
    }
    if let Some(place) = block.inner().rows().next() {
        block.select(canvas, 0, place);
    }
}
