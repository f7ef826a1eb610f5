//! Which columns a table shows, in which order and how wide.

use std::collections::BTreeMap;

use crate::domain::list::columns::{COLUMNS, Column};

/// The user's choice of columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnLayout {
    /// The columns in their order; `None` for the default ones.
    pub shown: Option<Vec<Column>>,
    /// Widths in cells that differ from the defaults. The URL column takes the remaining width regardless.
    pub widths: BTreeMap<Column, u16>,
}

/// The default columns of a list sorted by this column. The state column is shown if there are any states.
pub fn default_columns(sorted: Column, within_a_project: bool, has_states: bool) -> Vec<Column> {
    let is_usual = |column: &Column| match column {
        Column::Result | Column::Url | Column::GeneratedAt | Column::Privacy | Column::Failed => true,
        // Within one project its name is redundant.
        Column::Project => !within_a_project,
        Column::State => has_states || *column == sorted,
        // The result column already shows the score; the report pane shows the id.
        Column::Score | Column::Id | Column::Urgency => *column == sorted,
    };
    // The state goes beside the result: before a time it would read like a duration.
    let others =
        COLUMNS.iter().map(|entry| entry.column).filter(|column| !matches!(column, Column::Result | Column::State));
    [Column::Result, Column::State].into_iter().chain(others).filter(is_usual).collect()
}
