//! The note field, alone or below the triage states.

use jiff::Timestamp;
use tui_input::Input as TextField;

use crate::app::list_window::ListCursor;
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::Note;

/// A note being written: a new one, or an edit of an earlier one.
#[derive(Debug, Clone)]
pub struct NoteEntry {
    /// When the edited note was written; `None` for a new one.
    pub written_at: Option<Timestamp>,
    /// The stored text; empty for a new note.
    pub stored: Text,
    /// The typed text.
    pub field: TextField,
}

impl NoteEntry {
    /// Creates a new note, prefilled from its draft.
    pub fn new(draft: Option<&str>) -> Self {
        let field = TextField::new(draft.unwrap_or_default().to_owned());
        Self { written_at: None, stored: Text::from_outside(String::new()), field }
    }

    /// Creates an edit of a note, prefilled from its draft.
    pub fn of(note: &Note, draft: Option<&str>) -> Self {
        let field = TextField::new(draft.unwrap_or(note.text.raw()).to_owned());
        Self { written_at: Some(note.written_at), stored: note.text.clone(), field }
    }

    /// Whether saving would change anything.
    pub fn is_changed(&self) -> bool {
        self.field.value().trim() != self.stored.raw()
    }
}

/// The field for notes.
#[derive(Debug, Clone)]
pub struct NoteField {
    /// The reports concerned: the marked ones, or the one under the cursor.
    pub ids: Vec<ReportId>,
    /// Their description: a URL, or their number.
    pub about: String,
    /// The new note, followed by the report's earlier notes, latest first. For several reports, only the new note.
    pub entries: Vec<NoteEntry>,
    /// The entry being edited.
    pub cursor: ListCursor,
}

impl NoteField {
    /// The entry being edited.
    pub fn entry(&self) -> &NoteEntry {
        &self.entries[self.at()]
    }

    /// The text field of the entry being edited.
    pub fn field_mut(&mut self) -> &mut TextField {
        let at = self.at();
        &mut self.entries[at].field
    }

    /// The entry of the new note always exists.
    fn at(&self) -> usize {
        self.cursor.at.min(self.entries.len() - 1)
    }
}

/// Triage states with a note field; both are set together.
#[derive(Debug)]
pub struct StateNote {
    /// The note, and the reports concerned.
    pub note: NoteField,
    /// The state under the cursor.
    pub cursor: ListCursor,
}
