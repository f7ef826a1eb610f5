//! Invariants of the store under any sequence of operations.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::domain::list::query::{ProjectQuery, ReportQuery};
use crate::service::store::error::StoreError;
use crate::service::store::page::{ListPage, PageStart, PageWindow};
use crate::service::store::rows::{AuditRecord, ChangeOutcome, NewReportRow, ReportRow, RowUpdate};
use crate::service::store::seed::{SeedRow, seed};

use super::database::connection;
use super::transaction::{SqliteTransaction, complete};
use crate::service::store::tables::{history, lists, projects, reports, secrets};

const ALL: PageWindow = PageWindow { start: PageStart::Offset(0), limit: 1_000 };

/// Returns the connection, which may be inside a transaction, as one for the store's functions.
pub(super) fn on(connection: &Connection) -> SqliteTransaction<'_> {
    SqliteTransaction::on(connection, Path::new(""))
}

pub(super) fn done<T>(work: impl Future<Output = Result<T, StoreError>>) -> T {
    complete(work).unwrap()
}

fn list(connection: &Connection, query: &ReportQuery) -> ListPage<ReportRow> {
    done(lists::reports(&on(connection), query, &ALL))
}

pub(super) fn opened() -> (Connection, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    (connection::open(directory.path()).unwrap(), directory)
}

fn findings(project: u8, rank: u8) -> AuditRecord {
    AuditRecord {
        project: format!("shop{project}.example"),
        rank: rank.into(),
        score: rank * 45,
        failed: "title".into(),
        fetch_failure: None,
        checks: "{}".into(),
    }
}

pub(super) fn new(project: u8, rank: u8) -> NewReportRow {
    let url = format!("https://shop{project}.example/{rank}");
    NewReportRow { url, findings: findings(project, rank), privacy: 0, password_hash: None }
}

/// An operation on the store. Reports are identified by their index among the existing ones.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    Create { project: u8, rank: u8 },
    Rerun { which: usize, project: u8, rank: u8 },
    Delete { which: usize },
    DeleteProject { project: u8 },
}

fn operation() -> impl Strategy<Value = Operation> {
    let (which, project, rank) = (0..20_usize, 0..4_u8, 0..3_u8);
    prop_oneof![
        3 => (project.clone(), rank.clone()).prop_map(|(project, rank)| Operation::Create { project, rank }),
        2 => (which.clone(), project.clone(), rank)
            .prop_map(|(which, project, rank)| Operation::Rerun { which, project, rank }),
        1 => which.prop_map(|which| Operation::Delete { which }),
        1 => project.prop_map(|project| Operation::DeleteProject { project }),
    ]
}

pub(super) fn ids(connection: &Connection) -> Vec<i64> {
    list(connection, &ReportQuery::default()).rows.iter().map(|row| row.id).collect()
}

pub(super) fn perform(connection: &mut Connection, operation: &Operation) {
    let ids = ids(connection);
    let pick = |which: usize| (!ids.is_empty()).then(|| ids[which % ids.len()]);
    let transaction = connection.transaction().unwrap();
    match *operation {
        Operation::Create { project, rank } => {
            done(reports::insert(&on(&transaction), &new(project, rank)));
        }
        Operation::Rerun { which, project, rank } => {
            let change = RowUpdate { findings: Some(findings(project, rank)), ..RowUpdate::default() };
            if let Some(id) = pick(which) {
                let outcome = done(reports::change(&on(&transaction), id, &change));
                assert!(matches!(outcome, ChangeOutcome::Changed(_)), "{outcome:?}");
            }
        }
        Operation::Delete { which } => {
            if let Some(id) = pick(which) {
                assert!(done(reports::delete(&on(&transaction), id)));
            }
        }
        Operation::DeleteProject { project } => {
            let there = done(projects::counts(&on(&transaction), &format!("shop{project}.example"))).is_some();
            let left = done(projects::delete(&on(&transaction), &format!("shop{project}.example")));
            assert_eq!(left, there.then_some(false));
        }
    }
    transaction.commit().unwrap();
}

