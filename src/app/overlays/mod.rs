//! Overlays: forms, dialogs, menus, help, lists. They form a stack; the one on top has the keyboard.

pub mod queue;

pub mod note;

pub mod dialog;
pub mod form;

use std::borrow::Cow;
use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::list_window::{CursorMove, ListWindow};
use crate::app::overlays::dialog::Dialog;
use crate::app::overlays::form::Form;
use crate::app::overlays::form::secret_input::SecretInput;
use crate::app::overlays::note::NoteField;
use crate::app::overlays::queue::TriageQueue;
use crate::domain::bulk::BulkOperation;
use crate::domain::export::FileFormat;
use crate::domain::export::request::CopyFormat;
use crate::domain::export::request::ExportRequest;
use crate::domain::list::cached_rows::SavedView;
use crate::domain::list::columns::Column;
use crate::domain::report::ReportId;
use crate::domain::triage::causes::filters::CauseFilter;
use crate::domain::triage::state_choice::StateChoice;
use crate::input::Action;
use crate::input::bindings::KeyGroup;
use crate::input::context::KeyScope;
use crate::input::keymap::{ActiveBinding, Keymap};

/// An overlay.
#[derive(Debug)]
pub enum Overlay {
    /// A form.
    Form(Box<Form>),
    /// A dialog.
    Dialog(Box<Dialog>),
    /// A menu.
    Menu(Menu),
    /// The searchable list of keys.
    Help(Help),
    /// The list of requests, newest first.
    Activity(ListCursor),
    /// The field for an API key.
    Key(SecretInput),
    /// The list of a run.
    Run(ListCursor),
    /// The field for a note.
    Note(NoteField),
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
}

/// A cursor in a list whose rows are derived.
#[derive(Debug, Default)]
pub struct ListCursor {
    /// The row.
    pub at: usize,
    /// The rows on the screen.
    pub window: ListWindow,
}

impl ListCursor {
    /// Moves within `count` rows.
    pub fn go(&mut self, movement: CursorMove, count: usize, fit: usize) {
        self.at = movement.from(self.at, count, fit);
        self.window.follow(self.at, count, fit);
    }
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
    /// Give this state.
    State(StateChoice),
    /// Plan this for the marked reports.
    Bulk(BulkOperation),
    /// Ask for the password of the marked reports.
    BulkPassword,
    /// Show the list of the run.
    ShowRun,
    /// Show the reports that share something.
    CauseFilter(CauseFilter),
    /// Ask for the checks of these reports.
    FetchChecks(Vec<ReportId>),
    /// Switch to this profile.
    Profile(Option<String>),
    /// Nothing: the row is information.
    Nothing,
    /// Copy this of these.
    Copy(CopyFormat, Arc<ExportRequest>),
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

/// The searchable list of keys.
#[derive(Debug, Default)]
pub struct Help {
    /// What is searched for.
    pub search: TextField,
    /// The row under the cursor.
    pub cursor: ListCursor,
}

/// A row of the list of keys.
#[derive(Debug, Clone)]
pub enum HelpRow {
    /// A key and what it does.
    Binding(ActiveBinding),
    /// Save the present view under this name.
    SaveView(String),
    /// Show this view.
    ShowView(SavedView),
}

impl Help {
    /// The matches of the search: every word must be in the action's name, keys or help, or in the name of a view. `save x`
    /// saves a view.
    pub fn rows(&self, views: &[SavedView], keymap: &Keymap) -> Vec<HelpRow> {
        let typed = self.search.value();
        let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let fits = |text: &str| words.iter().all(|word| text.contains(word));
        let describes = |bound: &&ActiveBinding| {
            let binding = bound.binding;
            let name = binding.action.name().replace('_', " ");
            fits(&format!("{name} {} {} {}", binding.hint, binding.help, bound.keys_shown()).to_lowercase())
        };
        let is_listed = |bound: &&ActiveBinding| bound.binding.scope != KeyScope::RowsBesideText;
        let mut bindings: Vec<&ActiveBinding> = keymap.bound().iter().filter(is_listed).filter(describes).collect();
        bindings.sort_by_key(|bound| rank(bound.binding.group));
        let name = typed.strip_prefix("save ").map(str::trim).filter(|name| !name.is_empty());
        let views = views.iter().filter(|view| fits(&format!("view {}", view.name.to_lowercase())));
        let mut rows: Vec<HelpRow> = name.map(|name| HelpRow::SaveView(name.to_owned())).into_iter().collect();
        let (views, bindings) =
            (views.cloned().map(HelpRow::ShowView), bindings.into_iter().cloned().map(HelpRow::Binding));
        if typed.starts_with("view ") {
            rows.extend(views.chain(bindings));
        } else {
            rows.extend(bindings.chain(views));
        }
        rows
    }
}

fn rank(group: KeyGroup) -> usize {
    match group {
        KeyGroup::Reports => 0,
        KeyGroup::Many => 1,
        KeyGroup::Showing => 2,
        KeyGroup::Moving => 3,
        KeyGroup::Program => 4,
        KeyGroup::Forms => 5,
    }
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
            help.cursor = ListCursor::default();
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
