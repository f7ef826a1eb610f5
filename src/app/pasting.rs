//! Texts go into fields: what is pasted at once, and never more than a field has room for.
//!
//! A megabyte that was on the clipboard by mistake must neither hold the program up nor come to the service. Must not
//! know where a field stands.

use crate::app::App;
use crate::app::editable::Editable;
use crate::app::form::Field;
use crate::app::hidden;
use crate::app::overlay::Overlay;

/// Bytes that a line takes: a filter, a name.
const LINE: usize = 4 * 1024;
/// Bytes that a list of pages takes.
const PAGES: usize = 128 * 1024;

/// What a field is for, as far as it matters to what does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of it is better than nothing.
    Line,
    /// A part of it is worth nothing, and nobody would see that it is one.
    Secret,
    /// One page a line; a part of an address would be another page.
    Pages,
}

/// Whether a text had room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// All of it is there.
    Whole,
    /// The beginning of it is there.
    Cut,
    /// Nothing of it is there.
    Refused,
}

impl Kind {
    fn most(self) -> usize {
        match self {
            Self::Line => LINE,
            Self::Secret => hidden::MOST,
            Self::Pages => PAGES,
        }
    }
}

impl App {
    /// Takes a pasted text into the field that has the keyboard; elsewhere it means nothing. Line breaks never submit.
    pub(super) fn paste(&mut self, text: &str) {
        let in_form = matches!(self.overlays.last(), Some(Overlay::Form(_)));
        let Some((field, kind)) = self.text_field() else { return };
        // In a form line breaks stay: between pages, and in a password they are complained about when it is sent.
        let text = if in_form { lines(text) } else { one_line(text) };
        let fit = insert(field, &text, kind);
        self.tell_fit(fit, kind);
        if fit != Fit::Refused {
            self.text_edited();
        }
    }

    /// Says what did not fit.
    pub(super) fn tell_fit(&mut self, fit: Fit, kind: Kind) {
        let most = kind.most() / 1024;
        match fit {
            Fit::Whole => {}
            Fit::Cut => self.tell(format!("Cut: there is room for {most} KiB in this field")),
            Fit::Refused => self.tell(format!("Not taken: there is room for {most} KiB in this field")),
        }
    }

    /// The text field that has the keyboard, and what it is for.
    pub(super) fn text_field(&mut self) -> Option<(&mut dyn Editable, Kind)> {
        match self.overlays.last_mut() {
            Some(Overlay::Form(form)) if form.saving.is_none() => {
                let kind = if form.focus == Field::Url { Kind::Pages } else { Kind::Secret };
                form.text_field().map(|field| (field, kind))
            }
            Some(Overlay::Dialog(dialog)) if dialog.must_type().is_some() => Some((&mut dialog.typed, Kind::Line)),
            Some(Overlay::Help(help)) => Some((&mut help.search, Kind::Line)),
            Some(Overlay::Key(field)) => Some((&mut *field, Kind::Secret)),
            Some(Overlay::Note(note)) => Some((&mut note.field, Kind::Line)),
            Some(Overlay::ViewName(field)) => Some((&mut *field, Kind::Line)),
            Some(
                Overlay::Form(_)
                | Overlay::Dialog(_)
                | Overlay::Menu(_)
                | Overlay::Activity(_)
                | Overlay::Run(_)
                | Overlay::Queue(_)
                | Overlay::Since(_)
                | Overlay::Columns(_),
            ) => None,
            None => self.reports.typing.then_some((&mut self.reports.filter_line, Kind::Line)),
        }
    }
}

/// Whether a letter more is too much.
pub(super) fn is_full(field: &dyn Editable, kind: Kind) -> bool {
    field.value().len() >= kind.most()
}

/// Puts a text behind the cursor, as far as there is room.
fn insert(field: &mut dyn Editable, text: &str, kind: Kind) -> Fit {
    let room = kind.most().saturating_sub(field.value().len());
    let fits = text.len() <= room;
    let part = match kind {
        _ if fits => text,
        Kind::Secret => "",
        Kind::Line => &text[..text.floor_char_boundary(room)],
        Kind::Pages => text[..text.floor_char_boundary(room)].rsplit_once('\n').map_or("", |(whole, _)| whole),
    };
    if !part.is_empty() {
        field.insert(part);
    }
    match (fits, part.is_empty()) {
        (true, _) => Fit::Whole,
        (false, false) => Fit::Cut,
        (false, true) => Fit::Refused,
    }
}

/// Line breaks of every kind as one kind, none at the end, and nothing else that is no letter.
fn lines(text: &str) -> String {
    let text = text.trim_end_matches(['\n', '\r']).replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|character| *character == '\n' || !character.is_control()).collect()
}

fn one_line(text: &str) -> String {
    let line = text.replace(['\r', '\n', '\t'], " ");
    line.trim().chars().filter(|character| !character.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tui_input::Input as TextField;

    #[test]
    fn what_does_not_fit_is_cut_where_its_field_can_bear_it() {
        let much = "ä".repeat(LINE);
        let mut field = TextField::new("ab".to_owned()).with_cursor(1);
        assert_eq!(insert(&mut field, &much, Kind::Line), Fit::Cut);
        assert_eq!((field.value().len(), is_full(&field, Kind::Line)), (LINE, true));
        assert!(field.value().starts_with("aä") && field.value().ends_with("äb"));
        assert_eq!(field.cursor(), field.value().chars().count() - 1);

        let mut field = TextField::default();
        assert_eq!(insert(&mut field, &much, Kind::Secret), Fit::Refused);
        assert_eq!(field.value(), "", "half a password is none");
        assert_eq!(insert(&mut field, &much[..LINE], Kind::Secret), Fit::Whole);

        let pages = "https://shop.example/tea\n".repeat(PAGES / 20);
        let mut field = TextField::default();
        assert_eq!(insert(&mut field, &pages, Kind::Pages), Fit::Cut);
        assert!(field.value().len() <= PAGES && field.value().lines().all(|line| line == "https://shop.example/tea"));
    }
}
