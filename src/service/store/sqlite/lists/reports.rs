//! Pages of reports.
//!
//! Without a search, every list scans one index, and its total comes from the counts that the schema's triggers
//! maintain.

use rusqlite::Connection;

use super::search::{self, SearchedTable};
use super::statement::ListStatement;
use crate::domain::list::query::ReportQuery;
use crate::service::store::page::{ListPage, PageStart, PageWindow};
use crate::service::store::rows::ReportRow;
use crate::service::store::sqlite::tables::{projects, reports};
use crate::service::store::{order, values};

const SEARCHED: SearchedTable =
    SearchedTable { name: "reports", index: "report_search", text: "coalesce(search_text, url)" };

/// Returns one page of reports.
pub fn page(
    connection: &Connection,
    query: &ReportQuery,
    window: &PageWindow,
) -> rusqlite::Result<ListPage<ReportRow>> {
    let (project, counts) = match &query.project {
        Some(name) => match projects::counts(connection, name)? {
            Some((id, counts)) => (Some(id), counts),
            None => return Ok(ListPage::empty(0)),
        },
        None => (None, projects::totals(connection)?),
    };
    let result = query.result.map(values::rank_of);
    let mut statement = filtered(project, result);
    let total = match (&query.search, &window.start) {
        (None, _) => Some(counts.of(query.result)),
        (Some(text), start) => {
            search::narrow(&mut statement, connection, &SEARCHED, text)?;
            matches!(start, PageStart::Offset(_)).then(|| statement.count(connection)).transpose()?
        }
    };
    if let (PageStart::Offset(offset), Some(total)) = (&window.start, total)
        && *offset >= total
    {
        return Ok(ListPage::empty(total));
    }
    let (sort, order) = order::of_reports(query);
    let position = |row: &ReportRow| order::report_position(row, sort);
    let (rows, next) = statement.page(connection, (reports::COLUMNS, order), window, reports::read, position)?;
    Ok(ListPage { rows, total, next })
}

/// Selects the rows of a project, of a result, or of both.
pub(super) fn filtered(project: Option<i64>, result: Option<i64>) -> ListStatement {
    let mut statement = ListStatement::of("reports");
    if let Some(project) = project {
        statement.filter_by("project_id = :project", ":project", project);
    }
    if let Some(result) = result {
        statement.filter_by("result = :result", ":result", result);
    }
    statement
}
