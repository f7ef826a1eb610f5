//! What a person typed into a form and did not send. Never holds a password.

use serde::{Deserialize, Serialize};

/// The draft of one form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Which form: `new`, or `edit:` with the report's id.
    pub form: String,
    /// The URL field, line breaks included.
    pub url: String,
    /// The number of the chosen privacy, if one was chosen.
    pub privacy: Option<u8>,
    /// Whether a re-run was chosen.
    pub rerun: bool,
}
