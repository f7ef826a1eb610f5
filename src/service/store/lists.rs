//! One page of a list: which rows, in which order, and how many there are in all.
//!
//! Without a search every list walks one index, from a place near its page, and takes its total from counts that are
//! kept, so that it costs the same however many rows there are. Must not know how a list is asked for or answered.

use rusqlite::Connection;
use strum::IntoEnumIterator;

use crate::domain::list::query::{Direction, ProjectQuery, ProjectSort, ReportQuery, ReportSort, ResultFilter};

use super::cuts::Cut;
use super::found::Found;
use super::memory::Memory;
use super::statement::Statement;
use super::tables::projects::{self, ProjectRow};
use super::tables::reports::{self, Each, ReportRow};
use super::walk::{EVERYTHING, List, STRIDE, Start};

/// Up to so many finds of a search are sorted for each page; more are met soon enough by walking the list. Few in
/// tests, so that small lists are walked too.
const FEW: usize = if cfg!(test) { 2 } else { 2_000 };

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

/// Shows one page of reports, row by row, and gives how many there are in all.
pub fn reports(
    connection: &Connection,
    memory: &Memory,
    (query, window): (&ReportQuery, Window),
    mut each: impl FnMut(&ReportRow<&str>),
) -> rusqlite::Result<i64> {
    let (project, counts) = match &query.project {
        Some(name) => {
            let Some((id, counts)) = projects::counts(connection, name)? else { return Ok(0) };
            (Some(id), counts)
        }
        None => (None, projects::totals(connection)?),
    };
    let (sort, direction) = query.sort.unwrap_or_default();
    let list = List::new(project, query.result.map(rank_of), query.search.clone(), sort);
    match &query.search {
        None => all((connection, memory), (&list, counts.of(query.result)), (window, direction), &mut each),
        Some(text) => {
            let found = memory.found(connection, text)?;
            if found.ids.count() > FEW {
                found_many((connection, memory), (&list, &found), (window, direction), &mut each)
            } else {
                found_few((connection, memory), (&list, &found), (window, direction), &mut each)
            }
        }
    }
}

/// The lists over all projects: every result with every order.
pub fn over_all_projects() -> impl Iterator<Item = (Option<ResultFilter>, ReportSort)> {
    let results = std::iter::once(None).chain(ResultFilter::iter().map(Some));
    results.flat_map(|result| ReportSort::iter().map(move |sort| (result, sort)))
}

/// Learns where a list over all projects can be entered, so that nobody's first deep page has to. A short list has no
/// deep page. It is left half learnt when this `is_over`.
pub fn learn(
    connection: &Connection,
    memory: &Memory,
    (result, sort): (Option<ResultFilter>, ReportSort),
    is_over: impl Fn() -> bool,
) -> rusqlite::Result<()> {
    let total = projects::totals(connection)?.of(result);
    let list = List::new(None, result.map(rank_of), None, sort);
    let strides = usize::try_from(STRIDE).unwrap_or(usize::MAX);
    for offset in (STRIDE..total.saturating_sub(STRIDE)).step_by(strides) {
        if is_over() {
            break;
        }
        memory.enter(connection, (&list, total), (offset, Direction::Ascending))?;
    }
    Ok(())
}

/// A page of a list whose total is kept. Near the ends nothing needs to be remembered.
fn all(
    (connection, memory): (&Connection, &Memory),
    (list, total): (&List, i64),
    (window, direction): (Window, Direction),
    each: &mut Each<'_>,
) -> rusqlite::Result<i64> {
    if window.offset >= total {
        return Ok(total);
    }
    let cut = if window.offset <= STRIDE {
        None
    } else {
        Some(memory.enter(connection, (list, total), (window.offset, direction))?)
    };
    list.rows((connection, &memory.names), from(cut.as_ref(), total, window, direction), None, each)?;
    Ok(total)
}

/// A page of a search that found so much that walking the list meets a page of it soon.
fn found_many(
    (connection, memory): (&Connection, &Memory),
    (list, found): (&List, &Found),
    (window, direction): (Window, Direction),
    each: &mut Each<'_>,
) -> rusqlite::Result<i64> {
    let (total, cut) = memory.enter_found(connection, (list, found), (window.offset, direction))?;
    if window.offset >= total {
        return Ok(total);
    }
    let start = from(Some(&cut), total, window, direction);
    list.rows((connection, &memory.names), start, Some(&found.ids), each)?;
    Ok(total)
}

/// Where a walk begins, and what it leaves out before the page.
fn from(cut: Option<&Cut>, total: i64, window: Window, direction: Direction) -> (Start<'_>, Window) {
    let offset = match (cut, direction) {
        (None, _) => window.offset,
        (Some(cut), Direction::Ascending) => window.offset - cut.rank,
        (Some(cut), Direction::Descending) => window.offset - (total - cut.rank),
    };
    (Start { place: cut.and_then(|cut| cut.place.as_ref()), direction }, Window { offset, ..window })
}

