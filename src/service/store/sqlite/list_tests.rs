//! Pages equal the sorted list of all rows, and paging by cursor neither loses nor repeats a row, whatever is written
//! between two pages.

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;
use strum::IntoEnumIterator;
use tempfile::TempDir;

use super::database::connection;
use super::transaction::{SqliteTransaction, complete};
use crate::domain::list::query::{Direction, ProjectQuery, ProjectSort, ReportQuery, ReportSort, ResultFilter};
use crate::service::store::error::StoreError;
use crate::service::store::order::{self, ListOrder};
use crate::service::store::page::{ListPage, PageStart, PageWindow, PositionKey, RowPosition};
use crate::service::store::rows::{AuditRecord, NewReportRow, ProjectRow, ReportRow, RowUpdate};
use crate::service::store::sql::{Engine, SqlTransaction as _, bind};
use crate::service::store::tables::page_statement::PageStatement;
use crate::service::store::tables::{lists, projects, reports};
use crate::service::store::values;

/// Rows per page in these tests.
const PAGE: u16 = 5;

/// A write, or a request for a page. Reports are identified by their index among the existing ones.
#[derive(Debug, Clone)]
enum Step {
    Create { project: u8, rank: u8, word: u8 },
    Rerun { which: usize, project: u8, rank: u8 },
    Delete { which: usize },
    DeleteProject { project: u8 },
    Ask { query: ReportQuery, offset: i64 },
}

fn create() -> impl Strategy<Value = Step> {
    (0..3_u8, 0..3_u8, 0..4_u8).prop_map(|(project, rank, word)| Step::Create { project, rank, word })
}

fn delete() -> impl Strategy<Value = Step> {
    (0..60_usize).prop_map(|which| Step::Delete { which })
}

fn step() -> impl Strategy<Value = Step> {
    let rerun = (0..60_usize, 0..3_u8, 0..3_u8);
    prop_oneof![
        12 => create(),
        3 => rerun.prop_map(|(which, project, rank)| Step::Rerun { which, project, rank }),
        3 => delete(),
        1 => (0..3_u8).prop_map(|project| Step::DeleteProject { project }),
        20 => (query(), 0..50_i64).prop_map(|(query, offset)| Step::Ask { query, offset }),
    ]
}

fn query() -> impl Strategy<Value = ReportQuery> {
    let search = prop_oneof![3 => Just(None), 1 => Just(Some("TEA")), 1 => Just(Some("e")), 1 => Just(Some("tea/1"))];
    let project = prop_oneof![2 => Just(None), 1 => (0..3_u8).prop_map(Some)];
    let results = prop::sample::select(vec![None, Some(ResultFilter::Bad), Some(ResultFilter::Good)]);
    let sorts = prop::sample::select(ReportSort::iter().collect::<Vec<_>>());
    let directions = prop::sample::select(vec![Direction::Ascending, Direction::Descending]);
    (search, project, results, sorts, directions).prop_map(|(search, project, result, sort, direction)| ReportQuery {
        search: search.map(str::to_owned),
        project: project.map(|project| format!("shop{project}.example")),
        result,
        sort: Some((sort, direction)),
        per_page: None,
    })
}

fn findings(project: u8, rank: u8) -> AuditRecord {
    let project = format!("shop{project}.example");
    AuditRecord {
        project,
        rank: rank.into(),
        score: rank * 45,
        failed: String::new(),
        fetch_failure: None,
        checks: "{}".into(),
    }
}

/// Returns the connection, which may be inside a transaction, as one for the store's functions.
fn on(connection: &Connection) -> SqliteTransaction<'_> {
    SqliteTransaction::on(connection, Path::new(""))
}

fn done<T>(work: impl Future<Output = Result<T, StoreError>>) -> T {
    complete(work).unwrap()
}

/// Returns all rows that a query selects, filtered and sorted without SQL.
fn expected(connection: &Connection, query: &ReportQuery) -> Vec<ReportRow> {
    let sql = format!("SELECT {} FROM reports", reports::COLUMNS);
    let rows = done(on(connection).rows(&sql, bind![], reports::read)).into_iter();
    let wanted = query.search.as_ref().map(|search| search.to_lowercase());
    let mut rows: Vec<ReportRow> = rows
        .filter(|row| query.project.as_ref().is_none_or(|project| row.project == *project))
        .filter(|row| query.result.is_none_or(|result| values::result_name(row.rank) == result.name()))
        .filter(|row| wanted.as_ref().is_none_or(|wanted| row.url.contains(wanted)))
        .collect();
    let (sort, direction) = query.sort.unwrap();
    rows.sort_by_cached_key(|row| {
        let key = match sort {
            ReportSort::Id => (0, String::new()),
            ReportSort::GeneratedAt => (row.generated_at, String::new()),
            ReportSort::Url => (0, row.url.clone()),
            ReportSort::Result => (row.rank, String::new()),
        };
        (key, row.id)
    });
    if direction == Direction::Descending {
        rows.reverse();
    }
    rows
}

struct World {
    connection: Connection,
    time: i64,
    _directory: TempDir,
}

