//! Report pages for people: HTML, passwords and signed links.

pub mod access;
pub mod attempts;
pub mod html;
pub mod language;
pub mod passwords;
pub mod report;
