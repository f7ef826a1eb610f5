//! The projects pane: `All`, then each project with its count and its share of bad results.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::counts::grouped;
use crate::app::drawn::{Area, Drawn, Pane, Spot};
use crate::domain::project::Project;
use crate::domain::text::width;
use crate::view::canvas::Canvas;
use crate::view::frame::bar;

pub(super) fn draw(canvas: &mut Canvas, app: &App, place: Rect, drawn: &mut Drawn) {
    title(canvas, app, place);
    let head = 1 + canvas.under_heading(place);
    let rows = Rect::new(place.x, place.y + head, place.width, place.height - head);
    drawn.projects = usize::from(rows.height);
    drawn.spots.push((area(rows), Spot::Rows(Pane::Projects)));
    let mut window = app.projects.window;
    window.follow(app.projects.at, app.projects.rows().len() + 1, drawn.projects);
    for line in 0..rows.height {
        let at = window.top + usize::from(line);
        let here = (rows.x, rows.y + line);
        match at.checked_sub(1) {
            None => row(canvas, app, here, rows.width, ("All", app.projects.reports(), None)),
            Some(index) => {
                let Some(project) = app.projects.rows().get(index) else { break };
                let name = project.name.shown();
                row(canvas, app, here, rows.width, (name, project.reports, Some(project)));
            }
        }
        if at == app.projects.at && app.focus == Pane::Projects {
            canvas.style_line(here, rows.width, canvas.look.theme.selected);
        }
    }
}

fn title(canvas: &mut Canvas, app: &App, place: Rect) {
    let theme = canvas.look.theme.clone();
    let style = if app.focus == Pane::Projects { theme.focus } else { theme.title };
    let used = canvas.text((place.x + 1, place.y), place.width - 1, "Projects", style);
    let state = if app.projects.list.waits_for().is_some() && app.projects.rows().is_empty() {
        " loading".to_owned()
    } else if app.projects.list.failure().is_some() {
        " ! not loaded".to_owned()
    } else {
        format!(" {}", grouped(app.projects.rows().len() as u64))
    };
    canvas.text((place.x + 1 + used, place.y), place.width - 1 - used, &state, theme.dim);
}

/// The cells of the bar that shows how many of a project's reports are bad.
const BAR_CELLS: u16 = 5;

type Row<'a> = (&'a str, Option<u64>, Option<&'a Project>);

fn row(canvas: &mut Canvas, app: &App, at: (u16, u16), cells: u16, (name, count, project): Row) {
    let theme = canvas.look.theme.clone();
    let opened = match (project, &app.reports.scope) {
        (None, scope) => scope.is_none(),
        (Some(project), Some(scope)) => project.name.raw() == scope.raw(),
        (Some(_), None) => false,
    };
    canvas.text(at, 2, if opened { "▸" } else { " " }, theme.focus);
    let count = count.map(grouped).unwrap_or_default();
    let count_cells = count.len() as u16 + 1;
    let mut free = cells.saturating_sub(3 + count_cells);
    // The name first; how many are bad, as a bar and as a number, is shown where there is room beside it.
    let name_cells = (width(name) as u16).min(free);
    canvas.text((at.0 + 2, at.1), name_cells, name, if opened { theme.title } else { theme.text });
    canvas.right((at.0, at.1), cells - 1, &count, theme.dim);
    free -= name_cells;
    let bad = project.and_then(|project| project.bad.zip(project.reports)).filter(|(bad, _)| *bad > 0);
    let Some((bad, reports)) = bad else { return };
    let number = format!("✗{}", grouped(bad));
    let number_cells = width(&number) as u16 + 1;
    if free >= number_cells {
        free -= number_cells;
        canvas.right((at.0, at.1), cells - count_cells - 1, &number, theme.bad);
    }
    if free > BAR_CELLS {
        let start = at.0 + cells - count_cells - number_cells - BAR_CELLS - 1;
        let bar = format!("▕{}", bar(bad, reports, u64::from(BAR_CELLS - 1)));
        canvas.text((start, at.1), BAR_CELLS, &bar, theme.bad);
    }
}

/// A place as the state knows it.
pub(super) fn area(place: Rect) -> Area {
    Area { column: place.x, row: place.y, width: place.width, height: place.height }
}
