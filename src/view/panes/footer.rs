//! The footer: errors, the status, and key hints.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::{HitTarget, Pane};
use crate::app::overlays::form::FormField;
use crate::app::overlays::form::secret_input::PasswordCopy;
use crate::app::overlays::{ListSearch, MenuChoice, Overlay};
use crate::app::undo::UndoDirection;
use crate::domain::text::age::relative;
use crate::domain::text::numbers::{counted, grouped};
use crate::domain::text::width;
use crate::input::bindings::Binding;
use crate::input::{Action, Context};
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, layout: &ScreenAreas) {
    let theme = &canvas.look.theme;
    let cells = layout.screen.width - 4;
    let is_error = layout.banner.first().is_some_and(|line| line.starts_with("! "));
    let style = if is_error { theme.bad } else { theme.text };
    let row = layout.footer + canvas.lines((2, layout.footer), cells, &layout.banner, style);
    let status = if narrow_queue(app, cells) && app.ctx.notice.is_none() {
        String::new()
    } else {
        status(app, cells, canvas.frame_layout.reports)
    };
    let mut hints = hints(canvas, app, cells);
    if let Some(Overlay::Search(search)) = app.overlays.last() {
        return draw_search(canvas, app, search, &mut hints, (row, cells));
    }
    // In an overlay the status is about something else, and leaves room for the first and the last key. The reason of a
    // pause stays until the run is resumed.
    let is_cut = app.ctx.notice.is_none() && (!app.overlays.is_empty() || (cells >= NARROW && app.is_run_paused()));
    let keys = [hints.first(), hints.last()].into_iter().flatten().filter(|_| is_cut);
    let room = cells.saturating_sub(keys.map(Hint::cells).sum::<u16>() + 2 * u16::from(is_cut));
    let used = canvas.text((2, row), room, &status, theme.text);
    draw_hints(canvas, app, &mut hints, (2 + used + 2, row), cells.saturating_sub(used + 2));
}

/// Draws the search field of a list, the number of matches, and the hints.
fn draw_search(canvas: &mut Canvas, app: &App, search: &ListSearch, hints: &mut Vec<Hint>, (row, cells): (u16, u16)) {
    let theme = &canvas.look.theme;
    // On a narrow screen only the last hint stays.
    let room = (cells / 2).max(cells.min(NARROW).saturating_sub(hints.last().map_or(0, Hint::cells) + 2));
    let matches = app.matches_text();
    canvas.right((2, row), room, &matches, theme.dim);
    canvas.prompt((2, row), room.saturating_sub(width(&matches) as u16 + 1), "/ ", &search.field);
    draw_hints(canvas, app, hints, (2 + room + 2, row), cells.saturating_sub(room + 2));
}

/// Returns the notice, or else running writes and row counts. `fit` is the number of rows of the list on the screen.
fn status(app: &App, cells: u16, fit: usize) -> String {
    // A notice that does not fit is shown above the line.
    if let Some((notice, _)) = app.ctx.notice.as_ref().filter(|(notice, _)| width(notice) <= usize::from(cells)) {
        return notice.clone();
    }
    let released = app
        .screen
        .mouse_released
        .then(|| format!("the mouse selects text, {} captures it again", app.ctx.key(Action::ToggleMouse)));
    let begun = Some(&app.screen.pending_keys).filter(|begun| !begun.is_empty()).map(|begun| format!("{begun} …"));
    let mut parts: Vec<String> = released.into_iter().collect();
    parts.extend(app.jobs.writes.iter().map(|write| format!("{} …", write.description())));
    parts.splice(0..0, begun);
    // While the filter is typed, the line below it shows its problems.
    if let Some(problem) = app.reports.filter_problems().next().filter(|_| !app.reports.typing) {
        parts.push(problem.shown());
    }
    parts.extend(app.desk_problem());
    parts.extend(app.ctx.journal_problem());
    parts.extend(app.pending_text());
    parts.extend(app.run_text());
    parts.extend(app.creation_text());
    parts.extend(app.checks_text());
    parts.extend(app.reports.selection_text());
    // Above the list, its key goes to the first line there.
    parts.extend(app.reports.new_above_text(fit, &app.ctx).filter(|_| app.overlays.is_empty()));
    parts.extend(numbers(app));
    if app.reports.listing.unreadable > 0 {
        parts.push(format!("{} could not be read", counted(app.reports.listing.unreadable as u64, "row")));
    }
    if app.projects.unreadable > 0 {
        parts.push(format!("{} could not be read", counted(app.projects.unreadable as u64, "project")));
    }
    let loading = app.reports.loading_text(&app.ctx, app.list_has_keys());
    parts.extend(Some(loading).filter(|text| !text.is_empty()));
    parts.join(" · ")
}

