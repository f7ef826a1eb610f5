//! The journal as a whole: restarts, several instances, ageing, and files of other versions.

mod desk;
mod files;
mod rows;
mod triage;

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::Connection;

use crate::domain::bulk::BulkOperation;
use crate::domain::draft::{Draft, DraftKey};
use crate::domain::event_log::LogKind;
use crate::domain::list::cached_rows::{CachedRows, SavedView};
use crate::domain::list::columns::Column;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::changes::{ListScope, Snapshot};
use crate::domain::triage::{Note, NoteChange, State, Triage};
use crate::journal::Journal;
use crate::journal::database::MIGRATIONS;
use crate::journal::snapshots::MOST_SNAPSHOTS;

/// Creates the change that adds a note.
fn noted(id: &str, note: &Note) -> NoteChange {
    NoteChange { report: ReportId::new(id), written_at: note.written_at, note: Some(note.clone()) }
}

pub(super) const DAY: i64 = 86_400;

fn draft(url: &str) -> Draft {
    Draft { privacy: Some(1), ..Draft::of_text(DraftKey::NewReport, url) }
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(super) fn report(id: &str) -> Report {
    let mut report = row(id, "https://shop.example/tea", Outcome::Bad);
    report.score = Some(31);
    let at: jiff::Timestamp = "2026-11-20T10:00:00.123456789Z".parse().unwrap();
    report.generated_at = at.into();
    report.failed = ["title", "csp"].into();
    report
}

pub(super) fn decision(id: &str, state: State, second: i64) -> (ReportId, Triage) {
    (ReportId::new(id), Triage::set(state, &report(id), at(second)))
}

pub(super) fn snapshot(reports: &[Report], second: i64) -> Snapshot {
    Snapshot::take(reports.iter(), ListScope::default(), true, at(second))
}

pub(super) fn count(journal: &Journal, table: &str) -> i64 {
    journal.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_checkpoint_disturbs_no_other_instance() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let (mine, theirs) = (Journal::open(&file).unwrap(), Journal::open(&file).unwrap());
    assert!(!mine.has_log(), "nothing was written yet");
    mine.upsert_draft("a", &draft("one")).unwrap();
    assert!(mine.has_log());
    let view = theirs.connection.unchecked_transaction().unwrap();
    assert_eq!(theirs.load_drafts("a").unwrap(), [draft("one")]);
    mine.upsert_draft("a", &draft("two")).unwrap();
    mine.checkpoint();
    assert!(!mine.has_log(), "it is tried once");
    assert_eq!(theirs.load_drafts("a").unwrap(), [draft("one")], "what is read stays as it was");
    drop(view);
    assert_eq!(theirs.load_drafts("a").unwrap(), [draft("two")]);
    // Large writes checkpoint the log themselves.
    mine.store_snapshot("a", &snapshot(&[], 1)).unwrap();
    assert!(!mine.has_log());
}

#[test]
fn a_journal_opens_while_another_instance_is_writing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let mine = Journal::open(&file).unwrap();
    let open_another = |_: &rusqlite::Transaction<'_>| Ok(Journal::open(&file)?.load_drafts("a")?);
    assert!(mine.write("wait", open_another).unwrap().is_empty());
}

#[test]
fn a_pending_deletion_is_another_instances_concern_only_once_its_own_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let (mine, theirs) = (Journal::open(&file).unwrap(), Journal::open(&file).unwrap());
    let deletion = Draft::of_text(DraftKey::DeleteProject("shop".to_owned()), "shop");
    mine.upsert_draft("a", &deletion).unwrap();
    mine.upsert_draft("a", &draft("one")).unwrap();
    assert_eq!(theirs.load_drafts("a").unwrap(), [draft("one")]);
    drop(mine);
    assert_eq!(theirs.load_drafts("a").unwrap(), [deletion, draft("one")]);
}

