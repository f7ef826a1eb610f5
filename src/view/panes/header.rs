//! The frame of the screen with the header: the service, the result counts, the age of the rows.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::ctx::Connection;
use crate::app::panes::projects::tally_of;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::result_counts::ResultCounts;
use crate::domain::text::numbers::grouped;
use crate::domain::text::{Text, width};
use crate::domain::triage::changes::sparkline;
use crate::view::canvas::{Canvas, StyledText};
use crate::view::layout::ScreenAreas;
use crate::view::theme::{Theme, outcome_shape};
use crate::view::widgets::bar::bar;
use crate::view::widgets::joined_frames::joined_frames;

/// The cells of the sparkline of the share of bad reports.
const TREND: usize = 12;
/// The cells of the longest bar.
const BAR: u64 = 8;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, layout: &ScreenAreas) {
    let around = |place: &Rect| Rect::new(place.x - 1, 0, place.width + 2, layout.footer);
    joined_frames(canvas, layout, layout.panes.iter().map(|(_, place)| around(place)));
    let room = layout.screen.width - 4;
    let left = canvas.styled_text((2, 0), room, &title(canvas, app));
    let free = usize::from(room.saturating_sub(left + 1));
    // The most detailed form that fits; a narrow terminal still shows the numbers.
    let forms: &[(Detail, bool)] = if app.reports.listing.is_cached { &CACHED_FORMS } else { &FORMS };
    for (detail, with_age) in forms {
        let mut pieces = counts(canvas, app, *detail);
        if *with_age {
            pieces.push(("────".to_owned(), canvas.look.theme.dim));
            pieces.push((age(app), canvas.look.theme.dim));
        }
        let wide = pieces.iter().map(|(text, _)| width(text)).sum::<usize>();
        if wide <= free {
            let wide = wide as u16;
            canvas.styled_text((layout.screen.width - 2 - wide, 0), wide, &pieces);
            return;
        }
    }
}

fn title(canvas: &Canvas, app: &App) -> StyledText {
    let theme = &canvas.look.theme;
    let (service, accent) = match &app.ctx.connection {
        Connection::Starting => ("starting …".to_owned(), None),
        Connection::Ready(connected) if connected.host.is_empty() => (connected.name.clone(), connected.accent),
        Connection::Ready(connected) => (format!("{} · {}", connected.name, connected.host), connected.accent),
        Connection::Failed(_) => ("no service".to_owned(), None),
    };
    let style = accent.map_or(theme.text, |accent| Theme::accent(accent, canvas.look.colours));
    let read_only = if app.ctx.read_only { " · read-only" } else { "" };
    let person = app.desk.as_ref().map(|desk| format!(" · {}", desk.me)).unwrap_or_default();
    vec![(" reportdeck ".to_owned(), theme.title), (format!(" {service}{person}{read_only} "), style)]
}

/// Formats when the rows were loaded: `as of 14:02`; for cached rows, and for those of another day, with the date.
pub(crate) fn age(app: &App) -> String {
    let Some(at) = app.reports.listing.as_of else { return String::new() };
    let [at, now] = [at, app.ctx.now].map(|time| time.to_zoned(app.screen.zone.clone()));
    let cached = if app.reports.listing.is_cached { "cached, " } else { "" };
    let is_today = cached.is_empty() && at.date() == now.date();
    format!(" {cached}as of {} ", at.strftime(if is_today { "%H:%M" } else { "%Y-%m-%d %H:%M" }))
}

/// The level of detail of the counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Bars, and a sparkline of the share of bad reports.
    Trend,
    Bars,
    Words,
    Shapes,
    None,
}

/// The forms of the header's right side from the widest down, each with or without the age of the rows.
const FORMS: [(Detail, bool); 5] = [
    (Detail::Trend, true),
    (Detail::Bars, true),
    (Detail::Bars, false),
    (Detail::Words, false),
    (Detail::Shapes, false),
];
/// The forms for cached rows, whose age matters more than their counts.
const CACHED_FORMS: [(Detail, bool); 4] =
    [(Detail::Bars, true), (Detail::Words, true), (Detail::Shapes, true), (Detail::None, true)];

/// Formats the result counts: of the open project or all projects if the service sends them, else of the loaded rows; of
/// the rows too if these are all reports, because some may have no project. With a filter, a label says whether they are
/// unfiltered or those of a search by the service.
fn counts(canvas: &Canvas, app: &App, detail: Detail) -> StyledText {
    let listing = &app.reports.listing;
    let scoped = app.reports.scope.as_ref().and_then(|scope| app.projects.named(scope.raw()));
    let counted = match scoped {
        Some(project) => tally_of(project),
        None if app.reports.scope.is_some() || listing.is_whole() => None,
        None => app.projects.tally(),
    };
    let loaded = || match &app.reports.scope {
        Some(scope) => listing.projects.get(scope).map(|(counts, _)| *counts).unwrap_or_default(),
        None => listing.tally,
    };
    let is_of_search = counted.is_none() && (listing.query.search.is_some() || listing.query.result.is_some());
    let ResultCounts { good, decent, bad } = counted.unwrap_or_else(loaded);
    let most = good.max(decent).max(bad);
    if most == 0 || detail == Detail::None {
        return Vec::new();
    }
    let theme = &canvas.look.theme;
    let mut pieces = Vec::new();
    if !app.reports.filter.is_empty() && detail != Detail::Shapes {
        let of = match &app.reports.scope {
            _ if is_of_search => " found:",
            Some(_) => " project:",
            None => " all:",
        };
        pieces.push((of.to_owned(), theme.dim));
    }
    for (outcome, number) in [(Outcome::Good, good), (Outcome::Decent, decent), (Outcome::Bad, bad)] {
        let style = theme.outcome(&outcome);
        let number_text = grouped(number);
        match detail {
            Detail::Trend | Detail::Bars => {
                pieces.push((format!(" {} {number_text} ", outcome.name()), theme.text));
                pieces.push((format!("▕{}", bar(number, most, BAR)), style));
            }
            Detail::Words => pieces.push((format!(" {} {number_text}", outcome.name()), style)),
            Detail::Shapes => pieces.push((format!(" {}{number_text}", outcome_shape(&outcome)), style)),
            Detail::None => {}
        }
    }
    let scope = app.reports.scope.as_ref().map(Text::raw);
    if let Some(trend) = app.trend(scope).filter(|_| detail == Detail::Trend) {
        let line = sparkline(trend, trend.len().min(TREND));
        pieces.push((format!(" {line}"), theme.bad));
    }
    if counted.is_none() && !listing.is_complete() && !listing.is_cached {
        pieces.push((" loaded".to_owned(), theme.dim));
    }
    pieces.push((" ".to_owned(), theme.text));
    pieces
}
