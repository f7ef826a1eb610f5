//! Pages of reports.
//!
//! Without a search every list walks one index, and its total comes from the counts that the schema's triggers keep.

use rusqlite::Connection;

use super::search::{self, SearchedTable};
use super::statement::{ListOrder, ListStatement};
use crate::domain::list::query::{ReportQuery, ReportSort, ResultFilter};
use crate::service::store::page::{ListPage, PageStart, PageWindow, PositionKey, RowPosition};
use crate::service::store::rows::ReportRow;
use crate::service::store::sqlite::tables::{projects, reports};

const SEARCHED: SearchedTable =
    SearchedTable { name: "reports", index: "report_search", text: "coalesce(search_text, url)" };

/// One page of reports.
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
    let result = query.result.map(rank_of);
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
    let (sort, order) = order(query);
    let position = |row: &ReportRow| RowPosition { key: key(row, sort), id: row.id };
    let (rows, next) = statement.page(connection, (reports::COLUMNS, order), window, reports::read, position)?;
    Ok(ListPage { rows, total, next })
}

/// The rows of a project, of a result, or of both.
pub(super) fn filtered(project: Option<i64>, result: Option<i64>) -> ListStatement {
    let mut statement = ListStatement::of("reports");
    if let Some(project) = project {
        statement.only("project_id = :project", ":project", project);
    }
    if let Some(result) = result {
        statement.only("result = :result", ":result", result);
    }
    statement
}

/// The order of a query. Where all rows have the same result, they are sorted by the id alone.
pub(super) fn order(query: &ReportQuery) -> (ReportSort, ListOrder) {
    let (asked, direction) = query.sort.unwrap_or_default();
    let sort = if asked == ReportSort::Result && query.result.is_some() { ReportSort::Id } else { asked };
    // The words of the interface are the names of the columns.
    (sort, ListOrder { column: sort.word(), direction })
}

fn key(row: &ReportRow, sort: ReportSort) -> PositionKey {
    match sort {
        ReportSort::Id => PositionKey::Number(row.id),
        ReportSort::GeneratedAt => PositionKey::Number(row.generated_at),
        ReportSort::Url => PositionKey::Text(row.url.clone()),
        ReportSort::Result => PositionKey::Number(row.rank),
    }
}

fn rank_of(result: ResultFilter) -> i64 {
    match result {
        ResultFilter::Bad => 0,
        ResultFilter::Decent => 1,
        ResultFilter::Good => 2,
    }
}
