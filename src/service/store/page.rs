//! One page of a list: where it begins, its rows, and where the next one begins.
//!
//! A page behind a row is found by the row's sort key and id (keyset paging), which costs the same at any depth. A numbered
//! page counts rows from the beginning of the list (`OFFSET`).

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

/// Where a row stands in a list. The id decides between rows with the same key, so no two rows share a position.
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
    /// Behind the row that stood here, whether it is still there or not.
    After(RowPosition),
}

/// Which part of a list to read.
#[derive(Debug, Clone)]
pub struct PageWindow {
    /// Where it begins.
    pub start: PageStart,
    /// The most rows it has.
    pub limit: u16,
}

/// One page of a list.
#[derive(Debug)]
pub struct ListPage<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The number of rows in the whole list. `None` where only counting would tell: a search entered behind a row.
    pub total: Option<i64>,
    /// The position of the last row, when other rows follow it.
    pub next: Option<RowPosition>,
}

impl<T> ListPage<T> {
    /// A page without rows, of a list with `total` rows.
    pub fn empty(total: i64) -> Self {
        Self { rows: Vec::new(), total: Some(total), next: None }
    }
}
