//! Pages of reports and projects.
//!
//! Without a search, every list scans one index, and its total comes from the projects' counts.

use super::page_statement::PageStatement;
use super::search::{self, SearchedTable};
use super::{projects, reports};
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::service::store::error::StoreError;
use crate::service::store::page::{ListPage, PageStart, PageWindow};
use crate::service::store::rows::{ProjectRow, ReportRow};
use crate::service::store::sql::SqlTransaction;
use crate::service::store::{order, values};

const REPORTS: SearchedTable =
    SearchedTable { name: "reports", index: "report_search", text: "coalesce(search_text, url)" };
const PROJECTS: SearchedTable =
    SearchedTable { name: "projects", index: "project_search", text: "coalesce(search_text, name)" };

/// Returns one page of reports.
pub async fn reports<S: SqlTransaction>(
    transaction: &S,
    query: &ReportQuery,
    window: &PageWindow,
) -> Result<ListPage<ReportRow>, StoreError> {
    let mut statement = PageStatement::of(S::ENGINE, REPORTS.name);
    let counts = match &query.project {
        Some(name) => match projects::counts(transaction, name).await? {
            Some((id, counts)) => {
                statement.filter_by("project_id", id);
                counts
            }
            None => return Ok(ListPage::empty(0)),
        },
        None => projects::totals(transaction).await?.counts,
    };
    if let Some(result) = query.result {
        statement.filter_by("result", values::rank_of(result));
    }
    let total = match &query.search {
        None => Some(counts.of(query.result)),
        Some(text) => search_and_count(transaction, &mut statement, (&REPORTS, text), window).await?,
    };
    if let (PageStart::Offset(offset), Some(total)) = (&window.start, total)
        && *offset >= total
    {
        return Ok(ListPage::empty(total));
    }
    let (sort, order) = order::of_reports(query);
    let position = |row: &ReportRow| order::report_position(row, sort);
    let (rows, next) = statement.page(transaction, (reports::COLUMNS, order), window, reports::read, position).await?;
    Ok(ListPage { rows, total, next })
}

/// Returns one page of projects.
pub async fn projects<S: SqlTransaction>(
    transaction: &S,
    query: &ProjectQuery,
    window: &PageWindow,
) -> Result<ListPage<ProjectRow>, StoreError> {
    let mut statement = PageStatement::of(S::ENGINE, PROJECTS.name);
    let total = match &query.search {
        None => Some(projects::totals(transaction).await?.projects),
        Some(text) => search_and_count(transaction, &mut statement, (&PROJECTS, text), window).await?,
    };
    let (sort, order) = order::of_projects(query);
    let position = |row: &ProjectRow| order::project_position(row, sort);
    let (rows, next) =
        statement.page(transaction, (projects::COLUMNS, order), window, projects::read, position).await?;
    Ok(ListPage { rows, total, next })
}

/// Applies a search, and counts the rows it finds unless the page continues after a row.
async fn search_and_count(
    transaction: &impl SqlTransaction,
    statement: &mut PageStatement,
    (table, text): (&SearchedTable, &str),
    window: &PageWindow,
) -> Result<Option<i64>, StoreError> {
    search::narrow(statement, transaction, table, text).await?;
    match window.start {
        PageStart::Offset(_) => statement.count(transaction).await.map(Some),
        PageStart::After(_) => Ok(None),
    }
}