/// Stored counts equal counted rows; no project is empty; the search index matches the rows.
pub(super) fn check(connection: &Connection) {
    let rows = list(connection, &ReportQuery::default());
    assert_eq!(rows.total, i64::try_from(rows.rows.len()).ok());
    let mut counted: BTreeMap<&str, [i64; 4]> = BTreeMap::new();
    for row in &rows.rows {
        let counts = counted.entry(&row.project).or_default();
        counts[usize::try_from(row.rank).unwrap()] += 1;
        counts[3] += 1;
    }
    let listed = done(lists::projects(&on(connection), &ProjectQuery::default(), &ALL));
    let mut kept: BTreeMap<&str, [i64; 4]> = BTreeMap::new();
    for row in &listed.rows {
        kept.insert(&row.name, [row.counts.bad, row.counts.decent, row.counts.good, row.counts.reports]);
    }
    assert_eq!(kept, counted);
    assert_eq!(listed.total, i64::try_from(kept.len()).ok());
    let totals = done(projects::totals(&on(connection))).counts;
    let summed = kept.values().fold([0; 4], |sum, counts| std::array::from_fn(|at| sum[at] + counts[at]));
    assert_eq!([totals.bad, totals.decent, totals.good, totals.reports], summed);
    for index in ["report_search", "project_search"] {
        let question = format!("INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)");
        connection.execute(&question, []).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn kept_counts_equal_counted_rows_after_any_operations(operations in prop::collection::vec(operation(), 1..40)) {
        let (mut connection, _directory) = opened();
        connection.pragma_update(None, "synchronous", "OFF").unwrap();
        for operation in &operations {
            perform(&mut connection, operation);
        }
        check(&connection);
    }

    #[test]
    fn a_search_finds_exactly_the_matching_urls(texts in prop::collection::vec("[a-cA-C%_\"'*]{1,8}", 1..12), wanted in "[a-c%_\"'*]{1,4}") {
        let (mut connection, _directory) = opened();
        connection.pragma_update(None, "synchronous", "OFF").unwrap();
        let transaction = connection.transaction().unwrap();
        for text in &texts {
            done(reports::insert(&on(&transaction), &NewReportRow { url: text.clone(), ..new(1, 1) }));
        }
        transaction.commit().unwrap();
        let query = ReportQuery { search: Some(wanted.clone()), ..ReportQuery::default() };
        let found = list(&connection, &query);
        let expected = texts.iter().filter(|text| text.to_lowercase().contains(&wanted)).count();
        prop_assert_eq!(found.rows.len(), expected);
        prop_assert_eq!(found.total, i64::try_from(expected).ok());
    }
}

#[test]
fn seeded_rows_are_counted_and_found_like_others() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let rows = (0..50_u8).map(|number| SeedRow {
            url: format!("https://shop.example/{number}"),
            project: format!("shop{}.example", number % 4),
            score: number * 2,
            generated_at: jiff::Timestamp::UNIX_EPOCH,
            failed: Vec::new(),
        });
        assert_eq!(seed(directory.path(), rows).unwrap(), 50);
    }
    let mut connection = connection::open(directory.path()).unwrap();
    check(&connection);
    perform(&mut connection, &Operation::Create { project: 9, rank: 1 });
    perform(&mut connection, &Operation::Rerun { which: 5, project: 8, rank: 1 });
    perform(&mut connection, &Operation::DeleteProject { project: 1 });
    check(&connection);
    let indexes = "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'reports' AND type = 'index'";
    let indexes: i64 = connection.query_one(indexes, [], |row| row.get(0)).unwrap();
    assert_eq!(indexes, 12, "what was set aside is back");
}

#[test]
fn a_large_project_is_deleted_in_parts_so_that_other_writes_need_not_wait() {
    let part = projects::MOST_DELETED;
    assert_eq!(deleted_in_parts(part + 1), [(Some(true), 1, 1), (Some(false), 0, 0), (None, 0, 0)]);
    assert_eq!(deleted_in_parts(part), [(Some(false), 0, 0), (None, 0, 0), (None, 0, 0)]);
}

