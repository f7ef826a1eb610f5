//! Pages of projects.

use rusqlite::Connection;

use super::search::{self, SearchedTable};
use super::statement::ListStatement;
use crate::domain::list::query::ProjectQuery;
use crate::service::store::order;
use crate::service::store::page::{ListPage, PageStart, PageWindow};
use crate::service::store::rows::ProjectRow;
use crate::service::store::sqlite::tables::projects;

const SEARCHED: SearchedTable =
    SearchedTable { name: "projects", index: "project_search", text: "coalesce(search_text, name)" };

/// Returns one page of projects.
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
    let (sort, order) = order::of_projects(query);
    let position = |row: &ProjectRow| order::project_position(row, sort);
    let (rows, next) = statement.page(connection, (projects::COLUMNS, order), window, projects::read, position)?;
    Ok(ListPage { rows, total, next })
}
