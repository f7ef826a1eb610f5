//! The field for a note.

use tui_input::Input as TextField;

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
