//! Sort orders of lists, shared by both engines.

use super::page::{PositionKey, RowPosition};
use super::rows::{ProjectRow, ReportRow};
use crate::domain::list::query::{Direction, ProjectQuery, ProjectSort, ReportQuery, ReportSort};

/// The order of a list: by a column, then by id.
#[derive(Debug, Clone, Copy)]
pub struct ListOrder {
    /// The column; `id` sorts by id alone.
    pub column: &'static str,
    /// The direction of both.
    pub direction: Direction,
}

/// Returns the order of a report list. With a result filter, sorting by result is sorting by id.
pub fn of_reports(query: &ReportQuery) -> (ReportSort, ListOrder) {
    let (asked, direction) = query.sort.unwrap_or_default();
    let sort = if asked == ReportSort::Result && query.result.is_some() { ReportSort::Id } else { asked };
    // The names of sort keys in the API are the names of the columns.
    (sort, ListOrder { column: sort.name(), direction })
}

/// Returns the order of a project list.
pub fn of_projects(query: &ProjectQuery) -> (ProjectSort, ListOrder) {
    let (sort, direction) = query.sort.unwrap_or_default();
    let column = match sort {
        ProjectSort::CreatedAt => "created_at",
        ProjectSort::Name => "name",
    };
    (sort, ListOrder { column, direction })
}

/// Returns the position of a report in a list.
pub fn report_position(row: &ReportRow, sort: ReportSort) -> RowPosition {
    let key = match sort {
        ReportSort::Id => PositionKey::Number(row.id),
        ReportSort::GeneratedAt => PositionKey::Number(row.generated_at),
        ReportSort::Url => PositionKey::Text(row.url.clone()),
        ReportSort::Result => PositionKey::Number(row.rank),
    };
    RowPosition { key, id: row.id }
}

/// Returns the position of a project in a list.
pub fn project_position(row: &ProjectRow, sort: ProjectSort) -> RowPosition {
    let key = match sort {
        ProjectSort::CreatedAt => PositionKey::Number(row.created_at),
        ProjectSort::Name => PositionKey::Text(row.name.clone()),
    };
    RowPosition { key, id: row.id }
}