impl World {
    fn new(steps: &[Step]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let connection = connection::open(directory.path()).unwrap();
        connection.pragma_update(None, "synchronous", "OFF").unwrap();
        let mut world = Self { connection, time: 0, _directory: directory };
        for step in steps {
            world.perform(step);
        }
        world
    }

    fn perform(&mut self, step: &Step) {
        let all = ReportQuery { sort: Some((ReportSort::Id, Direction::Ascending)), ..ReportQuery::default() };
        let ids: Vec<i64> = expected(&self.connection, &all).iter().map(|row| row.id).collect();
        let pick = |which: usize| (!ids.is_empty()).then(|| ids[which % ids.len()]);
        // Several reports share a time.
        self.time += 1;
        let time = self.time / 5;
        let transaction = self.connection.transaction().unwrap();
        match step {
            Step::Create { project, rank, word } => {
                let url = format!("https://shop{project}.example/tea/{word}");
                let row = NewReportRow { url, findings: findings(*project, *rank), privacy: 0, password_hash: None };
                done(reports::insert_row(&on(&transaction), &row, time));
            }
            Step::Rerun { which, project, rank } => {
                let change = RowUpdate { findings: Some(findings(*project, *rank)), ..RowUpdate::default() };
                if let Some(id) = pick(*which) {
                    done(reports::change(&on(&transaction), id, &change));
                }
            }
            Step::Delete { which } => {
                if let Some(id) = pick(*which) {
                    done(reports::delete(&on(&transaction), id));
                }
            }
            Step::DeleteProject { project } => {
                done(projects::delete(&on(&transaction), &format!("shop{project}.example")));
            }
            Step::Ask { .. } => {}
        }
        transaction.commit().unwrap();
        if let Step::Ask { query, offset } = step {
            self.ask(query, *offset);
        }
    }

    fn page(&self, query: &ReportQuery, start: PageStart) -> ListPage<ReportRow> {
        done(lists::reports(&on(&self.connection), query, &PageWindow { start, limit: PAGE }))
    }