/// Describes the number of rows shown, loaded, and on the service.
fn numbers(app: &App) -> Option<String> {
    let listing = &app.reports.listing;
    let (shown, loaded) = (app.reports.shown.len() as u64, listing.loaded() as u64);
    if loaded == 0 {
        return None;
    }
    if let Some(at) = listing.as_of.filter(|_| listing.is_cached) {
        let of = if shown == loaded { String::new() } else { format!("showing {} of ", grouped(shown)) };
        return Some(format!("{of}{} cached, {}", grouped(loaded), relative(app.ctx.now, at)));
    }
    let total = app.reports.total(&app.projects);
    if listing.is_complete() {
        let all = shown == total;
        return Some(if all {
            counted(shown, "report")
        } else {
            format!("showing {} of {}", grouped(shown), grouped(total))
        });
    }
    let of = if total > loaded { format!(" of {}", grouped(total)) } else { String::new() };
    Some(if shown == loaded {
        format!("{} loaded{of}", grouped(loaded))
    } else {
        format!("showing {} of {} loaded{of}", grouped(shown), grouped(loaded))
    })
}

/// A key hint.
struct Hint {
    action: Action,
    key: String,
    text: &'static str,
}

impl Hint {
    /// Its cells, with the spaces around it.
    fn cells(&self) -> u16 {
        (width(&self.key) + width(self.text) + 3) as u16
    }
}

/// Returns the hints of the current context on a line of `cells` cells.
fn hints(canvas: &Canvas, app: &App, cells: u16) -> Vec<Hint> {
    let context = app.context();
    let actions = if narrow_queue(app, cells) { NARROW_QUEUE } else { actions(app, context) };
    let bound = actions.iter().filter_map(|action| app.ctx.keymap.binding_for(*action, context));
    bound
        .filter_map(|bound| {
            let key = canvas.look.characters.key(&bound.keys.first()?.shown());
            Some(Hint { action: bound.binding.action, key, text: hint(app, bound.binding) })
        })
        .collect()
}

/// Draws the clickable hints that fit.
fn draw_hints(canvas: &mut Canvas, app: &App, hints: &mut Vec<Hint>, at: (u16, u16), cells: u16) {
    let theme = &canvas.look.theme;
    let length = |hints: &[Hint]| hints.iter().map(Hint::cells).sum::<u16>();
    while length(hints) > cells && !hints.is_empty() {
        // The last hint, which opens the help, is dropped last.
        hints.remove(hints.len().saturating_sub(2));
    }
    let mut column = at.0 + cells - length(hints);
    for Hint { action, key, text } in hints {
        let start = column;
        column += 2;
        column += canvas.text((column, at.1), cells, key, theme.key) + 1;
        let style = if app.disabled_reason(*action).is_some() { theme.dim } else { theme.text };
        column += canvas.text((column, at.1), cells, text, style);
        canvas.hit(Rect::new(start, at.1, column - start, 1), HitTarget::Hint(*action));
    }
}

/// Below this width the queue shows no status beside its keys, and the panes no keys beside the reason of a pause.
const NARROW: u16 = 60;
/// The keys of the queue on a narrow screen: one key for all states replaces their own.
const NARROW_QUEUE: &[Action] =
    &[Action::NextInQueue, Action::SetState, Action::RerunReport, Action::WriteNote, Action::Back, Action::Help];

fn narrow_queue(app: &App, cells: u16) -> bool {
    app.context() == Context::Queue && cells < NARROW
}

