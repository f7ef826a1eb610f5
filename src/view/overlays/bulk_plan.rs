//! The confirmation of a bulk plan, and the text about an interrupted run.

use std::time::Duration;

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::overlays::dialog::Dialog;
use crate::domain::bulk::{BulkItem, InterruptedRun, ItemState, Plan};
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::{cut_lines, fit_middle, width, wrap};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::buttons::draw_foot;
use crate::view::widgets::framed::boxed;
use crate::view::widgets::scroll_bar::bar;

/// Draws a plan: each report's before → after or why it is skipped, the number of requests and their duration.
pub(crate) fn draw_plan(
    canvas: &mut Canvas,
    (app, dialog): (&App, &Dialog),
    (plan, takes, about): (&Plan, Duration, Option<&str>),
    layout: &ScreenAreas,
) {
    let theme = &canvas.look.theme;
    let cells = layout.screen.width.saturating_sub(2).min(100);
    let room = usize::from(cells - 4);
    let texts = about.map(str::to_owned).into_iter().chain(plan_texts(app, plan, takes));
    let head: Vec<String> = texts.flat_map(|text| wrap(&text, room)).collect();
    let keys = wrap(&canvas.look.characters.key(&keys(app, dialog)), room);
    let typed = u16::from(dialog.must_type().is_some());
    let fixed = (head.len() + keys.len()) as u16 + typed + 5;
    let rows = plan.items.len().min(usize::from(layout.screen.height.saturating_sub(fixed).max(1))) as u16;
    let question = format!("{} {}?", plan.operation.label(), counted(plan.changes() as u64, "report"));
    let inner = boxed(canvas, layout.middle(cells, fixed + rows), &question);
    // One line is left for the reports, which `keys` can scroll.
    let head = cut_lines(head, room, usize::from(inner.height.saturating_sub(typed + 2)).saturating_sub(keys.len()));
    let row = inner.y + canvas.lines((inner.x, inner.y), inner.width, &[head, keys].concat(), theme.text);
    let free = inner.bottom().saturating_sub(row + typed + 1);
    // Without room for three lines, the empty ones around the rows are given up.
    let gap = u16::from(free > 2);
    let rows = Rect::new(inner.x, row + gap, inner.width, rows.min(free - 2 * gap));
    canvas.frame_layout.overlay = usize::from(rows.height);
    let top = dialog.window.top.min(plan.items.len().saturating_sub(canvas.frame_layout.overlay));
    bar(canvas, rows, top, plan.items.len(), None);
    for (line, planned) in plan.items.iter().skip(top).take(canvas.frame_layout.overlay).enumerate() {
        planned_row(canvas, (rows.x, rows.y + line as u16), rows.width, (planned, plan.operation.after()));
    }
    draw_foot(canvas, dialog, inner);
}

fn plan_texts(app: &App, plan: &Plan, takes: Duration) -> Vec<String> {
    let skipped = plan.items.len() - plan.changes();
    let skipped = if skipped > 0 { format!(" · {skipped} skipped") } else { String::new() };
    let mut texts = vec![format!("{}, about {}{skipped}", counted(plan.requests() as u64, "request"), span(takes))];
    if plan.operation.destroys() {
        texts.push(format!(
            "{} undoes it for a few seconds; after that it cannot be undone.",
            app.ctx.key(Action::Undo)
        ));
    }
    if plan.operation.change().is_some_and(|change| change.password.is_some()) {
        texts.push("A replaced password cannot be restored.".to_owned());
    }
    texts
}

/// What to press or type.
fn keys(app: &App, dialog: &Dialog) -> String {
    let key = |action| app.ctx.key(action);
    let (up, down, back) = (key(Action::MoveUp), key(Action::MoveDown), key(Action::Back));
    match dialog.must_type() {
        Some(number) => format!("Type {number} to confirm · {up} {down} scroll · {back} cancels"),
        None => format!("{} confirms · {up} {down} scroll · {back} cancels", key(Action::Confirm)),
    }
}

fn planned_row(canvas: &mut Canvas, at: (u16, u16), cells: u16, (planned, after): (&BulkItem, &str)) {
    let theme = &canvas.look.theme;
    let (change, style) = match planned.skip_reason() {
        Some(why) => (format!("skipped: {why}"), theme.dim),
        None => (format!("{} → {after}", planned.before), theme.text),
    };
    let taken = (width(&change) as u16).min(cells / 2);
    let room = cells.saturating_sub(taken + 2);
    canvas.text(at, room, &fit_middle(&planned.url, usize::from(room)), style);
    canvas.right((at.0 + cells - taken, at.1), taken, &change, style);
}

/// Returns the text of the dialog that offers to resume an interrupted run.
pub(crate) fn interrupted_texts(app: &App, run: &InterruptedRun) -> Vec<String> {
    let left = grouped(run.left().count() as u64);
    let count = |is: fn(&ItemState) -> bool| run.items.iter().filter(|item| is(&item.state)).count();
    let lost = count(|state| matches!(state, ItemState::Lost));
    let failed = count(|state| matches!(state, ItemState::Failed(_)));
    let failed = if failed > 0 { format!(", {} failed", grouped(failed as u64)) } else { String::new() };
    let (all, verb) = (counted(run.items.len() as u64, "report"), run.operation.progress_verb());
    let mut texts = vec![format!("The program ended while it was {verb} {all}: {left} left{failed}.")];
    if lost > 0 {
        texts.push(format!("Outcome unknown: {lost}; these reports are read again before anything is sent."));
    }
    texts.push(format!(
        "{} resumes · {} asks again at the next start",
        app.ctx.key(Action::Confirm),
        app.ctx.key(Action::Back)
    ));
    texts
}

/// Formats a duration: `9 s`, `2 min`, `1 h 5 min`.
fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0 => "a second".to_owned(),
        1..=90 => format!("{seconds} s"),
        91..=5_400 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_written_in_plain_words() {
        for (seconds, expected) in
            [(0, "a second"), (9, "9 s"), (90, "90 s"), (91, "2 min"), (3_900, "65 min"), (7_500, "2 h 5 min")]
        {
            assert_eq!(span(Duration::from_secs(seconds)), expected);
        }
    }
}
