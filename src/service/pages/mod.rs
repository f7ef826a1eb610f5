//! Report pages for people: their HTML, and who may open them.

pub mod access;
pub mod attempts;
pub mod findings;
pub mod html;
pub mod passwords;