/// Deletes a project of this many reports three times, and returns what each found and left.
fn deleted_in_parts(reports: u32) -> [(Option<bool>, i64, i64); 3] {
    let directory = tempfile::tempdir().unwrap();
    let rows = (0..reports).map(|number| SeedRow {
        url: format!("https://shop.example/{number}"),
        project: "shop.example".to_owned(),
        score: 1,
        generated_at: jiff::Timestamp::UNIX_EPOCH,
        failed: Vec::new(),
    });
    seed(directory.path(), rows).unwrap();
    let mut connection = connection::open(directory.path()).unwrap();
    let mut delete = || {
        let transaction = connection.transaction().unwrap();
        let left = done(projects::delete(&on(&transaction), "shop.example"));
        let counts = done(projects::totals(&on(&transaction)));
        transaction.commit().unwrap();
        (left, counts.counts.reports, counts.projects)
    };
    [delete(), delete(), delete()]
}

#[test]
fn a_bounded_number_of_former_results_is_kept() {
    let (mut connection, _directory) = opened();
    connection.pragma_update(None, "synchronous", "OFF").unwrap();
    perform(&mut connection, &Operation::Create { project: 1, rank: 2 });
    for rank in [1, 0] {
        perform(&mut connection, &Operation::Rerun { which: 0, project: 1, rank });
    }
    let scores = |connection: &Connection, most| {
        let former = done(history::former(&on(connection), 1, most));
        former.iter().map(|former| (former.rank, former.score, former.failed.clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores(&connection, 10), [(1, 45, "title".to_owned()), (2, 90, "title".to_owned())]);
    assert_eq!(scores(&connection, 1).len(), 1);
    for _ in 0..120 {
        perform(&mut connection, &Operation::Rerun { which: 0, project: 1, rank: 0 });
    }
    assert_eq!(scores(&connection, u16::MAX).len(), 100);
    perform(&mut connection, &Operation::Delete { which: 0 });
    let left: i64 = connection.query_one("SELECT count(*) FROM history", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "a report takes its history along");
}

#[test]
fn a_secret_is_created_once() {
    let (mut connection, _directory) = opened();
    assert_eq!(done(secrets::find(&on(&connection), "pages")), None);
    let transaction = connection.transaction().unwrap();
    assert_eq!(done(secrets::keep(&on(&transaction), "pages", [1; 32])), [1; 32]);
    assert_eq!(done(secrets::keep(&on(&transaction), "pages", [2; 32])), [1; 32]);
    transaction.commit().unwrap();
    assert_eq!(done(secrets::find(&on(&connection), "pages")), Some([1; 32]));
}

#[test]
fn a_report_with_privacy_2_always_has_a_password() {
    let (mut connection, _directory) = opened();
    perform(&mut connection, &Operation::Create { project: 1, rank: 2 });
    let transaction = connection.transaction().unwrap();
    let change = RowUpdate { privacy: Some(2), ..RowUpdate::default() };
    assert_eq!(done(reports::change(&on(&transaction), 1, &change)), ChangeOutcome::WithoutPassword);
    let change = RowUpdate { password_hash: Some("hash".into()), ..change };
    let outcome = done(reports::change(&on(&transaction), 1, &change));
    assert!(matches!(outcome, ChangeOutcome::Changed(report) if report.0.privacy == 2 && report.0.has_password));
    assert_eq!(done(reports::change(&on(&transaction), 2, &change)), ChangeOutcome::Gone);
}

#[test]
fn stored_results_that_are_not_json_are_no_duplicates() {
    let (connection, _directory) = opened();
    let create = |rank, checks: &str| {
        let findings = AuditRecord { checks: checks.into(), ..findings(0, rank) };
        done(reports::insert(&on(&connection), &NewReportRow { findings, ..new(0, rank) }))
    };
    let titled = r#"{"title":{"value":{"title":"Tea"}},"meta_description":{"value":"All teas"}}"#;
    let id = create(0, titled);
    create(1, titled);
    create(2, "not JSON");
    let counts = done(reports::duplicates(&on(&connection), id, "Tea", "All teas"));
    assert_eq!((counts.titles, counts.descriptions), (1, 1));
}
