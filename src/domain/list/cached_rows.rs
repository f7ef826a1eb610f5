//! What this machine stores about a service between two runs: the rows of the last list, and saved views.

use jiff::Timestamp;

use crate::domain::list::rows::Rows;
use crate::domain::triage::changes::ListScope;

/// The rows of the last list, or a part of them. Details and unknown fields are not stored and must be fetched again.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedRows {
    /// The rows in the order in which they came.
    pub rows: Rows,
    /// The query that they are a list of.
    pub scope: ListScope,
    /// When they were fetched; the screen shows their age.
    pub taken_at: Timestamp,
    /// The total that the service reported.
    pub total: Option<u64>,
    /// The next part of the list, if any.
    pub next: Option<CachedRowsPart>,
}

/// Identifies a part of a list's cached rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachedRowsPart {
    /// When the list was read; parts of another list are discarded.
    pub taken_at: Timestamp,
    /// The part number, from 0.
    pub number: u32,
}

/// A named view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// Its name.
    pub name: String,
    /// The view as [`view_line`](crate::domain::list::view_line) writes it.
    pub line: String,
}

/// A view before a change, and after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerView {
    /// Its name.
    pub name: String,
    /// Its line before; `None` if it did not exist.
    pub line: Option<String>,
    /// Its line after; `None` if it was deleted.
    pub replaced_by: Option<String>,
}
