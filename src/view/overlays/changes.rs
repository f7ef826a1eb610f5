//! The changes since an earlier snapshot: a list in sections, each report with its difference and a sparkline.

use crate::app::App;
use crate::app::overlays::ListCursor;
use crate::app::triage::change_sections::{ChangeLine, ChangeSection, Changes};
use crate::domain::report::ReportId;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{fit_middle, width};
use crate::domain::triage::changes::comparison::ComparisonResult;
use crate::domain::triage::changes::{Comparison, ListedReport, ResultChange, sparkline};
use crate::view::canvas::{Canvas, StyledText};
use crate::view::layout::ScreenAreas;
use crate::view::theme::Theme;
use crate::view::widgets::framed::whole;
use crate::view::widgets::list::list;

/// The cells of a chart.
const CHART: usize = 12;
/// The cells of `decent 100 → decent 100, +10`, and of the short form `decent 100, +10`.
const DIFFERENCE: usize = 28;
const SHORT_DIFFERENCE: usize = 15;
/// The minimum width with charts and checks.
const WIDE: u16 = 76;
/// The most checks named in a line.
const MOST_NAMES: usize = 4;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, cursor: &ListCursor, layout: &ScreenAreas) {
    let title = title(app);
    let inner = whole(canvas, layout, &title);
    let Some(compared) = &app.triage.changes.compared else {
        let text =
            app.comparison_problem().unwrap_or_else(|| "Changes appear once the whole list is loaded.".to_owned());
        canvas.text((inner.x, inner.y), inner.width, &text, canvas.look.theme.text);
        return;
    };
    list(canvas, inner, cursor, app.triage.changes.line_count(), |canvas, at, index| {
        if let Some(change) = app.triage.changes.line(index) {
            let pieces = line(canvas, app, compared, change, inner.width);
            canvas.styled_text(at, inner.width, &pieces);
        }
    });
}

fn title(app: &App) -> String {
    match app.triage.changes.baseline() {
        Some(at) => {
            let exact = at.to_zoned(app.screen.zone.clone()).strftime("%Y-%m-%d %H:%M");
            format!("Since {exact} ({})", relative(app.ctx.now, at))
        }
        None => match app.comparison_problem() {
            Some(problem) => format!("Nothing to compare with: {problem}"),
            None => "First visit: nothing to compare yet".to_owned(),
        },
    }
}

fn line(canvas: &Canvas, app: &App, compared: &ComparisonResult, line: ChangeLine, cells: u16) -> StyledText {
    let theme = &canvas.look.theme;
    let comparison = &compared.comparison;
    let (section, at) = match line {
        ChangeLine::Heading(section) => return vec![(heading(&app.triage.changes, comparison, section), theme.title)],
        ChangeLine::Item(section, at) => (section, at),
    };
    match section {
        ChangeSection::Regressed => changed_line(canvas, app, (compared, cells), &comparison.regressed[at]),
        ChangeSection::Improved => changed_line(canvas, app, (compared, cells), &comparison.improved[at]),
        ChangeSection::New => listed_line(canvas, app, cells, &comparison.new[at], ""),
        ChangeSection::Missing => {
            let missing = &comparison.gone[at];
            let behind = if app.triage.changes.is_gone(&missing.id) { "  gone" } else { "  missing" };
            listed_line(canvas, app, cells, missing, behind)
        }
        ChangeSection::Untested => {
            let untested = &comparison.untested[at];
            let age = relative(app.ctx.now, untested.generated_at);
            let room = before_name(cells);
            let before = vec![(format!("{}{age:<room$}", mark(app, &untested.id)), theme.dim)];
            with_name(theme, before, &app.changed_name(&untested.id), "", cells)
        }
    }
}

