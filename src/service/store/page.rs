//! One page of a list: its start, its rows, and the start of the next page.
//!
//! A page after a row is found by the row's sort key and id (keyset pagination), at the same cost at any depth. A
//! numbered page counts rows from the beginning of the list (`OFFSET`).

use serde::{Deserialize, Serialize};

/// The value that a row is sorted by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PositionKey {
    /// An id, a time or a result's rank.
    Number(i64),
    /// A URL or a name.
    Text(String),
}

/// The position of a row in a list. The id breaks ties, so no two rows share a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPosition {
    /// The value of the column that the list is sorted by.
    pub key: PositionKey,
    /// The row's id.
    pub id: i64,
}

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageStart {
    /// After this number of rows.
    Offset(i64),
    /// After this position, whether or not its row still exists.
    After(RowPosition),
}

/// The part of a list to read.
#[derive(Debug, Clone)]
pub struct PageWindow {
    /// Where the part begins.
    pub start: PageStart,
    /// The most rows.
    pub limit: u16,
}

/// One page of a list.
#[derive(Debug)]
pub struct ListPage<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The number of rows in the whole list. `None` for a search continued after a row, where it would require
    /// counting.
    pub total: Option<i64>,
    /// The position of the last row, if more rows follow.
    pub next: Option<RowPosition>,
}

impl<T> ListPage<T> {
    /// Returns a page without rows, of a list with `total` rows.
    pub fn empty(total: i64) -> Self {
        Self { rows: Vec::new(), total: Some(total), next: None }
    }
}
