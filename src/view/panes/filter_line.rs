//! The filter line while it is typed, and the line below it: completions, hints, problems.

use ratatui::layout::Rect;

use crate::app::App;
use crate::domain::list::filter::FilterProblem;
use crate::domain::list::filter::complete::CompletionCandidate;
use crate::domain::text::numbers::counted;
use crate::domain::text::{clean, width};
use crate::input::Action;
use crate::view::canvas::{Canvas, StyledText};

/// Separates candidates.
const BETWEEN: &str = " · ";
/// The minimum width with the number of hits.
const ROOM_FOR_HITS: u16 = 30;

/// Draws the filter line with invalid terms highlighted, and the number of hits.
pub(super) fn typed(canvas: &mut Canvas, app: &App, place: Rect) {
    let theme = &canvas.look.theme;
    let (column, row, cells) = (place.x + 1, place.y, place.width - 1);
    let used = canvas.text((column, row), cells, "/ ", theme.focus);
    let hits = hits(app);
    let right = width(&hits) as u16 + 2;
    let room = if cells >= ROOM_FOR_HITS { cells - used - right } else { cells - used };
    if cells >= ROOM_FOR_HITS {
        canvas.right((column, row), cells - 1, &hits, theme.dim);
    }
    let at = (column + used, row);
    canvas.field(at, room, &app.reports.filter_line);
    for problem in app.reports.filter_problems() {
        canvas.style_in_field(at, room, &app.reports.filter_line, &problem.place, canvas.look.theme.bad);
    }
}

fn hits(app: &App) -> String {
    if app.reports.arranging.is_some() {
        return "…".to_owned();
    }
    counted(app.reports.shown.len() as u64, "hit")
}

/// Returns the accepted filter for the title, with invalid terms highlighted.
pub(super) fn accepted(canvas: &Canvas, app: &App) -> StyledText {
    let theme = &canvas.look.theme;
    let characters: Vec<char> = app.reports.filter_line.value().chars().collect();
    let text = |part: &[char]| clean(&part.iter().collect::<String>()).into_owned();
    let mut problems: Vec<&FilterProblem> = app.reports.filter_problems().collect();
    problems.sort_by_key(|problem| problem.place.start);
    let (mut pieces, mut done) = (Vec::new(), 0);
    for problem in problems {
        let (start, end) = (problem.place.start.clamp(done, characters.len()), problem.place.end.min(characters.len()));
        pieces.push((text(&characters[done..start]), theme.text));
        pieces.push((text(&characters[start..end.max(start)]), theme.bad));
        done = end.max(start);
    }
    pieces.push((text(&characters[done..]), theme.text));
    pieces
}

/// Draws the line below: a problem at the cursor or elsewhere, or the candidates and the hint.
pub(super) fn assist(canvas: &mut Canvas, app: &App, at: (u16, u16), cells: u16) {
    let theme = &canvas.look.theme;
    let assist = &app.reports.assist;
    let cursor = app.reports.filter_line.cursor();
    let is_here = |problem: &&FilterProblem| problem.place.start < cursor && cursor <= problem.place.end;
    // A term being typed is not reported yet, unless it looks like a typo.
    let wrong_here = app.reports.filter_problems().find(|problem| is_here(problem) && problem.nearest.is_some());
    let elsewhere = || app.reports.filter_problems().find(|problem| !is_here(problem));
    let key = |action| canvas.look.characters.key(&app.ctx.key(action));
    let mut line: StyledText = Vec::new();
    if let Some(problem) = wrong_here.or_else(elsewhere).filter(|_| assist.cycle.is_none()) {
        let mut text = format!("! {}", problem.shown());
        if let Some(nearest) = problem.nearest.as_ref().filter(|_| width(&text) > usize::from(cells)) {
            text = format!("! did you mean {}?", clean(nearest));
        }
        line.push((text, theme.bad));
        if wrong_here.is_some() && !assist.completion.candidates.is_empty() {
            line.push((format!("  {}", key(Action::CompleteFilter)), theme.key));
        }
        canvas.styled_text(at, cells, &line);
        return;
    }
    let (completion, chosen) = match &assist.cycle {
        Some(cycle) => (&cycle.completion, Some(cycle.at)),
        None => (&assist.completion, None),
    };
    if completion.is_warning || completion.candidates.is_empty() {
        let style = if completion.is_warning { theme.decent } else { theme.dim };
        line.push((format!("{}  ", completion.hint), style));
    }
    let wide = |line: &StyledText| line.iter().map(|(text, _)| width(text)).sum::<usize>();
    if !completion.candidates.is_empty() {
        line.push((format!("{} ", key(Action::CompleteFilter)), theme.key));
        let room = usize::from(cells).saturating_sub(wide(&line));
        let first = chosen.map_or(0, |chosen| first_shown(&completion.candidates, chosen, room));
        for (place, candidate) in completion.candidates.iter().enumerate().skip(first) {
            let between = if place > first { BETWEEN } else { "" };
            let text = candidate.in_words();
            if place > first && wide(&line) + width(between) + width(&text) > usize::from(cells) {
                break;
            }
            let style = if Some(place) == chosen { theme.selected } else { theme.text };
            line.extend([(between.to_owned(), theme.dim), (text, style)]);
        }
    }
    let used = wide(&line);
    canvas.styled_text(at, cells, &line);
    if !completion.is_warning
        && used > 0
        && used + 2 + width(&completion.hint) < usize::from(cells)
        && !completion.candidates.is_empty()
    {
        canvas.right(at, cells - 1, &completion.hint, canvas.look.theme.dim);
    }
}

/// Returns the first candidate to draw so that the chosen one is visible.
fn first_shown(candidates: &[CompletionCandidate], chosen: usize, room: usize) -> usize {
    let mut used = 0;
    let fitting = candidates[..=chosen].iter().rev().take_while(|candidate| {
        used += width(&candidate.in_words()) + width(BETWEEN);
        used <= room + width(BETWEEN)
    });
    chosen + 1 - fitting.count().max(1)
}
