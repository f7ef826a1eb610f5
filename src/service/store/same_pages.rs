//! Pages from remembered places are those that leaving rows out from the beginning gives, whatever is written between
//! them and in whichever view of the database they are read.

use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::domain::list::query::{Direction, ReportQuery, ReportSort, ResultFilter};

use super::database::connection;
use super::lists::{self, Window};
use super::memory::Memory;
use super::moves;
use super::tables::projects;
use super::tables::reports::{self, Change, Findings, NewRow, ReportRow};

/// What happens between pages. Reports are named by where they stand among those that are there.
#[derive(Debug, Clone)]
enum Deed {
    Create {
        project: u8,
        rank: u8,
        word: u8,
    },
    AuditAgain {
        which: usize,
        project: u8,
        rank: u8,
    },
    Delete {
        which: usize,
    },
    DeleteProject {
        project: u8,
    },
    /// More is written than is kept of it.
    Much,
    /// The view that stood still sees the present.
    Renew,
    Ask {
        query: ReportQuery,
        offset: i64,
    },
}

fn deed() -> impl Strategy<Value = Deed> {
    let (which, project, rank, word) = (0..60_usize, 0..3_u8, 0..3_u8, 0..4_u8);
    prop_oneof![
        12 => (project.clone(), rank.clone(), word)
            .prop_map(|(project, rank, word)| Deed::Create { project, rank, word }),
        3 => (which.clone(), project.clone(), rank)
            .prop_map(|(which, project, rank)| Deed::AuditAgain { which, project, rank }),
        3 => which.prop_map(|which| Deed::Delete { which }),
        1 => project.prop_map(|project| Deed::DeleteProject { project }),
        1 => Just(Deed::Much),
        2 => Just(Deed::Renew),
        20 => (query(), 0..50_i64).prop_map(|(query, offset)| Deed::Ask { query, offset }),
    ]
}

fn query() -> impl Strategy<Value = ReportQuery> {
    let search = prop_oneof![3 => Just(None), 1 => Just(Some("TEA")), 1 => Just(Some("e")), 1 => Just(Some("tea/1"))];
    let project = prop_oneof![2 => Just(None), 1 => (0..3_u8).prop_map(Some)];
    let results = [None, Some(ResultFilter::Bad), Some(ResultFilter::Good)];
    let sorts = [ReportSort::Id, ReportSort::GeneratedAt, ReportSort::Url, ReportSort::Result];
    let directions = [Direction::Ascending, Direction::Descending];
    let parts = (search, project, prop::sample::select(results.to_vec()), prop::sample::select(sorts.to_vec()));
    (parts, prop::sample::select(directions.to_vec())).prop_map(|((search, project, result, sort), direction)| {
        ReportQuery {
            search: search.map(str::to_owned),
            project: project.map(|project| format!("shop{project}.example")),
            result,
            sort: Some((sort, direction)),
            per_page: None,
        }
    })
}

fn findings(project: u8, rank: u8) -> Findings {
    let project = format!("shop{project}.example");
    Findings { project, rank: rank.into(), score: rank * 45, failed: String::new(), checks: "{}".into() }
}

/// All rows of a view, in the order and of the kind asked for, put in order here.
fn expected(view: &Connection, query: &ReportQuery) -> Vec<ReportRow> {
    let sql = format!("SELECT {} FROM reports", reports::COLUMNS);
    let mut statement = view.prepare(&sql).unwrap();
    let rows = statement.query_map([], reports::read).unwrap().map(Result::unwrap);
    let wanted = query.search.as_ref().map(|search| search.to_lowercase());
    let mut rows: Vec<ReportRow> = rows
        .filter(|row| query.project.as_ref().is_none_or(|project| *row.project == **project))
        .filter(|row| query.result.is_none_or(|result| super::tables::values::word(row.rank) == result.word()))
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

/// One that writes, and two views that share what is remembered: of the present, and of some time ago.
struct World {
    writer: Connection,
    present: Connection,
    past: Connection,
    memory: Memory,
    time: i64,
    _directory: TempDir,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let open = || {
            let connection = connection::open(directory.path()).unwrap();
            connection.pragma_update(None, "synchronous", "OFF").unwrap();
            connection
        };
        let (writer, present, past) = (open(), open(), open());
        let world = Self { writer, present, past, memory: Memory::default(), time: 0, _directory: directory };
        world.begin();
        world
    }

    /// The past is what is there now. A view begins with its first read.
    fn begin(&self) {
        self.past.execute_batch("BEGIN; SELECT count(*) FROM reports;").unwrap();
    }

    fn perform(&mut self, deed: &Deed) {
        let ids: Vec<i64> = expected(&self.writer, &by_id()).iter().map(|row| row.id).collect();
        let pick = |which: usize| (!ids.is_empty()).then(|| ids[which % ids.len()]);
        self.time += 1;
        let time = self.time / 5;
        let transaction = self.writer.transaction().unwrap();
        match *deed {
            Deed::Create { project, rank, word } => {
                let url = format!("https://shop{project}.example/tea/{word}");
                let row = NewRow { url, findings: findings(project, rank), privacy: 0, password_hash: None };
                reports::insert_row(&transaction, &row, time).unwrap();
            }
            Deed::AuditAgain { which, project, rank } => {
                let change = Change { findings: Some(findings(project, rank)), ..Change::default() };
                if let Some(id) = pick(which) {
                    reports::change(&transaction, id, &change).unwrap();
                }
            }
            Deed::Delete { which } => {
                if let Some(id) = pick(which) {
                    reports::delete(&transaction, id).unwrap();
                }
            }
            Deed::DeleteProject { project } => {
                projects::delete(&transaction, &format!("shop{project}.example")).unwrap();
            }
            Deed::Much => moves::forget(&transaction).unwrap(),
            Deed::Renew | Deed::Ask { .. } => {}
        }
        transaction.commit().unwrap();
    }

    fn ask(&self, query: &ReportQuery, offset: i64) {
        for view in [&self.present, &self.past] {
            let window = Window { offset, limit: 5 };
            let listed = lists::kept(view, &self.memory, query, window).unwrap();
            let expected = expected(view, query);
            assert_eq!(listed.total, i64::try_from(expected.len()).unwrap(), "{query:?}");
            let page = expected.into_iter().skip(usize::try_from(offset).unwrap()).take(5);
            assert_eq!(listed.rows, page.collect::<Vec<_>>(), "{query:?} after {offset}");
        }
    }
}

fn by_id() -> ReportQuery {
    ReportQuery { sort: Some((ReportSort::Id, Direction::Ascending)), ..ReportQuery::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn pages_are_what_leaving_rows_out_gives(
        before in prop::collection::vec((0..3_u8, 0..3_u8, 0..4_u8), 0..50),
        deeds in prop::collection::vec(deed(), 1..80),
    ) {
        let mut world = World::new();
        for (project, rank, word) in before {
            world.perform(&Deed::Create { project, rank, word });
        }
        for deed in &deeds {
            match deed {
                Deed::Ask { query, offset } => world.ask(query, *offset),
                Deed::Renew => {
                    world.past.execute_batch("COMMIT").unwrap();
                    world.begin();
                }
                Deed::Create { .. }
                | Deed::AuditAgain { .. }
                | Deed::Delete { .. }
                | Deed::DeleteProject { .. }
                | Deed::Much => world.perform(deed),
            }
        }
    }
}
