//! Formats times, relative or exact; exact ones with the time zone in the heading.

use jiff::Timestamp;

use crate::app::App;
use crate::domain::list::columns::{Column, ColumnEntry};
use crate::domain::look::Times;
use crate::domain::text::age::relative;

/// The cells of `2026-01-02 14:02`, which also fit a heading with a usual time zone and an arrow.
const EXACT_CELLS: u16 = 16;

/// Returns the width of a column, in cells.
pub(super) fn width_of(app: &App, entry: &ColumnEntry) -> u16 {
    let chosen = app.reports.width_of(entry.column);
    if is_exact(app, entry) { EXACT_CELLS.max(chosen) } else { chosen }
}

/// Returns the heading of a column; for exact times with the time zone.
pub(super) fn title_of(app: &App, entry: &ColumnEntry) -> String {
    if !is_exact(app, entry) {
        return entry.title.to_owned();
    }
    format!("{} {}", entry.title, app.ctx.now.to_zoned(app.screen.zone.clone()).strftime("%Z"))
}

fn is_exact(app: &App, entry: &ColumnEntry) -> bool {
    entry.column == Column::GeneratedAt && app.screen.times == Times::Exact
}

/// Formats a time for a table cell.
pub(super) fn cell(app: &App, at: Option<Timestamp>) -> String {
    match (at, app.screen.times) {
        (None, _) => "–".to_owned(),
        (Some(at), Times::Relative) => relative(app.ctx.now, at),
        (Some(at), Times::Exact) => at.to_zoned(app.screen.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
    }
}

/// Formats an exact time, followed by the relative one unless exact times are selected. No line ends within the latter.
pub(super) fn format_time(app: &App, at: Timestamp) -> String {
    let exact = at.to_zoned(app.screen.zone.clone()).strftime("%Y-%m-%d %H:%M %Z");
    match app.screen.times {
        Times::Relative => {
            let ago = relative(app.ctx.now, at).replace(' ', "\u{a0}");
            format!("{exact} ({ago})")
        }
        Times::Exact => exact.to_string(),
    }
}
