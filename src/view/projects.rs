//! The projects pane: `All`, then each project with its count and its share of bad results.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::counts::grouped;
use crate::app::drawn::{Area, Drawn, Pane, Spot};
use crate::domain::project::Project;
use crate::domain::text::width;
use crate::view::canvas::Canvas;

pub(super) fn draw(canvas: &mut Canvas, app: &App, place: Rect, drawn: &mut Drawn) {
    title(canvas, app, place);
    let rows = Rect::new(place.x, place.y + 1, place.width, place.height - 1);
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
        if at == app.projects.at {
            let theme = &canvas.look.theme;
            let style = if app.focus == Pane::Projects { theme.selected } else { theme.text };
            canvas.style_line(here, rows.width, style);
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

type Row<'a> = (&'a str, Option<u64>, Option<&'a Project>);

fn row(canvas: &mut Canvas, app: &App, at: (u16, u16), cells: u16, (name, count, project): Row) {
    let theme = canvas.look.theme.clone();
    let opened = match (project, &app.reports.scope) {
        (None, scope) => scope.is_none(),
        (Some(project), Some(scope)) => project.name.raw() == scope.raw(),
        (Some(_), None) => false,
    };
    canvas.text(at, 2, if opened { "▸" } else { " " }, theme.focus);
    let bad = project.and_then(|project| project.bad).filter(|bad| *bad > 0);
    let bad = bad.map(|bad| format!("✗{}", grouped(bad))).unwrap_or_default();
    let count = count.map(grouped).unwrap_or_default();
    let count_cells = count.len() as u16 + 1;
    let bad_cells = bad.chars().count() as u16 + u16::from(!bad.is_empty());
    // The name first: how many are bad is said only where both fit.
    let bad_cells = if width(name) as u16 + 3 + count_cells + bad_cells <= cells { bad_cells } else { 0 };
    let name_cells = cells.saturating_sub(3 + count_cells + bad_cells);
    canvas.text((at.0 + 2, at.1), name_cells, name, if opened { theme.title } else { theme.text });
    if bad_cells > 0 {
        canvas.right((at.0, at.1), cells - count_cells - 1, &bad, theme.bad);
    }
    canvas.right((at.0, at.1), cells - 1, &count, theme.dim);
}

/// A place as the state knows it.
pub(super) fn area(place: Rect) -> Area {
    Area { column: place.x, row: place.y, width: place.width, height: place.height }
}
