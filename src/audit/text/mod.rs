//! Keywords and language tags of a page's text.

pub(in crate::audit) mod keywords;
pub(in crate::audit) mod language_guess;
pub(in crate::audit) mod language_tag;
