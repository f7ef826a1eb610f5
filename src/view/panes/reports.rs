//! The reports pane: filter and sort order, headings, and the visible rows.

use std::collections::HashSet;

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::frame_layout::{HitTarget, Pane};
use crate::app::message::Connected;
use crate::app::panes::reports::listing::LoadState;
use crate::domain::list::columns::Column;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{Text, clean, cut_lines, fit_middle, skip, width, wrap};
use crate::domain::triage::urgency::RowContext;
use crate::input::Action;
use crate::view::canvas::{Canvas, StyledText};
use crate::view::panes::filter_line;
use crate::view::panes::projects::short_name;
use crate::view::panes::table_columns::{MARKER, Placed, TableColumns};
use crate::view::theme::result_label;
use crate::view::times::{self, title_of};
use crate::view::widgets::scroll_bar::bar;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, place: Rect) {
    title(canvas, app, place);
    let head = 2 + canvas.under_heading(place);
    let rows = Rect::new(place.x, place.y + head, place.width, place.height - head);
    canvas.frame_layout.reports = usize::from(rows.height);
    canvas.hit(rows, HitTarget::Rows(Pane::Reports));
    let columns = TableColumns::of(app, place.width, canvas.gap(place.width));
    if app.reports.typing {
        filter_line::assist(canvas, app, (place.x + 1, place.y + 1), place.width.saturating_sub(1));
    } else {
        headings(canvas, app, (place.x, place.y + 1, place.width), &columns);
    }
    if app.reports.shown.is_empty() {
        return empty(canvas, app, rows);
    }
    let (around, pending) = (app.triage.row_context(&app.ctx), app.pending_ids().collect());
    let window = app.reports.window_of(canvas.frame_layout.reports);
    bar(canvas, rows, window.top, app.reports.shown.len(), Some(Pane::Reports));
    for (at, place) in (window.top..).zip(rows.rows()) {
        let Some(report) = app.reports.shown_row(at) else { continue };
        let here = (place.x, place.y);
        let marker = marker(app, &report.id, &pending);
        canvas.text(here, MARKER, marker, canvas.look.theme.focus);
        row(canvas, app, (here, &around), report, &columns.placed);
        if app.reports.is_marked(at) {
            let style = canvas.look.theme.focus;
            canvas.text((here.0 + 1, here.1), 1, "●", style);
        }
        if at == app.reports.at {
            if app.screen.focus == Pane::Reports {
                canvas.select_row(here, rows.width);
            } else {
                canvas.style_line(here, rows.width, canvas.look.theme.unfocused);
            }
        }
    }
}

/// Draws the title: `Reports 87 of 1,089 · shop.example · result:bad · audited ↓`, or the filter line while it is typed.
fn title(canvas: &mut Canvas, app: &App, place: Rect) {
    let theme = &canvas.look.theme;
    let at = (place.x + 1, place.y);
    let cells = place.width - 1;
    if app.reports.typing {
        return filter_line::typed(canvas, app, place);
    }
    let style = theme.pane_title(app.screen.focus == Pane::Reports);
    let used = canvas.text(at, cells, "Reports", style);
    let total = app.reports.total(&app.projects);
    // Before the service has answered, a zero would say that there are none.
    let is_known = total > 0 || app.reports.listing.is_complete();
    // Rows that are still to be loaded are not filtered out.
    let shown = app.reports.shown.len() as u64;
    let is_filtered = shown < total.min(app.reports.listing.loaded() as u64);
    let of = if is_filtered { format!(" {} of", grouped(shown)) } else { String::new() };
    let mut parts: Vec<String> = is_known.then(|| format!("{of} {}", grouped(total))).into_iter().collect();
    parts.extend(app.reports.scope.as_ref().map(|scope| format!(" · {scope}")));
    parts.extend(app.reports.view_name().map(|name| format!(" · view {}", clean(name))));
    let mut pieces: StyledText = parts.into_iter().map(|part| (part, theme.text)).collect();
    if !app.reports.filter_line.value().is_empty() {
        pieces.push((" · ".to_owned(), theme.text));
        pieces.extend(filter_line::accepted(canvas, app));
    }
    pieces.push((format!(" · {}", sort_text(app)), theme.text));
    canvas.styled_text((at.0 + used, at.1), cells - used, &pieces);
}

fn sort_text(app: &App) -> String {
    let (column, direction) = app.reports.sort;
    let arrow = direction.arrow();
    let listing = &app.reports.listing;
    let place = if !app.reports.sorts_here() || listing.is_complete() || listing.load == LoadState::Idle {
        ""
    } else if listing.out_of_order {
        " (sorted locally)"
    } else {
        " (loaded rows only)"
    };
    if column == Column::Urgency {
        return format!("{}{place}", column.order_text(direction));
    }
    format!("{} {arrow}{place}", column.sort_name())
}