/// Formats a heading: `Regressed 12`, or why the number is unknown.
fn heading(changes: &Changes, comparison: &Comparison, section: ChangeSection) -> String {
    let listed = changes.count(section);
    let count = grouped(listed as u64);
    match section {
        ChangeSection::Regressed => format!("Regressed {count}"),
        ChangeSection::Improved => format!("Improved {count}"),
        ChangeSection::New if !comparison.knows_new => "New: unknown, no earlier list is complete".to_owned(),
        ChangeSection::New => format!("New {count}"),
        ChangeSection::Missing if !comparison.knows_gone => {
            "No longer listed: unknown, this list is incomplete".to_owned()
        }
        ChangeSection::Missing if listed > 0 => {
            let gone = changes.gone_count();
            let (gone, missing) = (grouped(gone as u64), grouped((listed - gone) as u64));
            format!("No longer listed {count}: {gone} gone, {missing} missing")
        }
        ChangeSection::Missing => format!("No longer listed {count}"),
        ChangeSection::Untested => {
            let is_cut = comparison.more_untested && comparison.untested.len() == listed;
            let of = if is_cut { ": the oldest" } else { "" };
            format!("Not re-run for {}{of} {count}", counted(changes.untested_days.into(), "day"))
        }
    }
}

/// A report whose result or score changed.
fn changed_line(
    canvas: &Canvas,
    app: &App,
    (compared, cells): (&ComparisonResult, u16),
    changed: &ResultChange,
) -> StyledText {
    let theme = &canvas.look.theme;
    let style = theme.outcome(&changed.after.outcome);
    let mark = mark(app, &changed.id);
    let is_wide = cells >= WIDE;
    let mut pieces = vec![if is_wide {
        (format!("{mark}{:<DIFFERENCE$} ", changed.in_words()), style)
    } else {
        let change = changed.score_change().filter(|change| *change != 0).map(|change| format!(", {change:+}"));
        let short = format!("{}{}", changed.after.verdict(), change.unwrap_or_default());
        (format!("{mark}{short:<SHORT_DIFFERENCE$} "), style)
    }];
    if is_wide {
        let scores = compared.scores.get(&changed.id).map_or(&[][..], Vec::as_slice);
        let values: Vec<u8> = scores.iter().map(|(_, score)| *score).collect();
        pieces.push((format!("{} ", sparkline(&values, CHART)), style));
    }
    let mut pieces = with_name(theme, pieces, &app.changed_name(&changed.id), "", cells);
    if let Some(flips) = changed.flips().filter(|flips| is_wide && !flips.is_empty()) {
        pieces.push((format!("  {}", flips.in_words(MOST_NAMES)), theme.dim));
    }
    pieces
}

/// The cells between the mark and the URL.
fn before_name(cells: u16) -> usize {
    if cells >= WIDE { DIFFERENCE + CHART + 2 } else { SHORT_DIFFERENCE + 1 }
}

/// A report that is in one of the two lists only.
fn listed_line(canvas: &Canvas, app: &App, cells: u16, listed: &ListedReport, behind: &str) -> StyledText {
    let room = before_name(cells);
    let theme = &canvas.look.theme;
    let style = theme.outcome(&listed.state.outcome);
    let before = vec![(format!("{}{:<room$}", mark(app, &listed.id), listed.state.verdict()), style)];
    with_name(theme, before, &app.changed_name(&listed.id), behind, cells)
}

/// Adds a URL, cut in its middle to leave room for the text behind it.
fn with_name(theme: &Theme, mut pieces: StyledText, name: &str, behind: &str, cells: u16) -> StyledText {
    let used: usize = pieces.iter().map(|(text, _)| width(text)).sum();
    let room = usize::from(cells).saturating_sub(used + width(behind));
    pieces.push((fit_middle(name, room).into_owned(), theme.text));
    pieces.push((behind.to_owned(), theme.dim));
    pieces
}

fn mark(app: &App, id: &ReportId) -> &'static str {
    if app.reports.selection.ids.contains(id) { "● " } else { "  " }
}
