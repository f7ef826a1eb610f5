//! Checks that read the parsed page.

pub(in crate::audit) mod accessibility;
pub(in crate::audit) mod broken;
pub(in crate::audit) mod content;
pub(in crate::audit) mod links;
pub(in crate::audit) mod loading;
pub(in crate::audit) mod markup;
mod scripts;
mod source_position;
mod vague_link_texts;
