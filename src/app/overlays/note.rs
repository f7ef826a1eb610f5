//! The field for notes, alone or below the triage states.

use jiff::Timestamp;
use tui_input::Input as TextField;

use crate::app::list_window::ListCursor;
use crate::domain::report::ReportId;
use crate::domain::text::Text;
use crate::domain::triage::Note;

/// A text that is being written: a new note, or one that is being changed.
#[derive(Debug, Clone)]
pub struct NoteEntry {
    /// When the note was written; `None` for a new one.
    pub written_at: Option<Timestamp>,
    /// Its text as it is stored; empty for a new one.
    pub stored: Text,
    /// What is typed.
    pub field: TextField,
}

impl NoteEntry {
    /// A new note, with its draft.
    pub fn new(draft: Option<&str>) -> Self {
        let field = TextField::new(draft.unwrap_or_default().to_owned());
        Self { written_at: None, stored: Text::from_outside(String::new()), field }
    }

    /// A note that can be changed, with its draft.
    pub fn of(note: &Note, draft: Option<&str>) -> Self {
        let field = TextField::new(draft.unwrap_or(note.text.raw()).to_owned());
        Self { written_at: Some(note.written_at), stored: note.text.clone(), field }
    }

    /// Whether saving would change something.
    pub fn is_changed(&self) -> bool {
        self.field.value().trim() != self.stored.raw()
    }
}

/// The field for notes.
#[derive(Debug, Clone)]
pub struct NoteField {
    /// The reports it is about: the marked ones, or the one under the cursor.
    pub ids: Vec<ReportId>,
    /// What they are called: a URL, or how many they are.
    pub about: String,
    /// The new note, then those of the report, the latest first. Of several reports only the new note.
    pub entries: Vec<NoteEntry>,
    /// The entry that is being written.
    pub cursor: ListCursor,
}

impl NoteField {
    /// The entry that is being written.
    pub fn entry(&self) -> &NoteEntry {
        &self.entries[self.at()]
    }

    /// The text that is being written.
    pub fn field_mut(&mut self) -> &mut TextField {
        let at = self.at();
        &mut self.entries[at].field
    }

    /// There is always the entry of the new note.
    fn at(&self) -> usize {
        self.cursor.at.min(self.entries.len() - 1)
    }
}

/// The states with a field for a note: both are set at once.
#[derive(Debug)]
pub struct StateNote {
    /// The note, and the reports that it and the state are about.
    pub note: NoteField,
    /// The state under the cursor.
    pub cursor: ListCursor,
}
