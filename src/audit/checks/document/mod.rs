//! Checks that read the parsed page.

pub(in crate::audit) mod accessibility;
pub(in crate::audit) mod aria;
pub(in crate::audit) mod broken;
pub(in crate::audit) mod content;
pub(in crate::audit) mod links;
pub(in crate::audit) mod loading;
pub(in crate::audit) mod markup;
pub(in crate::audit) mod operation;
pub(in crate::audit) mod parts;
pub(in crate::audit) mod rich_results;
pub(in crate::audit) mod scripts;
pub(in crate::audit) mod software;
mod source_position;
pub(in crate::audit) mod text_language;
mod vague_link_texts;