#[test]
fn drafts_survive_a_restart_and_are_kept_per_service() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep/journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    journal.upsert_draft("a", &draft("one")).unwrap();
    journal.upsert_draft("a", &draft("two")).unwrap();
    drop(journal);
    let journal = Journal::open(&file).unwrap();
    assert_eq!(journal.load_drafts("a").unwrap(), [draft("two")]);
    assert!(journal.load_drafts("b").unwrap().is_empty());
    journal.delete_draft("a", &DraftKey::NewReport).unwrap();
    assert!(journal.load_drafts("a").unwrap().is_empty());
    let synchronous = journal.connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0));
    assert_eq!(synchronous.unwrap(), 2, "a write that was stored as sent stays so after a power failure");
}

#[test]
fn a_temporarily_wrong_clock_deletes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let (today, mut changing) = (400 * DAY, report("1"));
    let mut look = |second: i64, score: u8| {
        changing.score = Some(score);
        journal.store_snapshot("a", &snapshot(std::slice::from_ref(&changing), second)).unwrap();
    };
    for day in 0..10 {
        look(today + day * DAY, u8::try_from(day).unwrap());
    }
    for id in ["1", "2"] {
        journal.upsert_states("a", &[decision(id, State::WontFix, today)], &[]).unwrap();
        journal.store_notes("a", &[noted(id, &Note::new("why", at(today)).unwrap())]).unwrap();
    }
    let rows = [report("1")].into_iter().collect();
    journal
        .store_rows(
            "b",
            &CachedRows { rows, scope: ListScope::default(), taken_at: at(today), total: None, next: None },
        )
        .unwrap();
    let kept = || ["triages", "notes", "last_rows"].map(|table| count(&journal, table));
    let days = || {
        let mut taken = Vec::new();
        journal.load_latest_snapshots("a", &ListScope::default(), 60, |snapshot| taken.push(snapshot)).unwrap();
        assert!(taken.is_sorted_by_key(|snapshot| snapshot.taken_at), "the oldest first");
        taken.iter().map(|taken| (taken.taken_at.as_second() - today) / DAY).filter(|day| (0..10).contains(day)).count()
    };
    assert_eq!((kept(), days()), ([2, 2, 1], 10));
    // Ahead by two years for some looks, then right; back by a year, then right.
    for (leap, score) in [(730, 20), (731, 21), (735, 22), (10, 30), (-365, 40), (-364, 41), (11, 50)] {
        look(today + leap * DAY, score);
        assert_eq!((kept(), days()), ([2, 2, 1], 10), "{leap} days away");
        let before =
            journal.load_snapshot_before("a", &ListScope::default(), at(today + 9 * DAY + 1)).unwrap().unwrap();
        assert_eq!(before.taken_at, at(today + 9 * DAY));
    }
}

#[test]
fn the_list_that_was_seen_last_is_not_thinned_away() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let mut changing = report("1");
    for look in 0..400_i64 {
        changing.score = u8::try_from(look % 101).ok();
        journal.store_snapshot("a", &snapshot(std::slice::from_ref(&changing), look * DAY / 4)).unwrap();
        if look == 101 {
            journal.store_seen_at("a", at(look * DAY / 4 + 60)).unwrap();
        }
    }
    let seen_at = journal.load_seen_at("a").unwrap().unwrap();
    let seen = journal.load_snapshot_before("a", &ListScope::default(), seen_at).unwrap().unwrap();
    assert_eq!(seen.taken_at, at(101 * DAY / 4), "of 70 days before");
    assert_eq!(journal.load_seen_at("b").unwrap(), None);
    assert!(usize::try_from(count(&journal, "snapshots")).unwrap() <= MOST_SNAPSHOTS);
}

