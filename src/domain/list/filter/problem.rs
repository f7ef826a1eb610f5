//! What is wrong with a term of the filter, where it stands, and what was probably meant.

use std::ops::Range;

use crate::domain::text::clean;

/// A term that selects something else than it was probably meant to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterProblem {
    /// Where the term stands, in characters.
    pub place: Range<usize>,
    /// What is wrong, in one sentence without its full stop, for a person.
    pub text: String,
    /// The qualifier with its colon, or the value, that was probably meant.
    pub nearest: Option<String>,
}

impl FilterProblem {
    /// The problem in words, with what was probably meant.
    pub(super) fn new(place: Range<usize>, text: &str, nearest: Option<&str>) -> Self {
        let meant = nearest.map(|meant| format!("; did you mean {}?", clean(meant))).unwrap_or_default();
        Self { place, text: format!("{}{meant}", clean(text)), nearest: nearest.map(str::to_owned) }
    }
}
