//! Report pages for people: their HTML, passwords and signed links.

pub mod access;
pub mod attempts;
pub mod findings;
pub mod html;
#[allow(dead_code, unused_imports)] // the page takes its texts from here in the next commits
pub mod language;
pub mod passwords;
