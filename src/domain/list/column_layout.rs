//! Which columns a table shows, in which order and how wide.

use std::collections::BTreeMap;

use crate::domain::list::columns::{COLUMNS, Column, ColumnEntry};
use crate::domain::list::query::Direction;

/// The person's choice of columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnLayout {
    /// The columns in their order; `None` for the default ones.
    pub shown: Option<Vec<Column>>,
    /// Widths in cells that differ from the usual ones. The URL takes what is left, whatever it is.
    pub widths: BTreeMap<Column, u16>,
}

/// The default columns of a list in this order.
pub fn default_columns((sorted, _): (Column, Direction), within_a_project: bool) -> Vec<Column> {
    let is_usual = |entry: &&ColumnEntry| match entry.column {
        Column::Result | Column::Url | Column::GeneratedAt | Column::Privacy | Column::Failed => true,
        // Within one project its name says nothing new.
        Column::Project => !within_a_project,
        // The result shows the score already; the id is in the report pane.
        Column::Score | Column::Id | Column::Work | Column::State => entry.column == sorted,
    };
    COLUMNS.iter().filter(is_usual).map(|entry| entry.column).collect()
}