#[test]
fn snapshots_are_thinned_with_age_and_bounded_in_number() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    // 1,560 writes that wait for the disk take half a minute on some machines.
    journal.connection.pragma_update(None, "synchronous", "OFF").unwrap();
    let mut changing = report("1");
    // Four looks a day for a year, every one different.
    for look in 0..1_460_i64 {
        changing.score = u8::try_from(look % 101).ok();
        let taken = snapshot(std::slice::from_ref(&changing), look * DAY / 4);
        journal.store_snapshot("a", &taken).unwrap();
        if look > 0 {
            let before = journal.load_snapshot_before("a", &ListScope::default(), taken.taken_at).unwrap().unwrap();
            assert_eq!(before.taken_at, at((look - 1) * DAY / 4), "the look before is always there");
        }
    }
    let kept = count(&journal, "snapshots");
    assert!(kept >= 40 && usize::try_from(kept).unwrap() <= MOST_SNAPSHOTS, "{kept}");
    let last = journal.load_snapshot_before("a", &ListScope::default(), at(400 * DAY)).unwrap().unwrap();
    journal.store_snapshot("a", &Snapshot { taken_at: at(366 * DAY), ..last }).unwrap();
    assert_eq!(count(&journal, "snapshots"), kept, "what says the same is not kept again");
    for scope in 0..100 {
        let scope = ListScope { search: Some(scope.to_string()), ..ListScope::default() };
        let taken = Snapshot::take([report("1")].iter(), scope, true, at(366 * DAY));
        journal.store_snapshot("a", &taken).unwrap();
    }
    assert_eq!(usize::try_from(count(&journal, "snapshots")).unwrap(), MOST_SNAPSHOTS);
}

#[test]
fn the_requested_scores_are_a_series() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    for (score, day) in [(31, 1), (31, 1), (44, 2), (80, 3)] {
        let mut reports = [report("1"), report("2")];
        reports[0].score = Some(score);
        reports[0].generated_at = at(day * DAY).into();
        reports[1].score = None;
        journal.store_snapshot("a", &snapshot(&reports, day * DAY + 60)).unwrap();
    }
    let wanted: HashSet<ReportId> = ["1", "2", "3"].map(ReportId::new).into_iter().collect();
    let series = vec![(at(DAY), 31), (at(2 * DAY), 44), (at(3 * DAY), 80)];
    assert_eq!(journal.load_scores("a", &wanted).unwrap(), [(ReportId::new("1"), series)].into_iter().collect());
}

#[test]
fn views_are_kept_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let view = |name: &str, line: &str| SavedView { name: name.to_owned(), line: line.to_owned() };
    for saved in [view("mine", "one"), view("all", "two"), view("mine", "three")] {
        journal.upsert_view("a", &saved).unwrap();
    }
    assert_eq!(journal.load_views("a").unwrap(), [view("all", "two"), view("mine", "three")]);
    journal.delete_view("a", "all").unwrap();
    assert_eq!((journal.load_views("a").unwrap().len(), journal.load_views("b").unwrap().len()), (1, 0));
}

#[test]
fn columns_of_another_version_are_skipped_and_never_leave_a_table_without_urls() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    for (stored, expected) in
        [("url,mood,result", Some(vec![Column::Url, Column::Result])), ("mood", None), ("result", None)]
    {
        let sql = "INSERT OR REPLACE INTO settings (service, name, value) VALUES ('a', 'columns', ?1)";
        journal.connection.execute(sql, [stored]).unwrap();
        assert_eq!(journal.load_columns("a").unwrap(), expected, "{stored}");
    }
}

#[test]
fn a_journal_of_a_newer_version_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let newer = Connection::open(&file).unwrap();
    newer.execute_batch("CREATE TABLE later (a); PRAGMA user_version = 99").unwrap();
    drop(newer);
    let before = std::fs::read(&file).unwrap();
    let failure = Journal::open(&file).err().unwrap();
    assert!(failure.message.contains("newer version"), "{failure}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was put beside it");
}

