//! The stack of overlays: keyboard context, the list on top, the open form.

use std::borrow::Cow;

use crate::app::App;
use crate::app::overlays::form::{Form, FormField};
use crate::app::overlays::{ListCursor, Menu, MenuChoice, Overlay, form_in};
use crate::app::triage::notes::STATES;
use crate::domain::list::columns::COLUMNS;
use crate::input::context::Context;

impl App {
    /// Returns the cursor and row count of the list on top, if there is one.
    pub(crate) fn list_on_top(&mut self) -> Option<(&mut ListCursor, usize)> {
        let (activity, changes) = (self.ctx.activity.len(), self.triage.changes.line_count());
        let items = self.jobs.bulk.as_ref().map_or(0, |bulk| bulk.run.items.len());
        let logged = self.log.lines.len();
        let palette_rows = self.palette_rows().len();
        match self.overlays.last_mut()? {
            Overlay::Menu(menu) => Some((&mut menu.cursor, menu.rows.len())),
            Overlay::Palette(palette) => Some((&mut palette.cursor, palette_rows)),
            Overlay::Note(note) => Some((&mut note.cursor, note.entries.len())),
            Overlay::StateNote(state) => Some((&mut state.cursor, STATES.len())),
            Overlay::History(cursor) => Some((cursor, logged)),
            Overlay::Activity(cursor) => Some((cursor, activity)),
            Overlay::Run(cursor) => Some((cursor, items)),
            Overlay::Changes(cursor) => Some((cursor, changes)),
            Overlay::Columns(cursor) => Some((cursor, COLUMNS.len())),
            Overlay::Form(_)
            | Overlay::Dialog(_)
            | Overlay::Key(_)
            | Overlay::ViewName(_)
            | Overlay::Queue(_)
            | Overlay::Help(_)
            | Overlay::Overview(_)
            | Overlay::Causes(_) => None,
        }
    }

    /// Returns the keyboard context. Derived from the state, never from the last frame.
    pub fn context(&self) -> Context {
        match self.overlays.last() {
            Some(Overlay::Form(form)) if matches!(form.focus, FormField::Url | FormField::Password) => {
                Context::FormText
            }
            Some(Overlay::Form(_)) => Context::FormChoice,
            Some(Overlay::Dialog(dialog)) if dialog.must_type().is_some() => Context::DialogText,
            Some(Overlay::Dialog(_)) => Context::Dialog,
            Some(Overlay::Menu(_)) => Context::Menu,
            Some(Overlay::Note(_) | Overlay::StateNote(_)) => Context::NoteField,
            Some(Overlay::Help(_)) => Context::Help,
            Some(Overlay::Palette(_)) => Context::Palette,
            Some(Overlay::History(_)) => Context::History,
            Some(Overlay::Activity(_)) => Context::Activity,
            Some(Overlay::Key(_)) => Context::KeyField,
            Some(Overlay::Run(_)) => Context::Run,
            Some(Overlay::ViewName(_)) => Context::KeyField,
            Some(Overlay::Queue(_)) => Context::Queue,
            Some(Overlay::Changes(_)) => Context::Changes,
            Some(Overlay::Columns(_)) => Context::Columns,
            Some(Overlay::Overview(_)) => Context::Overview,
            Some(Overlay::Causes(_)) => Context::Causes,
            None if self.reports.typing => Context::FilterLine,
            None => Context::Panes,
        }
    }

    /// Opens a menu with the cursor on row `at`.
    pub(crate) fn open_menu(
        &mut self,
        title: impl Into<Cow<'static, str>>,
        rows: Vec<(String, MenuChoice)>,
        at: usize,
    ) {
        let cursor = ListCursor { at, ..ListCursor::default() };
        self.overlays.push(Overlay::Menu(Menu { title: title.into(), rows, cursor }));
    }

    /// Returns the open form, if any.
    pub fn form(&self) -> Option<&Form> {
        self.overlays.iter().find_map(|overlay| if let Overlay::Form(form) = overlay { Some(&**form) } else { None })
    }

    pub(crate) fn form_mut(&mut self) -> Option<&mut Form> {
        form_in(&mut self.overlays)
    }

    /// Closes the form wherever it is in the stack, and all dialogs.
    pub(crate) fn close_form(&mut self) {
        self.overlays.retain(|overlay| !matches!(overlay, Overlay::Form(_)));
    }
}
