//! Inserts typed and pasted text into the focused field, up to a limit per field.
//!
//! A megabyte pasted by mistake neither blocks the program nor reaches the service.

use crate::app::App;
use crate::app::overlays::form::FormField;
use crate::app::overlays::form::secret_input;
use crate::app::overlays::form::text_field::TextEdit;
use crate::app::overlays::note::StateNote;
use crate::app::overlays::{ListSearch, Overlay};
use crate::domain::list::view_line;

/// The byte limit of a line: a filter, a name.
const LINE: usize = 4 * 1024;
/// The byte limit of a list of pages.
const PAGES: usize = 128 * 1024;

/// The kind of a field, which decides how oversized text is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Truncated: a part is better than nothing.
    Line,
    /// Rejected: a truncated secret would be wrong without looking so.
    Secret,
    /// Truncated at a line: there is one page per line, and a partial address would be another page.
    Pages,
}

/// How much of a text was inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasteResult {
    /// All of it.
    Whole,
    /// Only the beginning.
    Cut,
    /// Nothing.
    Refused,
}

impl FieldKind {
    fn most(self) -> usize {
        match self {
            Self::Line => LINE,
            Self::Secret => secret_input::MOST,
            Self::Pages => PAGES,
        }
    }
}

impl App {
    /// Inserts pasted text into the focused field, if there is one. Line breaks never submit.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Some(Overlay::ViewName(name)) = self.overlays.last_mut()
            && view_line::is_view_line(text)
        {
            // The field proposes the name of the current view.
            name.reset();
        }
        let in_form = matches!(self.overlays.last(), Some(Overlay::Form(_)));
        let Some((field, kind)) = self.text_field() else { return };
        // Forms keep line breaks: they separate pages, and in a password validation reports them.
        let text = if in_form { lines(text) } else { one_line(text) };
        // Spaces separate it from a text that is there already.
        let text = if in_form || !field.value().is_empty() { &text } else { text.trim() };
        let fit = insert(field, text, kind);
        self.notify_paste(fit, kind);
        if fit != PasteResult::Refused {
            self.text_edited();
        }
    }

    /// Shows a notice about text that did not fit.
    pub(crate) fn notify_paste(&mut self, fit: PasteResult, kind: FieldKind) {
        let most = kind.most() / 1024;
        match fit {
            PasteResult::Whole => {}
            PasteResult::Cut => self.ctx.notify(format!("Truncated: this field holds at most {most} KiB")),
            PasteResult::Refused => self.ctx.notify(format!("Rejected: this field holds at most {most} KiB")),
        }
    }

    /// Returns the focused text field and its kind.
    pub(crate) fn text_field(&mut self) -> Option<(&mut dyn TextEdit, FieldKind)> {
        match self.overlays.last_mut() {
            Some(Overlay::Form(form)) if form.saving.is_none() => {
                let kind = if form.focus == FormField::Url { FieldKind::Pages } else { FieldKind::Secret };
                form.text_field().map(|field| (field, kind))
            }
            Some(Overlay::Dialog(dialog)) if dialog.must_type().is_some() => Some((&mut dialog.typed, FieldKind::Line)),
            Some(Overlay::Help(help)) => Some((&mut help.search, FieldKind::Line)),
            Some(Overlay::Palette(palette)) => Some((&mut palette.search, FieldKind::Line)),
            Some(Overlay::Key(field)) => Some((&mut *field, FieldKind::Secret)),
            Some(Overlay::Note(note) | Overlay::StateNote(StateNote { note, .. })) => {
                Some((note.field_mut(), FieldKind::Line))
            }
            Some(Overlay::ViewName(field) | Overlay::Search(ListSearch { field, .. })) => {
                Some((&mut *field, FieldKind::Line))
            }
            // Other overlays, and a form that is being saved, have no text field.
            Some(_) => None,
            None => self.reports.typing.then_some((&mut self.reports.filter_line, FieldKind::Line)),
        }
    }
}

/// Whether the field has reached its limit.
pub(crate) fn is_full(field: &dyn TextEdit, kind: FieldKind) -> bool {
    field.value().len() >= kind.most()
}

/// Inserts a text at the cursor, within the field's limit.
fn insert(field: &mut dyn TextEdit, text: &str, kind: FieldKind) -> PasteResult {
    let room = kind.most().saturating_sub(field.value().len());
    let fits = text.len() <= room;
    let part = match kind {
        _ if fits => text,
        FieldKind::Secret => "",
        FieldKind::Line => &text[..text.floor_char_boundary(room)],
        FieldKind::Pages => text[..text.floor_char_boundary(room)].rsplit_once('\n').map_or("", |(whole, _)| whole),
    };
    if !part.is_empty() {
        field.insert(part);
    }
    match (fits, part.is_empty()) {
        (true, _) => PasteResult::Whole,
        (false, false) => PasteResult::Cut,
        (false, true) => PasteResult::Refused,
    }
}

/// Makes a line of each line and of each cell of a table, trims line breaks at the end, and removes other control
/// characters.
fn lines(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r', '\t']).replace("\r\n", "\n").replace(['\r', '\t'], "\n");
    text.chars().filter(|character| *character == '\n' || !character.is_control()).collect()
}

fn one_line(text: &str) -> String {
    let line = text.trim_end_matches(['\r', '\n']).replace(['\r', '\n', '\t'], " ");
    line.chars().filter(|character| !character.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tui_input::Input as TextField;

    #[test]
    fn oversized_text_is_cut_only_where_its_field_allows() {
        let much = "ä".repeat(LINE);
        let mut field = TextField::new("ab".to_owned()).with_cursor(1);
        assert_eq!(insert(&mut field, &much, FieldKind::Line), PasteResult::Cut);
        assert_eq!((field.value().len(), is_full(&field, FieldKind::Line)), (LINE, true));
        assert!(field.value().starts_with("aä") && field.value().ends_with("äb"));
        assert_eq!(field.cursor(), field.value().chars().count() - 1);

        let mut field = TextField::default();
        assert_eq!(insert(&mut field, &much, FieldKind::Secret), PasteResult::Refused);
        assert_eq!(field.value(), "", "half a password is none");
        assert_eq!(insert(&mut field, &much[..LINE], FieldKind::Secret), PasteResult::Whole);

        let pages = "https://shop.example/tea\n".repeat(PAGES / 20);
        let mut field = TextField::default();
        assert_eq!(insert(&mut field, &pages, FieldKind::Pages), PasteResult::Cut);
        assert!(field.value().len() <= PAGES && field.value().lines().all(|line| line == "https://shop.example/tea"));
    }
}
