//! Overlays: forms, dialogs, menus, help, lists. They form a stack; the topmost has the keyboard.

pub mod dialog;
pub mod form;
pub mod help;
pub mod note;
pub mod palette;

use std::sync::Arc;

use tui_input::Input as TextField;

pub use crate::app::list_window::ListCursor;
use crate::app::overlays::dialog::Dialog;
use crate::app::overlays::form::Form;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::help::Help;
use crate::app::overlays::note::{NoteField, StateNote};
use crate::app::overlays::palette::CommandPalette;
use crate::domain::bulk::{BulkOperation, BulkTargets};
use crate::domain::desk::{ChangeId, Handle};
use crate::domain::export::FileFormat;
use crate::domain::export::request::{CopyFormat, ExportRequest};
use crate::domain::list::columns::Column;
use crate::domain::message::MessageTarget;
use crate::domain::report::ReportId;
use crate::input::Action;

/// The notice if the line under the cursor of a list leads nowhere.
pub(crate) const NOTHING_TO_OPEN: &str = "Nothing to open on this line";

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
    /// The history of actions, latest first.
    History(ListCursor),
    /// The list of requests, newest first.
    Activity(ListCursor),
    /// The field for an API key.
    Key(SecretInput),
    /// The items of a bulk run.
    Run(ListCursor),
    /// The note field.
    Note(NoteField),
    /// The triage states with a note field.
    StateNote(StateNote),
    /// The field for a view's name.
    ViewName(TextField),
    /// The queue of open reports.
    Queue(TriageQueue),
    /// The changes since the last look.
    Changes(ListCursor),
    /// The columns of the table.
    Columns(ListCursor),
    /// The overview of the list.
    Overview(ListCursor),
    /// The common causes of bad reports.
    Causes(ListCursor),
    /// The search field for the list below it.
    Search(ListSearch),
}

/// The action of a menu row.
#[derive(Debug, Clone)]
pub enum MenuChoice {
    /// Sort by this column.
    Sort(Column),
    /// Add this term to the filter.
    Term(String),
    /// Perform this action.
    Do(Action),
    /// Plan this operation for these reports.
    Bulk(BulkOperation, Arc<BulkTargets>),
    /// Ask for a password for these reports.
    BulkPassword(Arc<BulkTargets>),
    /// Show the items of the bulk run.
    ShowRun,
    /// Switch to this profile.
    Profile(Option<String>),
    /// Assign these reports to a person, or to nobody.
    Assign(Vec<ReportId>, Option<Handle>),
    /// Hand over these reports, as far as the user still holds them, to a person, or to nobody.
    HandOver(Vec<ReportId>, Option<Handle>),
    /// Resolve these conflicts: keep the desk's rows, or (`true`) resend the user's decisions.
    Resolve(Vec<ChangeId>, bool),
    /// Leave a conflict for later.
    Postpone(ChangeId),
    /// None: the row is informational.
    Nothing,
    /// Copy these reports in this format.
    Copy(CopyFormat, Arc<ExportRequest>),
    /// Choose the delivery target of a message about these reports.
    Message(Arc<ExportRequest>),
    /// Write a message about these reports.
    SendMessage(MessageTarget, Arc<ExportRequest>),
    /// Export these reports in this format.
    Export(FileFormat, Arc<ExportRequest>),
}

/// A menu.
#[derive(Debug)]
pub struct Menu {
    /// The title.
    pub title: String,
    /// The rows: label and choice.
    pub rows: Vec<(String, MenuChoice)>,
    /// The row under the cursor.
    pub cursor: ListCursor,
}

/// A search in a list.
#[derive(Debug)]
pub struct ListSearch {
    /// The search text.
    pub field: TextField,
    /// The line where the search began.
    pub from: usize,
}

/// Reports to be processed one by one.
#[derive(Debug)]
pub struct TriageQueue {
    /// Report ids, most urgent first.
    pub ids: Vec<ReportId>,
    /// How many reports needed work when it opened; the queue holds the most urgent of them.
    pub of: usize,
    /// How many more are open but held by others.
    pub with_others: usize,
    /// The index of the current report.
    pub at: usize,
}

impl Overlay {
    /// Returns the cursor of a list.
    pub(crate) fn cursor_mut(&mut self) -> Option<&mut ListCursor> {
        match self {
            Self::Menu(menu) => Some(&mut menu.cursor),
            Self::Palette(palette) => Some(&mut palette.cursor),
            Self::Help(help) => Some(&mut help.cursor),
            Self::Note(note) => Some(&mut note.cursor),
            Self::StateNote(state) => Some(&mut state.cursor),
            Self::History(cursor)
            | Self::Activity(cursor)
            | Self::Run(cursor)
            | Self::Changes(cursor)
            | Self::Columns(cursor)
            | Self::Overview(cursor)
            | Self::Causes(cursor) => Some(cursor),
            Self::Form(_) | Self::Dialog(_) | Self::Key(_) | Self::ViewName(_) | Self::Queue(_) | Self::Search(_) => {
                None
            }
        }
    }

    /// Updates everything that depends on the edited text.
    pub(crate) fn text_edited(&mut self) {
        if let Self::Form(form) = self {
            form.text_edited();
        } else if let Self::Dialog(dialog) = self {
            // The confirming button has the focus once the text is complete.
            dialog.is_confirm_focused = dialog.can_confirm();
        } else if let Self::Help(help) = self {
            help.cursor = ListCursor::default();
        } else if let Self::Palette(palette) = self {
            palette.cursor = ListCursor::default();
        }
    }

    /// Returns the note field, if it has one.
    pub(crate) fn note(&self) -> Option<&NoteField> {
        if let Self::Note(note) | Self::StateNote(StateNote { note, .. }) = self { Some(note) } else { None }
    }
}

/// Returns the cursors of the open lists of a kind.
pub(crate) fn cursors(
    overlays: &mut [Overlay],
    is_kind: fn(&Overlay) -> bool,
) -> impl Iterator<Item = &mut ListCursor> {
    overlays.iter_mut().filter(move |overlay| is_kind(overlay)).filter_map(Overlay::cursor_mut)
}

/// Returns the open form of a stack of overlays, if any.
pub(crate) fn form_in(overlays: &mut [Overlay]) -> Option<&mut Form> {
    overlays.iter_mut().find_map(|overlay| if let Overlay::Form(form) = overlay { Some(&mut **form) } else { None })
}
