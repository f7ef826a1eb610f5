//! The field for a note, alone or below the triage states.

use tui_input::Input as TextField;

use crate::app::list_window::ListCursor;
use crate::domain::report::ReportId;

/// The field for a note.
#[derive(Debug, Clone)]
pub struct NoteField {
    /// The reports it is about: the marked ones, or the one under the cursor.
    pub ids: Vec<ReportId>,
    /// What they are called: a URL, or how many they are.
    pub about: String,
    /// What is typed.
    pub field: TextField,
}

/// The states with a field for a note: both are set at once.
#[derive(Debug)]
pub struct StateNote {
    /// The note, and the reports that it and the state are about.
    pub note: NoteField,
    /// The state under the cursor.
    pub cursor: ListCursor,
}
