//! Report pages for people: their HTML, passwords and signed links.

pub mod access;
pub mod attempts;
pub mod findings;
pub mod html;
pub mod passwords;