fn headings(canvas: &mut Canvas, app: &App, (x, y, cells): (u16, u16, u16), columns: &TableColumns) {
    let theme = &canvas.look.theme;
    for column in &columns.placed {
        let here = (x + column.offset, y);
        let (sorted, direction) = app.reports.sort;
        let mark = if sorted == column.entry.column { direction.arrow() } else { "" };
        let title = format!("{}{mark}", title_of(app, column.entry));
        if column.entry.column.is_number() {
            canvas.right(here, column.width, &title, theme.dim);
        } else {
            canvas.text(here, column.width, &title, theme.dim);
        }
        canvas.hit(Rect::new(here.0, here.1, column.width, 1), HitTarget::Heading(column.entry.column));
    }
    if columns.some_hidden {
        canvas.right((x, y), cells, "›", theme.key);
    }
}

/// Returns the symbol before a row: being updated, about to be deleted, or under the cursor.
fn marker(app: &App, id: &ReportId, pending: &HashSet<&ReportId>) -> &'static str {
    if app.is_writing(id) {
        "…"
    } else if pending.contains(id) {
        "×"
    } else if app.reports.cursor.as_ref() == Some(id) {
        "▸"
    } else {
        " "
    }
}

type Here<'a> = ((u16, u16), &'a RowContext);

fn row(canvas: &mut Canvas, app: &App, (at, around): Here<'_>, report: &Report, columns: &[Placed]) {
    let theme = &canvas.look.theme;
    let has_state = columns.iter().any(|column| column.entry.column == Column::State);
    for column in columns {
        let here = (at.0 + column.offset, at.1);
        match column.entry.column {
            Column::Result => {
                let style = theme.outcome(&report.outcome);
                let (shape, word) = result_label(report);
                let score = report.score.map(|score| score.to_string()).unwrap_or_default();
                let room = column.width.saturating_sub(score.len() as u16 + u16::from(!score.is_empty()));
                let used = (canvas.text(here, room, shape, style) + 1).min(room);
                canvas.text((here.0 + used, here.1), room - used, word, style);
                canvas.right(here, column.width, &score, style);
            }
            Column::Url => {
                // Without a column of its own, the state goes here, away from a time that may follow.
                let most = column.width / 2;
                let tag =
                    if has_state { None } else { app.tag_within(&report.id, usize::from(most).saturating_sub(2)) };
                let tag = tag.map(|tag| format!("[{tag}]")).unwrap_or_default();
                let tag_cells = (width(&tag) as u16).min(most);
                canvas.text((here.0 + column.width - tag_cells, here.1), tag_cells, &tag, theme.key);
                let room = usize::from(column.width.saturating_sub(tag_cells + u16::from(tag_cells > 0)));
                let url = app.reports.shown_url(report);
                let url = match app.reports.sideways {
                    0 => fit_middle(url, room),
                    cells => skip(url, cells).into(),
                };
                canvas.text(here, room as u16, &url, theme.text);
            }
            Column::State => {
                let tag = app.tag_within(&report.id, usize::from(column.width)).unwrap_or_default();
                canvas.text(here, column.width, &tag, theme.key);
            }
            Column::Urgency => {
                canvas.right(here, column.width, &(column.entry.text)(report, around), theme.text);
            }
            Column::GeneratedAt => {
                canvas.text(here, column.width, &times::cell(app, report.generated_at), theme.dim);
            }
            Column::Score | Column::Failed | Column::Id => {
                canvas.right(here, column.width, &(column.entry.text)(report, around), theme.dim);
            }
            Column::Project => {
                let project = short_name(app, report.project.shown(), column.width);
                canvas.text(here, column.width, &project, theme.dim);
            }
            Column::Privacy => {
                canvas.text(here, column.width, report.privacy.map_or("–", Privacy::name), theme.dim);
            }
        }
    }
}

/// Draws the message shown instead of rows.
fn empty(canvas: &mut Canvas, app: &App, rows: Rect) {
    let cells = usize::from(rows.width.saturating_sub(4));
    let room = usize::from(rows.height.saturating_sub(1));
    let mut lines: Vec<String> = empty_text(app).iter().flat_map(|line| wrap(line, cells)).collect();
    if lines.len() > room {
        lines.retain(|line| !line.is_empty());
    }
    let lines = cut_lines(lines, cells, room);
    canvas.lines((rows.x + 2, rows.y + 1), rows.width.saturating_sub(2), &lines, canvas.look.theme.text);
}

