//! Pages of reports and projects.

use tokio_postgres::Error;

use super::statement::PageStatement;
use super::transactions::PgConnection;
use super::{projects, reports};
use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::service::store::page::{ListPage, PageStart, PageWindow};
use crate::service::store::rows::{ProjectRow, ReportRow};
use crate::service::store::{order, values};

/// Returns one page of reports. Without a search, the total comes from the projects' counts.
pub async fn reports(
    connection: &PgConnection,
    query: &ReportQuery,
    window: &PageWindow,
) -> Result<ListPage<ReportRow>, Error> {
    let mut statement = PageStatement::of("reports");
    let counts = match &query.project {
        Some(name) => match projects::counts(connection, name).await? {
            Some((id, counts)) => {
                statement.filter_by("project_id", id);
                counts
            }
            None => return Ok(ListPage::empty(0)),
        },
        None => projects::totals(connection).await?.counts,
    };
    if let Some(result) = query.result {
        statement.filter_by("result", values::rank_of(result));
    }
    let counted = query.search.is_none().then(|| counts.of(query.result));
    let total = total(connection, &mut statement, (query.search.as_deref(), counted), window).await?;
    if is_past_the_end(window, total) {
        return Ok(ListPage::empty(total.unwrap_or_default()));
    }
    let (sort, order) = order::of_reports(query);
    let position = |row: &ReportRow| order::report_position(row, sort);
    let (rows, next) = statement.page(connection, (reports::COLUMNS, order), window, reports::read, position).await?;
    Ok(ListPage { rows, total, next })
}

/// Returns one page of projects.
pub async fn projects(
    connection: &PgConnection,
    query: &ProjectQuery,
    window: &PageWindow,
) -> Result<ListPage<ProjectRow>, Error> {
    let mut statement = PageStatement::of("projects");
    let counted = match query.search {
        None => Some(projects::totals(connection).await?.projects),
        Some(_) => None,
    };
    let total = total(connection, &mut statement, (query.search.as_deref(), counted), window).await?;
    let (sort, order) = order::of_projects(query);
    let position = |row: &ProjectRow| order::project_position(row, sort);
    let (rows, next) = statement.page(connection, (projects::COLUMNS, order), window, projects::read, position).await?;
    Ok(ListPage { rows, total, next })
}

/// Applies a search, and returns the list's total: `counted` if known, else by counting. A search continued after a row
/// is not counted.
async fn total(
    connection: &PgConnection,
    statement: &mut PageStatement,
    (search, counted): (Option<&str>, Option<i64>),
    window: &PageWindow,
) -> Result<Option<i64>, Error> {
    if let Some(wanted) = search {
        statement.search(wanted);
    }
    match (counted, &window.start) {
        (None, PageStart::Offset(_)) => statement.count(connection).await.map(Some),
        (counted, PageStart::Offset(_) | PageStart::After(_)) => Ok(counted),
    }
}

fn is_past_the_end(window: &PageWindow, total: Option<i64>) -> bool {
    match window.start {
        PageStart::Offset(offset) => total.is_some_and(|total| offset >= total),
        PageStart::After(_) => false,
    }
}