/// Returns the hint of a key in the current state.
fn hint(app: &App, binding: &'static Binding) -> &'static str {
    match (binding.action, app.overlays.last()) {
        (Action::RevealPassword, Some(Overlay::Form(form))) if form.revealed => "hide",
        (Action::OtherButton, Some(Overlay::Dialog(dialog))) if dialog.is_confirm_focused => "Cancel",
        (Action::OtherButton, Some(Overlay::Dialog(dialog))) => dialog.verb(),
        (Action::Confirm, Some(Overlay::Dialog(_))) => "confirms",
        (Action::Press, Some(Overlay::Key(_))) => "uses it",
        (Action::Pick, Some(Overlay::Menu(menu)))
            if menu.rows.iter().all(|(_, choice)| matches!(choice, MenuChoice::Nothing)) =>
        {
            "close"
        }
        (Action::MoveDown, Some(Overlay::Search(_))) => "next hit",
        (Action::MoveUp, Some(Overlay::Search(_))) => "previous",
        (Action::Press, Some(Overlay::Search(_))) => "stay here",
        (Action::Back, Some(Overlay::Search(_))) => "return",
        (Action::PauseRun, Some(Overlay::Run(_))) if app.is_run_paused() => "resume",
        (Action::Delete, None) if app.screen.focus == Pane::Projects => "delete project",
        _ => binding.hint,
    }
}

/// Returns the actions that have hints here, the most important one first and the way out last: these two stay on a
/// narrow screen.
fn actions(app: &App, context: Context) -> &'static [Action] {
    match context {
        Context::Panes => actions_of_pane(app),
        Context::FilterLine => &[Action::CompleteFilter, Action::AcceptFilter, Action::Back],
        Context::FormText | Context::FormChoice => match app.form().map(|form| form.focus) {
            Some(FormField::Password)
                if app.form().is_some_and(|form| form.password_copy == PasswordCopy::Generated) =>
            {
                &[Action::Submit, Action::CopyPassword, Action::RevealPassword, Action::GeneratePassword, Action::Back]
            }
            Some(FormField::Password) => {
                &[Action::Submit, Action::RevealPassword, Action::GeneratePassword, Action::Back]
            }
            Some(FormField::Privacy | FormField::Rerun) => {
                &[Action::Submit, Action::NextChoice, Action::NextField, Action::Back]
            }
            Some(FormField::Url | FormField::Save | FormField::Cancel) | None => {
                &[Action::Submit, Action::NextField, Action::DiscardDraft, Action::Back]
            }
        },
        Context::Dialog => &[Action::Confirm, Action::OtherButton, Action::Back],
        Context::PromptWithRows if matches!(app.overlays.last(), Some(Overlay::Search(_))) => {
            &[Action::MoveDown, Action::MoveUp, Action::Press, Action::Back]
        }
        Context::DialogText | Context::Prompt | Context::PromptWithRows => &[Action::Press, Action::Back],
        Context::Menu | Context::Help | Context::Palette => {
            &[Action::Pick, Action::MoveDown, Action::MoveUp, Action::Back]
        }
        Context::Run if app.is_unsent_deletion() => {
            &[Action::Undo, Action::PauseRun, Action::CancelRun, Action::Pick, Action::Back]
        }
        Context::Run if app.run_text().is_some() => &[Action::PauseRun, Action::CancelRun, Action::Pick, Action::Back],
        Context::Run if app.jobs.bulk.as_ref().is_some_and(|bulk| bulk.run.tally().failed > 0) => {
            &[Action::RetryFailed, Action::Pick, Action::Back]
        }
        Context::Run if app.ctx.undo.planned_run(UndoDirection::Undo).is_some() => {
            &[Action::Undo, Action::Pick, Action::Back]
        }
        Context::Run => &[Action::Pick, Action::Back],
        Context::Queue => &[
            Action::NextInQueue,
            Action::StateLooking,
            Action::StateWaiting,
            Action::StateToVerify,
            Action::StateWontFix,
            Action::SnoozeDay,
            Action::SetState,
            Action::RerunReport,
            Action::OpenWebPage,
            Action::Undo,
            Action::Back,
            Action::Help,
        ],
        Context::Changes if app.triage.changes.is_before_last_look() => {
            &[Action::Pick, Action::EarlierBaseline, Action::LaterBaseline, Action::Search, Action::Back]
        }
        Context::Changes => &[
            Action::Pick,
            Action::ToggleMark,
            Action::MarkSection,
            Action::EarlierBaseline,
            Action::UntestedDays,
            Action::AllSeen,
            Action::Search,
            Action::Back,
        ],
        Context::Overview => &[
            Action::Pick,
            Action::NextPane,
            Action::Changes,
            Action::Causes,
            Action::Queue,
            Action::FocusReports,
            Action::Filter,
            Action::Help,
        ],
        Context::Causes => &[
            Action::Pick,
            Action::NextPane,
            Action::RerunReport,
            Action::ToggleMark,
            Action::Changes,
            Action::FocusReports,
            Action::Back,
            Action::Help,
        ],
        Context::Columns => {
            &[Action::ToggleColumn, Action::ColumnLeft, Action::ColumnRight, Action::UsualColumns, Action::Back]
        }
        Context::History => &[Action::Pick, Action::Search, Action::Activity, Action::Back, Action::Help],
        Context::Activity => &[Action::Search, Action::Back, Action::Help],
    }
}

fn actions_of_pane(app: &App) -> &'static [Action] {
    match app.screen.focus {
        // `All` is not a project, so the actions on projects are left out.
        Pane::Projects if app.projects.current().is_none() => {
            &[Action::Open, Action::NewReport, Action::NextPane, Action::Refresh, Action::Quit, Action::Help]
        }
        Pane::Projects => &[
            Action::Open,
            Action::RerunReport,
            Action::EditReport,
            Action::ToggleMark,
            Action::Delete,
            Action::NewReport,
            Action::NextPane,
            Action::Refresh,
            Action::Quit,
            Action::Help,
        ],
        // With marked reports, the actions on them come first.
        Pane::Reports if !app.reports.selection.is_empty() => &[
            Action::Actions,
            Action::RerunReport,
            Action::SetState,
            Action::EditReport,
            Action::Delete,
            Action::UnmarkAll,
            Action::Undo,
            Action::Help,
        ],
        Pane::Reports => &[
            Action::Open,
            Action::NewReport,
            Action::Filter,
            Action::EditReport,
            Action::RerunReport,
            Action::Delete,
            Action::CycleResult,
            Action::SortBy,
            Action::Quit,
            Action::Help,
        ],
        Pane::Report => {
            &[Action::EditReport, Action::RerunReport, Action::OpenWebPage, Action::CopyUrl, Action::Back, Action::Help]
        }
    }
}
