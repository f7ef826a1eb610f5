//! The stack of overlays: keyboard context, the list on top, the open form.

use crate::app::App;
use crate::app::list_window::block_starts;
use crate::app::overlays::form::{Form, FormField};
use crate::app::overlays::{ListCursor, Menu, MenuChoice, Overlay, form_in};
use crate::app::triage::notes::STATES;
use crate::domain::list::columns::COLUMNS;
use crate::input::context::Context;

impl App {
    /// Returns the cursor and row count of the list on top, if there is one. A search field belongs to the list below.
    pub(crate) fn list_on_top(&mut self) -> Option<(&mut ListCursor, usize)> {
        let is_list = |overlay: &Overlay| !matches!(overlay, Overlay::Search(_));
        let at = self.overlays.iter().rposition(is_list)?;
        let count = match &self.overlays[at] {
            Overlay::Menu(menu) => menu.rows.len(),
            Overlay::Palette(_) => self.palette_rows().len(),
            Overlay::Note(note) => note.entries.len(),
            Overlay::StateNote(_) => STATES.len(),
            Overlay::History(_) => self.log.lines.len(),
            Overlay::Activity(_) => self.ctx.activity.len(),
            Overlay::Run(_) => self.jobs.bulk.as_ref().map_or(0, |bulk| bulk.run.items.len()),
            Overlay::Changes(_) => self.triage.changes.line_count(),
            Overlay::Columns(_) => COLUMNS.len(),
            Overlay::Overview(_) => self.overview_lines().len(),
            Overlay::Causes(_) => self.cause_lines().len(),
            Overlay::Help(help) => help.entries(&self.ctx.keymap).len(),
            Overlay::Form(_)
            | Overlay::Dialog(_)
            | Overlay::Key(_)
            | Overlay::ViewName(_)
            | Overlay::Queue(_)
            | Overlay::Search(_) => return None,
        };
        Some((self.overlays[at].cursor_mut()?, count))
    }

    /// Whether the overlay on top consists of blocks.
    pub(crate) fn has_blocks_on_top(&self) -> bool {
        matches!(self.overlays.last(), Some(Overlay::Help(_) | Overlay::Overview(_) | Overlay::Causes(_)))
    }

    /// Moves to the next or previous block of the overlay on top, wrapping around.
    pub(crate) fn step_block(&mut self, forward: bool) {
        let starts = match self.overlays.last() {
            Some(Overlay::Overview(_)) => block_starts(&self.overview_lines()),
            Some(Overlay::Causes(_)) => block_starts(&self.cause_lines()),
            Some(Overlay::Help(help)) => help.group_starts(&self.ctx.keymap),
            Some(_) | None => return,
        };
        if let Some((cursor, _)) = self.list_on_top() {
            cursor.step_block(starts, forward);
        }
    }

    /// Moves the cursor of the list on top to a line, or picks the line if the cursor is there already. Picking ends a
    /// search.
    pub(crate) fn click_line(&mut self, line: usize) {
        if let Some((cursor, _)) = self.list_on_top()
            && std::mem::replace(&mut cursor.at, line) == line
        {
            self.overlays.pop_if(|overlay| matches!(overlay, Overlay::Search(_)));
            self.pick();
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
            Some(Overlay::Note(_) | Overlay::StateNote(_) | Overlay::Search(_)) => Context::PromptWithRows,
            Some(Overlay::Help(_)) => Context::Help,
            Some(Overlay::Palette(_)) => Context::Palette,
            Some(Overlay::History(_)) => Context::History,
            Some(Overlay::Activity(_)) => Context::Activity,
            Some(Overlay::Key(_) | Overlay::ViewName(_)) => Context::Prompt,
            Some(Overlay::Run(_)) => Context::Run,
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
    pub(crate) fn open_menu(&mut self, title: impl Into<String>, rows: Vec<(String, MenuChoice)>, at: usize) {
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

    /// Closes the overlays that list reports and would hide the panes.
    pub(crate) fn close_lists(&mut self) {
        let is_list = |overlay: &Overlay| {
            matches!(
                overlay,
                Overlay::History(_)
                    | Overlay::Overview(_)
                    | Overlay::Changes(_)
                    | Overlay::Causes(_)
                    | Overlay::Run(_)
                    | Overlay::Search(_)
            )
        };
        self.overlays.retain(|overlay| !is_list(overlay));
    }

    /// Closes the form, wherever it is in the stack.
    pub(crate) fn close_form(&mut self) {
        self.overlays.retain(|overlay| !matches!(overlay, Overlay::Form(_)));
    }
}
