//! One page of a list: which rows, in which order, and how many there are in all.
//!
//! Without a search every list walks one index and takes its total from counts that are kept, so that it costs the
//! same however many rows there are. Must not know how a list is asked for or answered.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};

use crate::domain::query::{Direction, ProjectQuery, ProjectSort, ReportQuery, ReportSort, ResultFilter};

use super::projects::{self, ProjectRow};
use super::reports::{self, ReportRow};

/// Searches shorter than this have no trigram and are compared row by row.
const SHORTEST_INDEXED: usize = 3;

/// Which part of a list, in rows.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// How many rows are left out before the first.
    pub offset: i64,
    /// How many rows at most.
    pub limit: i64,
}

/// One page of a list.
#[derive(Debug)]
pub struct Listed<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// How many rows the list has in all.
    pub total: i64,
}

impl<T> Listed<T> {
    /// The same page with each row made into something else.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Listed<U> {
        Listed { rows: self.rows.into_iter().map(make).collect(), total: self.total }
    }
}

/// One statement in the making: conditions with the values they need.
#[derive(Default)]
struct Statement {
    conditions: Vec<String>,
    values: Vec<(&'static str, Value)>,
}

impl Statement {
    fn only(&mut self, condition: &str, name: &'static str, value: impl Into<Value>) {
        self.conditions.push(condition.to_owned());
        self.values.push((name, value.into()));
    }

    /// Only rows whose `column` contains the text. `index` is the full-text table beside the rows.
    fn containing(&mut self, text: &str, column: &str, index: &str) {
        // A zero character would end the text early inside the full-text index.
        if text.chars().count() < SHORTEST_INDEXED || text.contains('\0') {
            let condition = format!("instr(lower({column}), :search) > 0");
            self.only(&condition, ":search", text.to_ascii_lowercase());
        } else {
            let condition = format!("id IN (SELECT rowid FROM {index} WHERE {index} MATCH :search)");
            self.only(&condition, ":search", format!("\"{}\"", text.replace('"', "\"\"")));
        }
    }

    fn condition(&self) -> String {
        if self.conditions.is_empty() { String::new() } else { format!("WHERE {}", self.conditions.join(" AND ")) }
    }

    fn count(&self, connection: &Connection, table: &str) -> rusqlite::Result<i64> {
        let sql = format!("SELECT count(*) FROM {table} {}", self.condition());
        connection.prepare_cached(&sql)?.query_one(&*self.parameters(), |row| row.get(0))
    }

    fn parameters(&self) -> Vec<(&str, &dyn ToSql)> {
        self.values.iter().map(|(name, value)| (*name, value as &dyn ToSql)).collect()
    }

    fn rows<T>(
        mut self,
        connection: &Connection,
        sql: &str,
        window: Window,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        self.values.push((":limit", window.limit.into()));
        self.values.push((":offset", window.offset.into()));
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(&*self.parameters(), read)?;
        rows.collect()
    }
}

/// One page of reports.
pub fn reports(connection: &Connection, query: &ReportQuery, window: Window) -> rusqlite::Result<Listed<ReportRow>> {
    let mut statement = Statement::default();
    let counts = match &query.project {
        Some(name) => {
            let Some((id, counts)) = projects::counts(connection, name)? else {
                return Ok(Listed { rows: Vec::new(), total: 0 });
            };
            statement.only("project_id = :project", ":project", id);
            counts
        }
        None => projects::totals(connection)?,
    };
    if let Some(result) = query.result {
        statement.only("result = :result", ":result", rank_of(result));
    }
    let total = match &query.search {
        Some(text) => {
            statement.containing(text, "url", "report_search");
            statement.count(connection, "reports")?
        }
        None => counts.of(query.result),
    };
    let (sort, direction) = query.sort.unwrap_or_default();
    let sql = reports_sql(&statement.condition(), sort, direction);
    let rows =
        if window.offset < total { statement.rows(connection, &sql, window, reports::read)? } else { Vec::new() };
    Ok(Listed { rows, total })
}

fn rank_of(result: ResultFilter) -> i64 {
    match result {
        ResultFilter::Bad => 0,
        ResultFilter::Decent => 1,
        ResultFilter::Good => 2,
    }
}

fn reports_sql(condition: &str, sort: ReportSort, direction: Direction) -> String {
    let direction = direction.word();
    let order = match sort {
        ReportSort::Id => format!("id {direction}"),
        ReportSort::GeneratedAt => format!("generated_at {direction}, id {direction}"),
        ReportSort::Url => format!("url {direction}, id {direction}"),
        ReportSort::Result => format!("result {direction}, id {direction}"),
    };
    format!("SELECT {} FROM reports {condition} ORDER BY {order} LIMIT :limit OFFSET :offset", reports::COLUMNS)
}

/// One page of projects.
pub fn projects(connection: &Connection, query: &ProjectQuery, window: Window) -> rusqlite::Result<Listed<ProjectRow>> {
    let mut statement = Statement::default();
    let total = match &query.search {
        Some(text) => {
            statement.containing(text, "name", "project_search");
            statement.count(connection, "projects")?
        }
        None => projects::how_many(connection)?,
    };
    let (sort, direction) = query.sort.unwrap_or_default();
    let sql = projects_sql(&statement.condition(), sort, direction);
    let rows =
        if window.offset < total { statement.rows(connection, &sql, window, projects::read)? } else { Vec::new() };
    Ok(Listed { rows, total })
}

fn projects_sql(condition: &str, sort: ProjectSort, direction: Direction) -> String {
    let direction = direction.word();
    let order = match sort {
        ProjectSort::CreatedAt => format!("created_at {direction}, id {direction}"),
        // No two projects share a name.
        ProjectSort::Name => format!("name {direction}"),
    };
    format!("SELECT {} FROM projects {condition} ORDER BY {order} LIMIT :limit OFFSET :offset", projects::COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    fn plan(connection: &Connection, sql: &str) -> String {
        let sql = sql.replace(":limit", "100").replace(":offset", "500");
        let sql = sql.replace(":project", "1").replace(":result", "1");
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn no_list_without_a_search_sorts_or_reads_rows_it_does_not_show() {
        let directory = tempfile::tempdir().unwrap();
        let connection = super::super::connection::open(directory.path()).unwrap();
        let filters = ["", "WHERE project_id = :project", "WHERE result = :result"];
        let filters = filters.into_iter().chain(["WHERE project_id = :project AND result = :result"]);
        for filter in filters {
            for (sort, direction) in ReportSort::iter()
                .flat_map(|sort| [Direction::Ascending, Direction::Descending].map(|direction| (sort, direction)))
            {
                let plan = plan(&connection, &reports_sql(filter, sort, direction));
                assert!(!plan.contains("TEMP B-TREE"), "{filter} {sort:?} {direction:?}: {plan}");
                // Without a filter the index itself is walked; with one only the part of it that fits.
                let step = if filter.is_empty() { "SCAN reports" } else { "SEARCH reports USING INDEX" };
                assert!(plan.contains(step), "{filter} {sort:?} {direction:?}: {plan}");
            }
        }
        for sort in ProjectSort::iter() {
            let plan = plan(&connection, &projects_sql("", sort, Direction::Descending));
            assert!(!plan.contains("TEMP B-TREE") && plan.contains("USING INDEX"), "{sort:?}: {plan}");
        }
    }
}
