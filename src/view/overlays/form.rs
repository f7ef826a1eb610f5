//! The form: fields with their errors, errors of the whole form, and buttons.

use ratatui::layout::Rect;

use crate::app::App;
use crate::app::frame_layout::HitTarget;
use crate::app::overlays::form::{Form, FormField, FormKind};
use crate::domain::report::privacy::Privacy;
use crate::domain::text::{cut_lines, wrap};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::widgets::framed::boxed;

/// The cells of a field's label.
const LABEL: u16 = 11;
/// The most lines of errors of the whole form.
const MOST_NOTES: usize = 6;
/// The cells of all choices side by side.
const ALL_CHOICES: u16 = 37;

pub(crate) fn draw(canvas: &mut Canvas, app: &App, form: &Form, layout: &ScreenAreas) {
    let title = match &form.kind {
        FormKind::New => "New report".to_owned(),
        FormKind::Edit { url, .. } => format!("Edit {url}"),
        FormKind::Many(targets) => format!("Privacy of {}", targets.described()),
    };
    let title = if form.from_draft {
        format!("{title} · your draft{}", app.ctx.form_hint(", ", Action::DiscardDraft, " discards it"))
    } else {
        title
    };
    let width = layout.screen.width.min(84);
    let cells = usize::from(width - 4);
    let rows: Vec<(usize, FormField)> =
        form.fields().into_iter().enumerate().filter(|(_, field)| is_row(*field)).collect();
    // The frame takes two lines, the buttons one.
    let room = usize::from(layout.room().height).saturating_sub(rows.len() + 3);
    // At least half of it is for errors of the fields.
    let share = if form.errors.is_empty() { room } else { room / 2 };
    let notes = cut_lines(notes(form, cells), cells, share.min(MOST_NOTES));
    let mut room = room.saturating_sub(notes.len());
    let mut errors = Vec::new();
    for (_, field) in &rows {
        let lines = error_lines(form, *field, cells.saturating_sub(usize::from(LABEL)), room);
        room -= lines.len();
        errors.push(lines);
    }
    let pages = if form.kind == FormKind::New { form.urls().len() } else { 1 };
    let many = (pages > 1 && room > 0).then(|| format!("{pages} pages: a report each"));
    let lines = rows.len() + errors.iter().map(Vec::len).sum::<usize>() + notes.len() + usize::from(many.is_some());
    let height = lines + 5;
    let place = layout.middle(width, height as u16);
    let inner = boxed(canvas, place, &title);
    let mut row = inner.y;
    for ((at, field), errors) in rows.into_iter().zip(errors) {
        canvas.hit(Rect::new(inner.x, row, inner.width, 1), HitTarget::Field(at));
        draw_field(canvas, (app, form), field, Rect::new(inner.x, row, inner.width, 1));
        row += 1;
        row += canvas.lines((inner.x + LABEL, row), inner.width - LABEL, &errors, canvas.look.theme.bad);
    }
    row += canvas.lines((inner.x, row), inner.width, &notes, canvas.look.theme.bad);
    if let Some(many) = many {
        canvas.text((inner.x + LABEL, row), inner.width - LABEL, &many, canvas.look.theme.dim);
    }
    let last = Rect::new(inner.x, inner.bottom().saturating_sub(1), inner.width, 1);
    buttons(canvas, app, form, last);
}

/// Whether a field has a row of its own; the buttons share one.
fn is_row(field: FormField) -> bool {
    !matches!(field, FormField::Save | FormField::Cancel)
}

/// Returns the errors of a field in at most `most` lines. The last one counts the errors left out.
fn error_lines(form: &Form, field: FormField, cells: usize, most: usize) -> Vec<String> {
    let errors: Vec<Vec<String>> = form.errors_of(field).map(|text| marked(text, cells)).collect();
    let all = errors.concat();
    if all.len() <= most {
        return all;
    }
    // The first error is cut rather than left out.
    let shown = (1..errors.len()).rev().find(|count| errors[..*count].concat().len() < most).unwrap_or(1);
    let left = errors.len() - shown;
    let mut lines = cut_lines(errors[..shown].concat(), cells, most.saturating_sub(usize::from(left > 0)).max(1));
    lines.extend((left > 0).then(|| format!("and {left} more")));
    lines.truncate(most);
    lines
}

/// Wraps an error behind a mark.
fn marked(text: &str, cells: usize) -> Vec<String> {
    let lines = wrap(text, cells.saturating_sub(2)).into_iter().enumerate();
    lines.map(|(at, line)| format!("{} {line}", if at == 0 { "!" } else { " " })).collect()
}