/// A page of a search that found so little that sorting it is quicker than walking the list.
fn found_few(
    (connection, memory): (&Connection, &Memory),
    (list, found): (&List, &Found),
    (window, direction): (Window, Direction),
    each: &mut Each<'_>,
) -> rusqlite::Result<i64> {
    let mut statement = Statement::default();
    // The plus signs keep other indexes out of it: what was found is looked up by its ids.
    statement.only("id IN (SELECT value FROM json_each(:found))", ":found", found.ids.json());
    if let Some(project) = list.project {
        statement.only("+project_id = :project", ":project", project);
    }
    if let Some(result) = list.result {
        statement.only("+result = :result", ":result", result);
    }
    let (condition, order) = (statement.condition(), list.sorted(direction));
    let sql = format!("SELECT id FROM reports {condition} ORDER BY {order} LIMIT :limit OFFSET :offset");
    // Sorted by ids alone: all that a list shows is read for one page only.
    let ids: Vec<i64> = statement.rows(connection, &sql, EVERYTHING, |row| row.get(0))?;
    let (offset, limit) = (usize::try_from(window.offset), usize::try_from(window.limit));
    for id in ids.iter().skip(offset.unwrap_or(usize::MAX)).take(limit.unwrap_or(usize::MAX)) {
        reports::show((connection, &memory.names), *id, each)?;
    }
    Ok(i64::try_from(ids.len()).unwrap_or(i64::MAX))
}

/// One page of reports, its rows kept.
#[cfg(test)]
pub fn kept(
    connection: &Connection,
    memory: &Memory,
    query: &ReportQuery,
    window: Window,
) -> rusqlite::Result<Listed<ReportRow>> {
    let mut rows = Vec::new();
    let total = reports(connection, memory, (query, window), |row| rows.push(row.kept()))?;
    Ok(Listed { rows, total })
}

fn rank_of(result: ResultFilter) -> i64 {
    match result {
        ResultFilter::Bad => 0,
        ResultFilter::Decent => 1,
        ResultFilter::Good => 2,
    }
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
    use crate::domain::list::query::ReportSort;
    use crate::service::store::cuts::{Key, Place};

    fn plan(connection: &Connection, sql: &str) -> String {
        let sql = [":limit", ":offset", ":project", ":result", ":key", ":id"]
            .into_iter()
            .fold(sql.to_owned(), |sql, name| sql.replace(name, "1"));
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    }

    /// What the plan says that is looked up: all of what the filter and the place give.
    fn looked_up(list: &List, start: Start<'_>, sort: ReportSort) -> Vec<String> {
        let sign = if start.direction == Direction::Ascending { '>' } else { '<' };
        let place = start.place.map(|_| match sort {
            ReportSort::Id => format!("rowid{sign}?"),
            ReportSort::Result if list.result.is_some() => format!("rowid{sign}?"),
            ReportSort::GeneratedAt => format!("(generated_at,rowid){sign}(?,?)"),
            ReportSort::Url => format!("(url,rowid){sign}(?,?)"),
            ReportSort::Result => format!("(result,rowid){sign}(?,?)"),
        });
        let project = list.project.map(|_| "project_id=?".to_owned());
        let result = list.result.map(|_| "result=?".to_owned());
        [project, result, place].into_iter().flatten().collect()
    }

    #[test]
    fn no_list_without_a_search_sorts_or_reads_rows_it_does_not_show() {
        let directory = tempfile::tempdir().unwrap();
        let connection = crate::service::store::database::connection::open(directory.path()).unwrap();
        let place = Place { key: Key::Number(1), id: 1 };
        for (project, result) in [(None, None), (Some(1), None), (None, Some(1)), (Some(1), Some(1))] {
            for (sort, direction, place) in ReportSort::iter()
                .flat_map(|sort| [Direction::Ascending, Direction::Descending].map(|direction| (sort, direction)))
                .flat_map(|(sort, direction)| [None, Some(&place)].map(|place| (sort, direction, place)))
            {
                let (list, start) = (List::new(project, result, None, sort), Start { place, direction });
                let plan = plan(&connection, &list.sql(reports::COLUMNS_OF_MANY, start));
                let about = format!("{list:?} {direction:?}: {plan}");
                assert!(!plan.contains("TEMP B-TREE"), "{about}");
                let looked_up = looked_up(&list, start, sort);
                // Without a filter and a place the index itself is walked; else only the part of it that fits.
                let step = if looked_up.is_empty() { "SCAN reports" } else { "SEARCH reports USING" };
                assert!(plan.contains(step) && plan.contains(&looked_up.join(" AND ")), "{about}");
            }
        }
        for sort in ProjectSort::iter() {
            let plan = plan(&connection, &projects_sql("", sort, Direction::Descending));
            assert!(!plan.contains("TEMP B-TREE") && plan.contains("USING INDEX"), "{sort:?}: {plan}");
        }
    }

    #[test]
    fn what_was_learnt_gives_the_same_pages() {
        let directory = tempfile::tempdir().unwrap();
        let rows = (0..60_u8).map(|number| crate::service::seed::SeedRow {
            url: format!("https://shop.example/{}", number % 7),
            project: format!("shop{}.example", number % 4),
            score: number,
            generated_at: jiff::Timestamp::from_second(i64::from(number % 5)).unwrap(),
            failed: Vec::new(),
        });
        crate::service::seed::seed(directory.path(), rows).unwrap();
        let connection = crate::service::store::database::connection::open(directory.path()).unwrap();
        let (learnt, fresh) = (Memory::default(), Memory::default());
        for (result, sort) in over_all_projects() {
            learn(&connection, &learnt, (result, sort), || false).unwrap();
            for offset in [0, 3, 10, 29, 40, 59, 60] {
                let query = ReportQuery { result, sort: Some((sort, Direction::Descending)), ..ReportQuery::default() };
                let page = |memory| {
                    let page = kept(&connection, memory, &query, Window { offset, limit: 5 }).unwrap();
                    (page.total, page.rows.iter().map(|row| row.id).collect::<Vec<_>>())
                };
                assert_eq!(page(&learnt), page(&fresh), "{result:?} {sort:?} {offset}");
            }
        }
    }
}
