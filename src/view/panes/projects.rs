//! The projects pane: `All`, then each project with its result counts.

use std::borrow::Cow;

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::{HitTarget, Pane};
use crate::app::panes::projects::tally_of;
use crate::domain::project::Project;
use crate::domain::text::numbers::grouped;
use crate::domain::text::{Text, fit, fit_middle, fit_start, width};
use crate::domain::triage::changes::sparkline;
use crate::view::canvas::Canvas;
use crate::view::widgets::scroll_bar::bar;
use crate::view::widgets::share_bar::shares;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, place: Rect) {
    title(canvas, app, place);
    let head = 1 + canvas.under_heading(place);
    let rows = Rect::new(place.x, place.y + head, place.width, place.height - head);
    canvas.frame_layout.projects = usize::from(rows.height);
    canvas.hit(rows, HitTarget::Rows(Pane::Projects));
    let mut window = app.projects.window;
    window.follow(app.projects.at, app.projects.rows().len() + 1, canvas.frame_layout.projects);
    bar(canvas, rows, window.top, app.projects.rows().len() + 1, Some(Pane::Projects));
    let numbers = Numbers::of(app, rows.width);
    // `All` comes first.
    let projects = std::iter::once(None).chain(app.projects.rows().iter().map(Some));
    for ((at, project), place) in projects.enumerate().skip(window.top).zip(rows.rows()) {
        row(canvas, app, place, numbers, project);
        if at == app.projects.at && app.screen.focus == Pane::Projects {
            canvas.select_row((place.x, place.y), place.width);
        }
    }
}

/// Returns the number of all reports, if known. Some may have no project.
fn reports_of_all(app: &App) -> Option<u64> {
    let listing = &app.reports.listing;
    if listing.is_whole() { Some(listing.loaded() as u64) } else { app.projects.reports() }
}

fn title(canvas: &mut Canvas, app: &App, place: Rect) {
    let theme = &canvas.look.theme;
    let style = theme.pane_title(app.screen.focus == Pane::Projects);
    let used = canvas.text((place.x + 1, place.y), place.width - 1, "Projects", style);
    let state = if app.projects.list.request.is_some() && app.projects.rows().is_empty() {
        " loading".to_owned()
    } else if app.projects.list.failure.is_some() {
        " ! not loaded".to_owned()
    } else {
        format!(" {}", grouped(app.projects.rows().len() as u64))
    };
    canvas.text((place.x + 1 + used, place.y), place.width - 1 - used, &state, theme.dim);
}

/// The minimum number of cells of a name: without room for it, the numbers of bad reports are left out.
const SHORTEST_NAME: u16 = 10;

/// The cells of a project's result bar, including its left border.
const BAR_CELLS: u16 = 7;

/// The cells of the sparkline of bad reports, including the space after it.
const TREND_CELLS: u16 = 7;

/// The widths of the number columns.
#[derive(Clone, Copy)]
struct Numbers {
    count: u16,
    bad: u16,
}

impl Numbers {
    fn of(app: &App, cells: u16) -> Self {
        let rows = app.projects.rows();
        let wide = |number: Option<u64>| number.map_or(0, |number| grouped(number).len() as u16 + 1);
        let counts = rows.iter().filter_map(|project| project.reports).chain(reports_of_all(app));
        let count = wide(counts.max());
        let bad = rows.iter().filter_map(|project| project.bad).filter(|bad| *bad > 0).max();
        let bad = bad.map_or(0, |bad| wide(Some(bad)) + 1);
        Self { count, bad: if cells < 3 + SHORTEST_NAME + count + bad { 0 } else { bad } }
    }
}

/// Cuts a project's name at its end; in its middle or at its start if it looks like the one before or after it in the
/// list otherwise.
pub(super) fn short_name<'n>(app: &App, name: &'n str, cells: u16) -> Cow<'n, str> {
    let cells = usize::from(cells);
    if width(name) <= cells {
        return name.into();
    }
    let rows = app.projects.rows();
    let at = rows.partition_point(|project| project.name.shown() < name);
    let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| rows.get(at));
    let cuts: [fn(&str, usize) -> Cow<'_, str>; 3] = [fit, fit_middle, fit_start];
    let distinct = cuts.iter().find_map(|cut| {
        let shown = cut(name, cells);
        neighbours.clone().all(|other| cut(other.name.shown(), cells) != shown).then_some(shown)
    });
    distinct.unwrap_or_else(|| fit(name, cells))
}

/// Draws the row of a project, or of all.
fn row(canvas: &mut Canvas, app: &App, place: Rect, numbers: Numbers, project: Option<&Project>) {
    let theme = &canvas.look.theme;
    let (at, cells) = ((place.x, place.y), place.width);
    let (name, count) =
        project.map_or_else(|| ("All", reports_of_all(app)), |project| (project.name.shown(), project.reports));
    let opened = project.map(|project| project.name.raw()) == app.reports.scope.as_ref().map(Text::raw);
    canvas.text(at, 2, if opened { "▸" } else { " " }, theme.focus);
    let count = count.map(grouped).unwrap_or_default();
    // The bar is shown only if there is room beside name and numbers.
    let bad = project.and_then(|project| project.bad).filter(|bad| *bad > 0 && numbers.bad > 0);
    let numbers_cells = numbers.count + if bad.is_some() { numbers.bad } else { 0 };
    let room = cells.saturating_sub(3 + numbers_cells).max(SHORTEST_NAME);
    let name_cells = (width(name) as u16).min(room);
    let name = short_name(app, name, name_cells);
    canvas.text((at.0 + 2, at.1), name_cells, &name, if opened { theme.title } else { theme.text });
    canvas.right(at, cells - 1, &count, theme.dim);
    let Some(project) = project else { return };
    let bad = bad.map(|bad| format!("✗{}", grouped(bad))).unwrap_or_default();
    canvas.right(at, cells.saturating_sub(numbers.count + 1), &bad, theme.bad);
    let free = cells.saturating_sub(3 + name_cells);
    let used = numbers.count + numbers.bad + BAR_CELLS;
    let Some(tally) = tally_of(project).filter(|_| free > used) else { return };
    let bar = shares(tally, usize::from(BAR_CELLS - 1), theme);
    if bar.iter().any(|(part, _)| !part.is_empty()) {
        let start = at.0 + cells - 1 - used;
        canvas.text((start, at.1), 1, "▕", theme.dim);
        canvas.styled_text((start + 1, at.1), BAR_CELLS - 1, &bar);
        let trend = app.trend(Some(project.name.raw()));
        if let Some(trend) = trend.filter(|_| free > used + TREND_CELLS) {
            let line = sparkline(trend, usize::from(TREND_CELLS - 1));
            canvas.text((start - TREND_CELLS, at.1), TREND_CELLS - 1, &line, theme.bad);
        }
    }
}
