//! Which columns a table shows, in which order and how wide.

use std::collections::BTreeMap;

use crate::domain::list::columns::{COLUMNS, Column};
use crate::domain::list::query::Direction;

/// The person's choice of columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnLayout {
    /// The columns in their order; `None` for the default ones.
    pub shown: Option<Vec<Column>>,
    /// Widths in cells that differ from the usual ones. The URL takes what is left, whatever it is.
    pub widths: BTreeMap<Column, u16>,
}

/// The default columns of a list in this order. States have a column where there are any.
pub fn default_columns((sorted, _): (Column, Direction), within_a_project: bool, has_states: bool) -> Vec<Column> {
    let is_usual = |column: &Column| match column {
        Column::Result | Column::Url | Column::GeneratedAt | Column::Privacy | Column::Failed => true,
        // Within one project its name says nothing new.
        Column::Project => !within_a_project,
        Column::State => has_states || *column == sorted,
        // The result shows the score already; the id is in the report pane.
        Column::Score | Column::Id | Column::Work => *column == sorted,
    };
    // A state stands beside the result: before a time it would be read as its duration.
    let others =
        COLUMNS.iter().map(|entry| entry.column).filter(|column| !matches!(column, Column::Result | Column::State));
    [Column::Result, Column::State].into_iter().chain(others).filter(is_usual).collect()
}