#[test]
fn an_open_journal_that_a_newer_version_has_migrated_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    let newer = Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    for failed in [journal.delete_view("a", "all"), journal.upsert_states("a", &[], &[])] {
        assert!(failed.is_err_and(|failure| failure.message.contains("a newer version")));
    }
    assert!(journal.load_views("a").unwrap().is_empty(), "it can still be read");
}

#[test]
fn a_journal_of_the_previous_version_keeps_its_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let older = Connection::open(&file).unwrap();
    older.execute_batch(MIGRATIONS[0]).unwrap();
    older.execute_batch(MIGRATIONS[1]).unwrap();
    older.pragma_update(None, "user_version", 2).unwrap();
    let text = serde_json::to_string(&draft("one")).unwrap();
    older.execute("INSERT INTO drafts VALUES ('a', 'new', ?1)", [text]).unwrap();
    drop(older);
    let journal = Journal::open(&file).unwrap();
    assert_eq!(journal.load_drafts("a").unwrap(), [draft("one")]);
    journal.upsert_states("a", &[decision("1", State::Waiting, 1)], &[]).unwrap();
    assert_eq!(journal.load_states("a").unwrap().len(), 1);
}

#[test]
fn changing_the_encoding_drops_rows_and_snapshots_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let (id, view) = (ReportId::new("1"), SavedView { name: "mine".to_owned(), line: "bad".to_owned() });
    let triage = Triage::set(State::Waiting, &report("1"), at(1));
    let note = Note::new("ask the shop", at(1)).unwrap();
    let last = CachedRows {
        rows: [report("1")].into_iter().collect(),
        scope: ListScope::default(),
        taken_at: at(1),
        total: None,
        next: None,
    };
    let journal = Journal::open(&file).unwrap();
    journal.upsert_draft("a", &draft("one")).unwrap();
    journal.upsert_states("a", &[(id.clone(), triage.clone())], &[]).unwrap();
    journal.upsert_view("a", &view).unwrap();
    journal.insert_run("a", &BulkOperation::Rerun, &[]).unwrap();
    journal.store_rows("a", &last).unwrap();
    journal.store_snapshot("a", &snapshot(&[report("1")], 1)).unwrap();
    drop(journal);
    // Version 6 only deletes, and version 7 gives notes another key. The earlier tables are recreated here.
    let older = Connection::open(&file).unwrap();
    let notes = MIGRATIONS[2].split_inclusive(';').find(|sql| sql.contains("TABLE notes")).unwrap();
    let later = "DROP TABLE notes; DROP TABLE events; DROP TABLE desk_copies; DROP TABLE desk_copy_rows; \
                 DROP TABLE desk_copy_notes; DROP TABLE desk_outbox";
    older.execute_batch(later).unwrap();
    older.execute_batch(notes).unwrap();
    older.execute("INSERT INTO notes VALUES ('a', '1', 'ask the shop', 1000, 1000)", []).unwrap();
    older.pragma_update(None, "user_version", 5).unwrap();
    drop(older);
    let journal = Journal::open(&file).unwrap();
    let tables = ["last_rows", "row_parts", "snapshots", "drafts", "triages", "notes", "views", "runs"];
    assert_eq!(tables.map(|table| count(&journal, table)), [0, 0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(journal.load_drafts("a").unwrap(), [draft("one")]);
    assert_eq!(journal.load_states("a").unwrap().get(&id), Some(&triage));
    assert_eq!(journal.load_notes("a").unwrap().of(&id), [note], "the former note is the first entry");
    assert_eq!(journal.load_views("a").unwrap(), [view]);
    let logged = journal.load_events("a", 9).unwrap();
    assert_eq!(
        logged.iter().map(|entry| (entry.kind, &*entry.after)).collect::<Vec<_>>(),
        [(LogKind::State, "waiting")]
    );
    journal.store_rows("a", &last).unwrap();
    assert_eq!(journal.load_rows("a", None).unwrap(), Some(last));
}
