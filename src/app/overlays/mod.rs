//! Overlays: forms, dialogs, menus, help, lists. They form a stack; the one on top has the keyboard.

pub mod dialog;
pub mod form;
pub mod help;
pub mod note;
pub mod palette;
pub mod queue;

use std::borrow::Cow;
use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::list_window::CursorMove;
pub use crate::app::list_window::ListCursor;
use crate::app::overlays::dialog::Dialog;
use crate::app::overlays::form::Form;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::help::Help;
use crate::app::overlays::note::{NoteField, StateNote};
use crate::app::overlays::palette::CommandPalette;
use crate::app::overlays::queue::TriageQueue;
use crate::domain::bulk::BulkOperation;
use crate::domain::desk::{ChangeId, Handle};
use crate::domain::export::FileFormat;
use crate::domain::export::request::CopyFormat;
use crate::domain::export::request::ExportRequest;
use crate::domain::list::columns::Column;
use crate::domain::message::MessageTarget;
use crate::domain::report::ReportId;
use crate::input::Action;

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A form.
    Form(Box<Form>),
    /// A dialog.
    Dialog(Box<Dialog>),
    /// A menu.
    Menu(Menu),
    /// The help page.
    Help(Help),
    /// The command palette.
    Palette(CommandPalette),
    /// What was done, the latest first.
    History(ListCursor),
    /// The list of requests, newest first.
    Activity(ListCursor),
    /// The field for an API key.
    Key(SecretInput),
    /// The list of a run.
    Run(ListCursor),
    /// The field for a note.
    Note(NoteField),
    /// The triage states with a field for a note.
    StateNote(StateNote),
    /// The field for the name of a view.
    ViewName(TextField),
    /// The queue of open reports.
    Queue(TriageQueue),
    /// What changed since the last look.
    Changes(ListCursor),
    /// The columns of the table.
    Columns(ListCursor),
    /// The overview of the list.
    Overview(ListCursor),
    /// What the bad reports share.
    Causes(ListCursor),
}

/// What choosing a row of a menu does.
#[derive(Debug, Clone)]
pub enum MenuChoice {
    /// Sort by this column.
    Sort(Column),
    /// Put this term into the filter.
    Term(String),
    /// Perform this action.
    Do(Action),
    /// Plan this for the marked reports.
    Bulk(BulkOperation),
    /// Ask for the password of the marked reports.
    BulkPassword,
    /// Show the list of the run.
    ShowRun,
    /// Switch to this profile.
    Profile(Option<String>),
    /// Give these reports to a person, or to nobody.
    Assign(Vec<ReportId>, Option<Handle>),
    /// Keep what is on the desk, or (`true`) send what was decided here again.
    Resolve(ChangeId, bool),
    /// Nothing: the row is information.
    Nothing,
    /// Copy this of these.
    Copy(CopyFormat, Arc<ExportRequest>),
    /// Choose where a message about these goes.
    Message(Arc<ExportRequest>),
    /// Write a message about these.
    SendMessage(MessageTarget, Arc<ExportRequest>),
    /// Write this as a file of this format.
    Export(FileFormat, Arc<ExportRequest>),
}

/// A menu.
#[derive(Debug)]
pub struct Menu {
    /// What it is about.
    pub title: Cow<'static, str>,
    /// Its rows: what they say and what they do.
    pub rows: Vec<(String, MenuChoice)>,
    /// The row under the cursor.
    pub cursor: ListCursor,
}

impl Overlay {
    /// Scrolls a dialog. In a field nothing moves, and lists have their own cursor.
    pub(crate) fn scroll(&mut self, movement: CursorMove, fit: usize) {
        if let Self::Dialog(dialog) = self {
            dialog.scroll(movement, fit);
        }
    }

    /// Updates what depends on the text that was edited.
    pub(crate) fn text_edited(&mut self) {
        if let Self::Form(form) = self {
            form.text_edited();
        } else if let Self::Dialog(dialog) = self {
            dialog.typed_changed();
        } else if let Self::Help(help) = self {
            help.at = 0;
        } else if let Self::Palette(palette) = self {
            palette.cursor = ListCursor::default();
        }
    }

    /// The queue, if it is one.
    pub(crate) fn queue(&self) -> Option<&TriageQueue> {
        if let Self::Queue(queue) = self { Some(queue) } else { None }
    }

    /// The queue, to be changed.
    pub(crate) fn queue_mut(&mut self) -> Option<&mut TriageQueue> {
        if let Self::Queue(queue) = self { Some(queue) } else { None }
    }
}

/// The form of a stack of overlays, if one is open.
pub(crate) fn form_in(overlays: &mut [Overlay]) -> Option<&mut Form> {
    overlays.iter_mut().find_map(|overlay| if let Overlay::Form(form) = overlay { Some(&mut **form) } else { None })
}