/// Returns errors of the whole form, errors of fields that it does not show, and warnings.
fn notes(form: &Form, cells: usize) -> Vec<String> {
    let stored = form.has_stored_password();
    let replaces = stored && form.privacy == Some(Privacy::Password) && !form.password.value().is_empty();
    let warning = replaces.then(|| "Replaces the stored password, which cannot be restored".to_owned());
    let texts = form.problem.iter().cloned().chain(form.other_errors()).chain(warning);
    texts.flat_map(|text| marked(&text, cells)).collect()
}

fn draw_field(canvas: &mut Canvas, (app, form): (&App, &Form), field: FormField, place: Rect) {
    let theme = &canvas.look.theme;
    let focused = form.focus == field && form.saving.is_none();
    let name = match field {
        FormField::Url => "URL",
        FormField::Privacy => "privacy",
        FormField::Password => "password",
        FormField::Rerun => "re-run",
        FormField::Save | FormField::Cancel => "",
    };
    canvas.text((place.x, place.y), LABEL, name, if focused { theme.focus } else { theme.dim });
    let at = (place.x + LABEL, place.y);
    let cells = place.width.saturating_sub(LABEL);
    match field {
        FormField::Url => canvas.field_with(at, cells, &form.url, focused, false),
        FormField::Password => {
            canvas.field_with(at, cells, &form.password, focused, !form.revealed);
            let stored = form.has_stored_password();
            if form.password.value().is_empty() {
                let hint = if stored {
                    " empty keeps the stored one".to_owned()
                } else {
                    let generate = app.ctx.form_hint(" ", Action::GeneratePassword, " generates one");
                    let before = if generate.is_empty() { " " } else { ", " };
                    generate + &app.ctx.form_hint(before, Action::RevealPassword, " shows it")
                };
                canvas.text((at.0 + 1, at.1), cells - 1, &hint, theme.dim);
            }
        }
        FormField::Privacy => choice(canvas, (at, cells), form.privacy, focused),
        FormField::Rerun => {
            let text = if form.rerun { "[x] re-run the report" } else { "[ ] re-run the report" };
            canvas.choice(at, cells, text, focused, theme.text);
        }
        FormField::Save | FormField::Cancel => {}
    }
}

/// Draws all choices side by side, or only the current one between arrows if they do not fit.
fn choice(canvas: &mut Canvas, (at, cells): ((u16, u16), u16), chosen: Option<Privacy>, focused: bool) {
    let theme = &canvas.look.theme;
    if cells < ALL_CHOICES {
        let text = format!("‹ {} ›", chosen.map_or("unchanged", Privacy::name));
        let used = canvas.choice(at, cells, &text, focused, theme.title);
        let next = Privacy::cycle(chosen, true);
        return canvas.hit(Rect::new(at.0, at.1, used, 1), HitTarget::PrivacyChoice(next));
    }
    let mut column = at.0;
    for privacy in [Privacy::Public, Privacy::Private, Privacy::Password] {
        let is = chosen == Some(privacy);
        let text = format!("{} {}", if is { "(•)" } else { "( )" }, privacy.name());
        let used = canvas.choice((column, at.1), 20, &text, is && focused, if is { theme.title } else { theme.dim });
        canvas.hit(Rect::new(column, at.1, used, 1), HitTarget::PrivacyChoice(privacy));
        column += used + 2;
    }
}

fn buttons(canvas: &mut Canvas, app: &App, form: &Form, place: Rect) {
    let theme = &canvas.look.theme;
    if form.saving.is_some() {
        let text = match form.kind {
            FormKind::New => &format!("auditing … {} closes, it continues", app.ctx.key(Action::Back)),
            FormKind::Edit { .. } | FormKind::Many(_) => "saving …",
        };
        canvas.text((place.x, place.y), place.width, text, theme.decent);
        return;
    }
    let mut column = place.x;
    for (at, field) in form.fields().into_iter().enumerate() {
        let label = match field {
            // Changes of many reports are planned first; nothing is sent before the plan is confirmed.
            FormField::Save if matches!(form.kind, FormKind::Many(_)) => "[ Plan … ]",
            FormField::Save if form.kind == FormKind::New && form.urls().len() > 1 => "[ Audit all ]",
            FormField::Save => "[ Save ]",
            FormField::Cancel => "[ Cancel ]",
            FormField::Url | FormField::Privacy | FormField::Password | FormField::Rerun => continue,
        };
        let cells = place.right().saturating_sub(column);
        let taken = canvas.choice((column, place.y), cells, label, form.focus == field, theme.text);
        canvas.hit(Rect::new(column, place.y, taken, 1), HitTarget::Field(at));
        column += taken + 2;
    }
}