    /// Compares a page by number, and the page after its last row, with the sorted rows.
    fn ask(&self, query: &ReportQuery, offset: i64) {
        let expected = expected(&self.connection, query);
        let skipped = |offset: usize| expected.iter().skip(offset).take(PAGE.into()).cloned().collect::<Vec<_>>();
        let listed = self.page(query, PageStart::Offset(offset));
        let offset = usize::try_from(offset).unwrap();
        assert_eq!(listed.total, i64::try_from(expected.len()).ok(), "{query:?}");
        assert_eq!(listed.rows, skipped(offset), "{query:?} after {offset}");
        let behind = offset + usize::from(PAGE);
        assert_eq!(listed.next.is_some(), behind < expected.len(), "{query:?} after {offset}");
        if let Some(next) = listed.next {
            assert_eq!(self.page(query, PageStart::After(next)).rows, skipped(behind), "{query:?} behind {behind}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_page_is_the_requested_part_of_the_sorted_rows(
        before in prop::collection::vec(create(), 0..50),
        steps in prop::collection::vec(step(), 1..80),
    ) {
        let mut world = World::new(&before);
        for step in &steps {
            world.perform(step);
        }
    }

    #[test]
    fn paging_by_cursor_returns_each_lasting_report_exactly_once(
        before in prop::collection::vec(create(), 0..60),
        query in query(),
        between in prop::collection::vec(prop::collection::vec(prop_oneof![create(), delete()], 0..6), 0..20),
    ) {
        let mut world = World::new(&before);
        let ids = |rows: &[ReportRow]| rows.iter().map(|row| row.id).collect::<Vec<i64>>();
        let mut stayed: HashSet<i64> = ids(&expected(&world.connection, &query)).into_iter().collect();
        let (mut seen, mut start) = (Vec::new(), PageStart::Offset(0));
        let mut between = between.iter();
        loop {
            let page = world.page(&query, start);
            seen.extend(ids(&page.rows));
            let Some(next) = page.next else { break };
            start = PageStart::After(next);
            for step in between.next().into_iter().flatten() {
                world.perform(step);
            }
            let there: HashSet<i64> = ids(&expected(&world.connection, &query)).into_iter().collect();
            stayed.retain(|id| there.contains(id));
        }
        let distinct: HashSet<i64> = seen.iter().copied().collect();
        prop_assert_eq!(distinct.len(), seen.len(), "a report came twice");
        prop_assert!(stayed.is_subset(&distinct), "lost {:?}", stayed.difference(&distinct));
    }

    #[test]
    fn paging_by_cursor_returns_each_lasting_project_exactly_once(
        names in prop::collection::hash_set("[a-e]{1,3}", 0..30),
        (sort, direction) in (
            prop::sample::select(ProjectSort::iter().collect::<Vec<_>>()),
            prop::sample::select(vec![Direction::Ascending, Direction::Descending]),
        ),
        search in prop::option::of("[a-e]"),
        between in prop::collection::vec(("[a-e]{1,3}", "[a-e]{1,3}"), 0..10),
    ) {
        let mut world = World::new(&[]);
        let add = |connection: &mut Connection, name: &str, time| {
            let transaction = connection.transaction().unwrap();
            let findings = AuditRecord { project: name.to_owned(), ..findings(0, 0) };
            let row = NewReportRow { url: "https://x.example/".into(), findings, privacy: 0, password_hash: None };
            done(reports::insert_row(&on(&transaction), &row, time));
            transaction.commit().unwrap();
        };
        for (time, name) in (0..).zip(&names) {
            add(&mut world.connection, name, time / 3);
        }
        let query = ProjectQuery { search: search.clone(), sort: Some((sort, direction)), per_page: None };
        let wanted = search.unwrap_or_default();
        let mut stayed: HashSet<String> = names.into_iter().filter(|name| name.contains(&wanted)).collect();
        let (mut seen, mut start): (Vec<ProjectRow>, _) = (Vec::new(), PageStart::Offset(0));
        let mut between = between.iter();
        loop {
            let page = done(lists::projects(&on(&world.connection), &query, &PageWindow { start, limit: PAGE }));
            seen.extend(page.rows);
            let Some(next) = page.next else { break };
            start = PageStart::After(next);
            if let Some((gone, came)) = between.next() {
                let transaction = world.connection.transaction().unwrap();
                done(projects::delete(&on(&transaction), gone));
                transaction.commit().unwrap();
                stayed.remove(gone);
                add(&mut world.connection, came, 1);
            }
        }
        // A project that was deleted and created again has a new id.
        let distinct: HashSet<i64> = seen.iter().map(|row| row.id).collect();
        prop_assert_eq!(distinct.len(), seen.len(), "a project came twice");
        let names: HashSet<String> = seen.into_iter().map(|row| row.name).collect();
        prop_assert!(stayed.is_subset(&names), "lost {:?}", stayed.difference(&names));
    }
}

fn plan(connection: &Connection, sql: &str) -> String {
    let sql = (1..=9).fold(sql.to_owned(), |sql, place| sql.replace(&format!("?{place}"), "1"));
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
}

/// What the query plan looks up in the index: the filters, then the position.
fn looked_up(filters: [Option<i64>; 2], order: ListOrder, start: &PageStart) -> String {
    let sign = if order.direction == Direction::Ascending { '>' } else { '<' };
    let position = match start {
        PageStart::Offset(_) => None,
        PageStart::After(_) if order.column == "id" => Some(format!("rowid{sign}?")),
        PageStart::After(_) => Some(format!("({},rowid){sign}(?,?)", order.column)),
    };
    let [project, result] = filters;
    let parts = [project.map(|_| "project_id=?".to_owned()), result.map(|_| "result=?".to_owned()), position];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" AND ")
}

#[test]
fn no_list_without_a_search_sorts_rows_or_passes_over_rows_before_its_cursor() {
    let directory = tempfile::tempdir().unwrap();
    let connection = connection::open(directory.path()).unwrap();
    let after = PageStart::After(RowPosition { key: PositionKey::Number(1), id: 1 });
    for (project, result) in [(None, None), (Some(1), None), (None, Some(1)), (Some(1), Some(1))] {
        for (sort, direction) in ReportSort::iter()
            .flat_map(|sort| [Direction::Ascending, Direction::Descending].map(|direction| (sort, direction)))
        {
            let result_filter = result.map(|_| ResultFilter::Decent);
            let query = ReportQuery { result: result_filter, sort: Some((sort, direction)), ..ReportQuery::default() };
            let (_, order) = order::of_reports(&query);
            for start in [PageStart::Offset(1), after.clone()] {
                let mut statement = PageStatement::of(Engine::Sqlite, "reports");
                for (column, value) in [("project_id", project), ("result", result)] {
                    if let Some(value) = value {
                        statement.filter_by(column, value);
                    }
                }
                let window = PageWindow { start: start.clone(), limit: PAGE };
                let sql = statement.page_sql(reports::COLUMNS, order, &window);
                let plan = plan(&connection, &sql);
                assert!(!plan.contains("TEMP B-TREE"), "{sql}: {plan}");
                let looked_up = looked_up([project, result], order, &start);
                let step = if looked_up.is_empty() { "SCAN reports" } else { "SEARCH reports USING" };
                assert!(plan.contains(step) && plan.contains(&looked_up), "{sql}: {plan}");
            }
        }
    }
    for sort in ProjectSort::iter() {
        let query = ProjectQuery { sort: Some((sort, Direction::Descending)), ..ProjectQuery::default() };
        let (_, order) = order::of_projects(&query);
        for start in [PageStart::Offset(1), after.clone()] {
            let mut statement = PageStatement::of(Engine::Sqlite, "projects");
            let sql = statement.page_sql(projects::COLUMNS, order, &PageWindow { start, limit: PAGE });
            let plan = plan(&connection, &sql);
            assert!(!plan.contains("TEMP B-TREE") && plan.contains("USING INDEX"), "{sql}: {plan}");
        }
    }
}
