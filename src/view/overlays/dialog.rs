//! Dialogs: what goes, what must be typed, and two buttons of which the harmless one has the focus.

use crate::app::App;
use crate::app::frame_layout::FrameLayout;
use crate::app::overlays::dialog::{Dialog, Question};
use crate::domain::text::numbers::counted;
use crate::domain::text::wrap;
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::Layout;
use crate::view::overlays::bulk_plan::{broken_words, draw_plan};
use crate::view::widgets::buttons::buttons;
use crate::view::widgets::framed::boxed;

pub(crate) fn draw(canvas: &mut Canvas, (app, dialog): (&App, &Dialog), layout: &Layout, drawn: &mut FrameLayout) {
    if let Question::Bulk { plan, takes } = &dialog.question {
        return draw_plan(canvas, (app, dialog), (plan, *takes), layout, drawn);
    }
    let theme = &canvas.look.theme;
    let width = layout.screen.width.min(70);
    let lines: Vec<String> =
        words(app, dialog).iter().flat_map(|text| wrap(text, usize::from(width - 4))).take(8).collect();
    let typed = u16::from(dialog.must_type().is_some()) * 2;
    let place = layout.middle(width, lines.len() as u16 + typed + 4);
    let inner = boxed(canvas, place, title(&dialog.question));
    let mut row = inner.y;
    for line in lines {
        canvas.text((inner.x, row), inner.width, &line, theme.text);
        row += 1;
    }
    if dialog.must_type().is_some() {
        let used = canvas.text((inner.x, row + 1), inner.width, "> ", theme.focus);
        canvas.field((inner.x + used, row + 1), inner.width - used, &dialog.typed, true, false);
    }
    buttons(canvas, dialog, (inner.x, inner.bottom().saturating_sub(1)), drawn);
}

fn title(question: &Question) -> &'static str {
    match question {
        Question::DeleteReport { .. } => "Delete report",
        Question::DeleteProject { .. } => "Delete project",
        Question::DiscardDraft => "Discard draft",
        Question::SendPending(_) => "Deletions wait",
        Question::MakePublic { .. } => "Make public",
        Question::TryAgain { .. } => "Nobody knows whether it was done",
        Question::Bulk { .. } => "Plan",
        Question::GoOn(_) => "Broken off",
    }
}

fn words(app: &App, dialog: &Dialog) -> Vec<String> {
    let (yes, undo) = (app.ctx.key(Action::Confirm), app.ctx.key(Action::Undo));
    match &dialog.question {
        Question::DeleteReport { id, url } => {
            vec![
                format!("Delete report {} about {url}?", id.shown()),
                format!(
                    "{yes} deletes. For a few seconds nothing is sent and {undo} takes it back; then it cannot be undone."
                ),
            ]
        }
        Question::DeleteProject { name, reports } => {
            let with = reports.map_or_else(|| "all its reports".to_owned(), |reports| counted(reports, "report"));
            vec![
                format!("Delete project {name} with {with}? This cannot be undone."),
                format!("Type this to delete it: {}", dialog.must_type().unwrap_or_default()),
            ]
        }
        Question::SendPending(names) => vec![
            format!("Nothing is sent yet of: delete {}.", names.join(", ")),
            format!("{yes} deletes now and leaves, ctrl+c leaves without deleting, Esc stays."),
        ],
        Question::DiscardDraft => vec![format!("Throw away what is typed into this form? {yes} discards.")],
        Question::MakePublic { url, .. } => vec![
            format!("The report page of {url} was public before. Make it public again?"),
            format!("{yes} makes it public: anybody can open it then. Esc leaves it as it is."),
        ],
        Question::TryAgain { text, .. } => vec![text.clone()],
        // A plan is drawn with its rows.
        Question::Bulk { .. } => Vec::new(),
        Question::GoOn(broken) => broken_words(app, broken),
    }
}
