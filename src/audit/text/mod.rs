//! Keywords and languages of text, and language tags.

pub(in crate::audit) mod accents;
pub(in crate::audit) mod keywords;
pub(in crate::audit) mod language_guess;
pub(in crate::audit) mod language_tag;
