//! The rows of the last list: stored, read in parts, replaced and deleted.

use super::{DAY, at, count, report, snapshot};
use crate::domain::list::cached_rows::{CachedRows, CachedRowsPart};
use crate::domain::list::rows::Rows;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::triage::changes::ListScope;
use crate::journal::Journal;
use crate::journal::rows::ROWS_OF_A_PART;

#[test]
fn storing_rows_empties_the_write_ahead_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    let rows = (0..2_000).map(|number| row(&number.to_string(), "https://shop.example", Outcome::Good));
    let taken_at = at(0);
    let last = CachedRows { rows: rows.collect(), scope: ListScope::default(), taken_at, total: None, next: None };
    journal.store_rows("embedded", &last).unwrap();
    let log = folder.path().join("journal.sqlite-wal");
    assert_eq!(std::fs::metadata(log).unwrap().len(), 0);
    assert_eq!(journal.load_rows("embedded", None).unwrap().unwrap().rows.len(), 1_000);
}

#[test]
fn the_last_rows_survive_a_restart_and_are_deleted_after_a_year() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    assert_eq!(journal.load_rows("a", None).unwrap(), None);
    let scope = ListScope { project: Some("shop \"x\"".to_owned()), ..ListScope::default() };
    let rows = ["1", "2"].map(report).into_iter().collect();
    let mut last = CachedRows { rows, scope, taken_at: at(5), total: Some(7), next: None };
    journal.store_rows("a", &last).unwrap();
    last.rows = [report("2")].into_iter().collect();
    journal.store_rows("a", &last).unwrap();
    assert_eq!(Journal::open(&file).unwrap().load_rows("a", None).unwrap(), Some(last));
    journal.connection.execute("UPDATE row_parts SET content = x'ff00'", []).unwrap();
    assert_eq!(journal.load_rows("a", None).unwrap(), None, "a blob of another version is as good as none");
    for day in (6..=366).step_by(30) {
        assert_eq!(count(&journal, "last_rows"), 1, "day {day}");
        journal.store_snapshot("b", &snapshot(&[], day * DAY)).unwrap();
    }
    assert_eq!((count(&journal, "last_rows"), count(&journal, "row_parts")), (0, 0), "not opened for a year");
}

#[test]
fn rows_are_read_in_parts_of_one_list() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let list = |count: usize, second| {
        let rows = (0..count).map(|number| row(&number.to_string(), "https://shop.example", Outcome::Good)).collect();
        CachedRows { rows, scope: ListScope::default(), taken_at: at(second), total: Some(9), next: None }
    };
    for count in [0, 1, ROWS_OF_A_PART, ROWS_OF_A_PART + 1, 3 * ROWS_OF_A_PART] {
        let kept = list(count, 5);
        journal.store_rows("a", &kept).unwrap();
        let first = journal.load_rows("a", None).unwrap();
        let parts = std::iter::successors(first, |part| journal.load_rows("a", Some(part.next?)).unwrap());
        let parts: Vec<CachedRows> = parts.collect();
        assert_eq!(parts.len(), count.div_ceil(ROWS_OF_A_PART).max(1));
        assert!(parts.iter().all(|part| (part.taken_at, part.total) == (at(5), Some(9))));
        assert_eq!(parts.into_iter().flat_map(|part| part.rows).collect::<Rows>(), kept.rows);
    }
    let next = journal.load_rows("a", None).unwrap().unwrap().next;
    assert_eq!(next, Some(CachedRowsPart { taken_at: at(5), number: 1 }));
    journal.store_rows("a", &list(2 * ROWS_OF_A_PART, 6)).unwrap();
    assert_eq!(journal.load_rows("a", next).unwrap(), None);
}
