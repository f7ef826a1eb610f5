//! Dialogs: a question, an optional text to type for confirmation, and two buttons. `Cancel` has the focus at first.

use crate::app::App;
use crate::app::overlays::dialog::{Dialog, Question};
use crate::domain::text::numbers::counted;
use crate::domain::text::{cut_lines, fit, fit_middle, wrap};
use crate::input::Action;
use crate::view::canvas::Canvas;
use crate::view::layout::ScreenAreas;
use crate::view::overlays::bulk_plan::{draw_plan, interrupted_texts};
use crate::view::widgets::buttons::draw_foot;
use crate::view::widgets::framed::boxed;

/// The most cells of a word, such as a URL: two lines at 40×12, where the other texts need the rest.
const LONGEST_WORD: usize = 72;

pub(crate) fn draw(canvas: &mut Canvas, (app, dialog): (&App, &Dialog), layout: &ScreenAreas) {
    if let Question::Bulk { plan, takes, about, .. } = &dialog.question {
        return draw_plan(canvas, (app, dialog), (plan, *takes, about.as_deref()), layout);
    }
    let theme = &canvas.look.theme;
    let width = layout.screen.width.min(70);
    let cells = usize::from(width - 4);
    let lines: Vec<String> = texts(app, dialog).iter().flat_map(|text| wrap(text, cells)).collect();
    let typed = u16::from(dialog.must_type().is_some()) * 2;
    let place = layout.middle(width, lines.len() as u16 + typed + 4);
    let inner = boxed(canvas, place, dialog.title());
    // Without room, the empty line above the typed text is given up.
    let lines = cut_lines(lines, cells, usize::from(inner.height.saturating_sub(typed / 2 + 1)));
    canvas.lines((inner.x, inner.y), inner.width, &lines, theme.text);
    draw_foot(canvas, dialog, inner);
}

/// Cuts long words in the middle.
fn short_words(text: &str) -> String {
    text.split(' ').map(|word| fit_middle(word, LONGEST_WORD)).collect::<Vec<_>>().join(" ")
}

fn texts(app: &App, dialog: &Dialog) -> Vec<String> {
    let key = |action| app.ctx.key(action);
    let (yes, undo, back) = (key(Action::Confirm), key(Action::Undo), key(Action::Back));
    match &dialog.question {
        Question::DeleteReport { id, url } => {
            vec![
                format!("Delete report {}?", id.shown()),
                short_words(url),
                format!("{yes} deletes. {undo} undoes it for a few seconds; after that it cannot be undone."),
            ]
        }
        Question::DeleteProject { name, reports } => {
            let with = reports.map_or_else(|| "all its reports".to_owned(), |reports| counted(reports, "report"));
            let typed =
                dialog.must_type().filter(|typed| typed != name.shown()).unwrap_or_else(|| "its name".to_owned());
            vec![
                format!("Delete the project with {with}? {undo} undoes it for a few seconds."),
                format!("Type {typed} to confirm:"),
                name.shown().to_owned(),
            ]
        }
        Question::SendPending(names) => vec![
            format!("Not sent yet: delete {}.", fit(&names.join(", "), 2 * LONGEST_WORD)),
            format!("{yes} deletes now and quits, {} quits without deleting, {back} cancels.", key(Action::Quit)),
        ],
        Question::DiscardDraft => vec![format!("Discard what is typed into this form? {yes} discards.")],
        Question::MakePublic { url, .. } => vec![
            "This report page was public before. Make it public again?".to_owned(),
            short_words(url),
            format!("{yes} makes it public: then anyone can open it. {back} cancels."),
        ],
        Question::RepeatWrite { text, .. } => vec![short_words(text)],
        Question::SecondReport(text) => {
            vec![short_words(text), format!("{yes} creates · {back} goes back to the form")]
        }
        // A plan is drawn separately, with its rows.
        Question::Bulk { .. } => Vec::new(),
        Question::ResumeRun(run) => interrupted_texts(app, run),
    }
}
