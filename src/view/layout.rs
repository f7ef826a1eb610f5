//! The areas of the screen: which panes fit side by side, and their widths.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::frame_layout::Pane;
use crate::domain::text::{width, with_advice, wrap_within};
use crate::input::{Action, Context};

/// The minimum width of the terminal.
pub const SMALLEST_WIDTH: u16 = 40;
/// The minimum height of the terminal.
pub const SMALLEST_HEIGHT: u16 = 12;
/// The minimum width for three panes.
const THREE_PANES: u16 = 110;
/// The minimum width for two panes.
const TWO_PANES: u16 = 70;
/// An overlay takes the full width if no more than this would be left beside it.
const NARROW_MARGIN: u16 = 4;
/// The lines of the status and the frame below it.
const STATUS: u16 = 2;
/// With fewer lines above an error in the footer, an overlay may cover the error.
const LOW: u16 = 16;
/// With fewer lines above a new notice, an overlay may cover the notice: a text field needs this many.
const LOW_FOR_NOTICE: u16 = 5;
/// The maximum number of lines of an error above the status line.
const BANNER_LINES: usize = 3;

/// The areas of the screen.
pub(super) struct ScreenAreas {
    /// The whole screen.
    pub(super) screen: Rect,
    /// The visible panes from left to right, with their title line but without the frame.
    pub(super) panes: Vec<(Pane, Rect)>,
    /// The lines of an error above the status line.
    pub(super) banner: Vec<String>,
    /// Whether these lines are a new notice, which nobody has read yet.
    is_notice: bool,
    /// The first line of the footer.
    pub(super) footer: u16,
}

impl ScreenAreas {
    /// Computes the areas of a screen; `None` if it is too small.
    pub(super) fn of(screen: Rect, app: &App) -> Option<Self> {
        if screen.width < SMALLEST_WIDTH || screen.height < SMALLEST_HEIGHT {
            return None;
        }
        let cells = usize::from(screen.width - 4);
        let (banner, is_notice) = (banner(app, cells), long_notice(app, cells).is_some());
        let footer = screen.bottom() - STATUS - banner.len() as u16;
        let body = Rect::new(1, 1, screen.width - 2, footer - 2);
        Some(Self { screen, panes: panes(body, app), banner, is_notice, footer })
    }

    /// Returns a centred area for an overlay.
    pub(super) fn middle(&self, width: u16, height: u16) -> Rect {
        let room = self.room();
        // Adjacent frames would look like a single broken one.
        let whole = |wanted: u16, all: u16, least: u16| if wanted + least >= all { all } else { wanted };
        let (width, height) = (whole(width, room.width, NARROW_MARGIN), whole(height, room.height, 1));
        let place = Rect::new((room.width - width) / 2, (room.height - height) / 2, width, height);
        // An error above the status line is covered completely or not at all.
        let cuts_error = width == room.width && place.bottom() >= self.footer && !self.banner.is_empty();
        let bottom = if cuts_error { self.screen.bottom() - STATUS } else { place.bottom() };
        Rect { height: bottom - place.y, ..place }
    }

    /// Returns the area for overlays: the screen above the footer. On a low screen they may cover the error or notice in
    /// the footer.
    pub(super) fn room(&self) -> Rect {
        let above = self.footer - 1;
        let low = if self.is_notice { LOW_FOR_NOTICE } else { LOW };
        let height = if above < low && !self.banner.is_empty() { self.screen.height - STATUS } else { above };
        Rect { height, ..self.screen }
    }
}

fn panes(body: Rect, app: &App) -> Vec<(Pane, Rect)> {
    let one = |pane| vec![(pane, body)];
    if app.screen.whole_screen || body.width + 2 < TWO_PANES {
        return one(app.screen.focus);
    }
    let projects = (body.width / 5).clamp(20, 28);
    if body.width + 2 >= THREE_PANES && app.screen.report_pane {
        let report = (body.width * 3 / 10).max(36);
        return split(
            body,
            &[(Pane::Projects, projects), (Pane::Reports, body.width - projects - report - 2), (Pane::Report, report)],
        );
    }
    if app.screen.focus == Pane::Report {
        let report = body.width / 2;
        return split(body, &[(Pane::Reports, body.width - report - 1), (Pane::Report, report)]);
    }
    split(body, &[(Pane::Projects, projects), (Pane::Reports, body.width - projects - 1)])
}

/// Places panes side by side with one column of frame between them.
fn split(body: Rect, widths: &[(Pane, u16)]) -> Vec<(Pane, Rect)> {
    let mut column = body.x;
    let mut placed = Vec::new();
    for (pane, width) in widths {
        placed.push((*pane, Rect::new(column, body.y, *width, body.height)));
        column += width + 1;
    }
    placed
}

/// Returns the notice if it does not fit on the status line.
fn long_notice(app: &App, cells: usize) -> Option<&str> {
    app.ctx.notice.as_ref().map(|(notice, _)| notice.as_str()).filter(|notice| width(notice) > cells)
}

/// Returns the long notice or the current error, which begins with `! `, wrapped to a few lines.
fn banner(app: &App, cells: usize) -> Vec<String> {
    let text = if let Some(notice) = long_notice(app, cells) {
        // A new notice takes precedence over a known error.
        notice.to_owned()
    } else if let Some(why) = &app.ctx.key_refusal {
        let (enter, again) = (app.ctx.key(Action::EnterKey), app.ctx.key(Action::RefreshAll));
        format!("! {why}. {enter} enters another one, {again} tries again")
    } else if let Connection::Failed(failure) = &app.ctx.connection {
        format!("! {failure}")
    } else if let Some(failure) = &app.reports.failure {
        format!("! {failure}")
    } else if let Some(failure) = &app.projects.list.failure {
        // Elsewhere the key does something else.
        let in_panes = app.context() == Context::Panes;
        let retries = if in_panes { format!("{} retries", app.ctx.key(Action::Refresh)) } else { String::new() };
        format!("! {}", with_advice(&with_advice(&failure.message, &retries), &failure.advice))
    } else {
        return Vec::new();
    };
    wrap_within(&text, cells, BANNER_LINES)
}