/// Returns the lines of the message, the most important ones first.
fn empty_text(app: &App) -> Vec<String> {
    let loaded = app.reports.listing.loaded();
    if loaded > 0 && app.reports.arranging.is_some() && app.reports.arranged == 0 {
        return vec!["Sorting …".into()];
    }
    if let Some(project) = missing_project(app) {
        let line = format!("The service has no project {project}: someone may have deleted or renamed it.");
        return vec![line, String::new(), format!("{} goes to the projects.", app.ctx.key(Action::FocusProjects))];
    }
    if loaded > 0 {
        let what = if app.reports.listing.is_cached { "cached report" } else { "loaded report" };
        let line = match loaded {
            1 => format!("The only {what} does not match the filter."),
            many => format!("None of the {} matches the filter.", counted(many as u64, what)),
        };
        let problems = app.reports.filter_problems().map(|problem| {
            let shown = problem.shown();
            let end = if shown.ends_with('?') { "" } else { "." };
            format!("{shown}{end}")
        });
        return [line, ways_out(app), String::new()].into_iter().chain(problems).collect();
    }
    let is_failed = matches!(app.ctx.connection, Connection::Failed(_));
    if is_failed || app.reports.failure.is_some() {
        let key = |action| app.ctx.key(action);
        let other = if is_failed {
            format!("{} quits", key(Action::Quit))
        } else {
            format!("{} {} shows the requests", key(Action::History), key(Action::Activity))
        };
        let keys = format!("{} retries, {other}.", key(Action::Refresh));
        return vec!["No reports could be loaded.".into(), String::new(), keys];
    }
    let first = matches!(app.reports.loading().load, LoadState::Idle | LoadState::Asked(..))
        && app.reports.listing.as_of.is_none();
    if first || app.reports.arranging.is_some() {
        return vec!["Loading …".into()];
    }
    if app.reports.total(&app.projects) > 0 && app.reports.filter.is_empty() {
        return vec![
            "The loaded rows were dropped.".into(),
            String::new(),
            format!("{} loads them again.", app.ctx.key(Action::RefreshAll)),
        ];
    }
    if app.reports.filter.is_empty() && app.reports.scope.is_none() {
        return vec![
            "No reports yet.".into(),
            String::new(),
            match app.disabled_reason(Action::NewReport) {
                Some(reason) => format!("You cannot create one. {reason}."),
                None => format!(
                    "{} creates one: type the address of a page, then {}.",
                    app.ctx.key(Action::NewReport),
                    app.ctx.key(Action::Submit)
                ),
            },
            format!("{} lists all keys.", app.ctx.key(Action::Help)),
            String::new(),
            "A report rates a web page: result (good, decent, bad), score, what to repair.".into(),
            String::new(),
            match &app.ctx.connection {
                Connection::Ready(connected) => first_steps(connected),
                Connection::Starting | Connection::Failed(_) => String::new(),
            },
        ];
    }
    vec!["The service has no matching reports.".into(), String::new(), ways_out(app)]
}

/// Returns the open project if the loaded list of projects does not contain it.
fn missing_project(app: &App) -> Option<&Text> {
    let scope = app.reports.scope.as_ref().filter(|_| app.projects.list.is_ready() && !app.reports.is_loading())?;
    app.projects.named(scope.raw()).is_none().then_some(scope)
}

/// Describes the keys that lead out of an empty result in the current context.
fn ways_out(app: &App) -> String {
    let key = |action| app.ctx.key(action);
    if app.reports.typing {
        let then = if app.back_clears_filter() {
            format!("; then {0} clears the filter", key(Action::Back))
        } else {
            String::new()
        };
        return format!("{} leaves the line{then}.", key(Action::Back));
    }
    let edit = format!("{} edits the filter", key(Action::Filter));
    if app.reports.filter_line.value().is_empty() {
        return format!("{} goes to the projects.", key(Action::FocusProjects));
    }
    // The key would do something else first.
    if app.back_clears_filter() {
        return format!("{} clears the filter, {edit}.", key(Action::Back));
    }
    format!("{edit}.")
}

/// Describes where new reports are stored, and how to connect to an account.
fn first_steps(connected: &Connected) -> String {
    match &connected.directory {
        Some(directory) => format!(
            "Reports are stored on this machine, in {directory}. `reportdeck login NAME` connects an account; \
             `reportdeck --sample` shows an audited sample site."
        ),
        None => "Reports are stored by this service. `reportdeck doctor` shows what it can do.".to_owned(),
    }
}
