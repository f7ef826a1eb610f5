//! Drafts: text typed but not sent, and confirmed deletions that are still pending. Never holds a password.

use serde::{Deserialize, Serialize};

use crate::domain::report::ReportId;

/// What a draft belongs to. The journal stores it as text: `new`, `edit:ID`, `many`, `note:ID`, `notes`,
/// `note MILLISECOND:ID`, `delete project:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(into = "String", from = "String")]
pub enum DraftKey {
    /// The form for new reports.
    #[strum(to_string = "new")]
    NewReport,
    /// The form that edits this report, by its raw id.
    #[strum(to_string = "edit:{0}")]
    EditReport(String),
    /// The form that sets the privacy of the selected reports.
    #[strum(to_string = "many")]
    EditSelected,
    /// A new note about this report, by its raw id.
    #[strum(to_string = "note:{0}")]
    Note(String),
    /// An edit of a note: when the note was written, in milliseconds since 1970, and the raw id of its report.
    #[strum(to_string = "note {0}:{1}")]
    EditNote(i64, String),
    /// A new note about the selected reports.
    #[strum(to_string = "notes")]
    SharedNote,
    /// The confirmed, still pending deletion of this project, by its raw name.
    #[strum(to_string = "delete project:{0}")]
    DeleteProject(String),
}

impl DraftKey {
    /// Returns the key for a new note on these reports.
    pub fn note(ids: &[ReportId]) -> Self {
        if let [id] = ids { Self::Note(id.raw().to_owned()) } else { Self::SharedNote }
    }
}

impl From<DraftKey> for String {
    fn from(key: DraftKey) -> Self {
        key.to_string()
    }
}

impl From<String> for DraftKey {
    /// Parses what [`DraftKey`]'s `Display` writes. Any other text is the draft of a new report.
    fn from(text: String) -> Self {
        match text.split_once(':') {
            Some(("edit", id)) => Self::EditReport(id.to_owned()),
            Some(("note", id)) => Self::Note(id.to_owned()),
            Some(("delete project", name)) => Self::DeleteProject(name.to_owned()),
            Some((key, id)) if let Some(Ok(written_at)) = key.strip_prefix("note ").map(str::parse) => {
                Self::EditNote(written_at, id.to_owned())
            }
            None if text == "many" => Self::EditSelected,
            None if text == "notes" => Self::SharedNote,
            None | Some(_) => Self::NewReport,
        }
    }
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// What it belongs to.
    #[serde(rename = "form")]
    pub key: DraftKey,
    /// The URL field with its line breaks, the text of a note, or the name of a project.
    #[serde(rename = "url")]
    pub text: String,
    /// The index of the chosen privacy, if one was chosen.
    pub privacy: Option<u8>,
    /// Whether a re-run was chosen.
    pub rerun: bool,
}

impl Draft {
    /// Creates a draft that consists of a text only.
    pub fn of_text(key: DraftKey, text: impl Into<String>) -> Self {
        Self { key, text: text.into(), privacy: None, rerun: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_stored_as_text_and_read_again() {
        let keys = [
            (DraftKey::NewReport, "new"),
            (DraftKey::EditReport("a:b".into()), "edit:a:b"),
            (DraftKey::EditSelected, "many"),
            (DraftKey::Note("7".into()), "note:7"),
            (DraftKey::EditNote(12, "7:8".into()), "note 12:7:8"),
            (DraftKey::SharedNote, "notes"),
            (DraftKey::DeleteProject("shop: a".into()), "delete project:shop: a"),
        ];
        for (key, text) in keys {
            assert_eq!(key.to_string(), text);
            assert_eq!(DraftKey::from(text.to_owned()), key);
        }
    }

    #[test]
    fn a_draft_of_an_earlier_version_is_read() {
        let stored = r#"{"form":"edit:7","url":"shop.example","privacy":1,"rerun":true}"#;
        let draft: Draft = serde_json::from_str(stored).unwrap();
        assert_eq!(
            (draft.key.to_string(), draft.text.as_str(), draft.rerun),
            ("edit:7".to_owned(), "shop.example", true)
        );
        assert_eq!(serde_json::to_string(&draft).unwrap(), stored);
    }
}
