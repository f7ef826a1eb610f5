//! What this machine stores of a service between two starts: the rows of the last list, and saved views.

use jiff::Timestamp;

use crate::domain::list::rows::Rows;
use crate::domain::triage::changes::ListScope;

/// The rows of the last list, or a part of them. They have no details and no fields unknown to the interface; the
/// service is asked for those again.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedRows {
    /// The rows in the order in which they came.
    pub rows: Rows,
    /// What they are a list of.
    pub scope: ListScope,
    /// When they came: what the screen shows as their age.
    pub taken_at: Timestamp,
    /// How many the service said there are.
    pub total: Option<u64>,
    /// Where the rows behind these are.
    pub next: Option<CachedRowsPart>,
}

/// A part of the cached rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachedRowsPart {
    /// When the list was read; parts of another list are dropped.
    pub taken_at: Timestamp,
    /// Which part, from 0.
    pub number: u32,
}

/// A view under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// Its name.
    pub name: String,
    /// The view as [`view_line`](crate::domain::list::view_line) writes it.
    pub line: String,
}
