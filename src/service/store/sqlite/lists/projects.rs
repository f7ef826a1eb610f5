//! Pages of projects.

use rusqlite::Connection;

use super::search::{self, SearchedTable};
use super::statement::{ListOrder, ListStatement};
use crate::domain::list::query::{ProjectQuery, ProjectSort};
use crate::service::store::page::{ListPage, PageStart, PageWindow, PositionKey, RowPosition};
use crate::service::store::rows::ProjectRow;
use crate::service::store::sqlite::tables::projects;

const SEARCHED: SearchedTable =
    SearchedTable { name: "projects", index: "project_search", text: "coalesce(search_text, name)" };

/// One page of projects.
pub fn page(
    connection: &Connection,
    query: &ProjectQuery,
    window: &PageWindow,
) -> rusqlite::Result<ListPage<ProjectRow>> {
    let mut statement = ListStatement::of("projects");
    let total = match (&query.search, &window.start) {
        (None, _) => Some(projects::how_many(connection)?),
        (Some(text), start) => {
            search::narrow(&mut statement, connection, &SEARCHED, text)?;
            matches!(start, PageStart::Offset(_)).then(|| statement.count(connection)).transpose()?
        }
    };
    let (sort, direction) = query.sort.unwrap_or_default();
    let order = ListOrder { column: column(sort), direction };
    let position = |row: &ProjectRow| RowPosition {
        key: match sort {
            ProjectSort::CreatedAt => PositionKey::Number(row.created_at),
            ProjectSort::Name => PositionKey::Text(row.name.clone()),
        },
        id: row.id,
    };
    let (rows, next) = statement.page(connection, (projects::COLUMNS, order), window, projects::read, position)?;
    Ok(ListPage { rows, total, next })
}

pub(super) fn column(sort: ProjectSort) -> &'static str {
    match sort {
        ProjectSort::CreatedAt => "created_at",
        ProjectSort::Name => "name",
    }
}
