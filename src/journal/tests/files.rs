//! Files that are not this journal, are damaged, or cannot be opened, and who may read them.

use rusqlite::Connection;

use super::draft;
use crate::journal::Journal;

#[cfg(unix)]
#[test]
fn the_journal_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state").join("journal.sqlite");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let journal = Journal::open(&file).unwrap();
    journal.upsert_draft("embedded", &draft("https://shop.example")).unwrap();
    assert_eq!((mode(file.parent().unwrap()), mode(&file)), (0o700, 0o600));
    assert_eq!(mode(&file.with_extension("sqlite-wal")), 0o600);
    drop(journal);
    // A file that an earlier version created readable for everybody.
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let _journal = Journal::open(&file).unwrap();
    assert_eq!(mode(&file), 0o600);
}

#[test]
fn the_failure_names_a_journal_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    std::fs::write(&file, "this is no database, and it is long enough to be looked at as one").unwrap();
    let failure = Journal::open(&file).err().unwrap();
    assert!(failure.message.contains("journal.sqlite"), "{failure}");
}

#[test]
fn a_database_of_another_program_is_not_opened_as_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    for version in [0, 1] {
        let other = Connection::open(&file).unwrap();
        other
            .execute_batch(&format!("CREATE TABLE IF NOT EXISTS recipes (a); PRAGMA user_version = {version}"))
            .unwrap();
        drop(other);
        let before = std::fs::read(&file).unwrap();
        let failure = Journal::open(&file).err().unwrap();
        assert!(failure.message.contains("of another program"), "{failure}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

#[test]
fn the_advice_about_a_damaged_journal_is_to_move_it_away() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    std::fs::write(&file, [0xa5; 5_000]).unwrap();
    let failure = Journal::open(&file).err().unwrap();
    assert!(failure.to_string().contains("not a database"), "{failure}");
    assert!(failure.to_string().contains("move a damaged file away"), "{failure}");
    assert_eq!(std::fs::read(&file).unwrap(), [0xa5; 5_000]);
}

#[test]
fn nobody_is_told_to_move_away_a_journal_that_another_program_is_writing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    journal.connection.busy_timeout(std::time::Duration::ZERO).unwrap();
    let failure = journal.upsert_draft("a", &draft("one")).unwrap_err();
    assert!(failure.message.contains("database is locked"), "{failure}");
    assert!(failure.advice.contains("try again") && !failure.advice.contains("away"), "{failure}");
    other.execute_batch("ROLLBACK").unwrap();
    journal.upsert_draft("a", &draft("one")).unwrap();
}

#[test]
fn the_check_of_a_journal_finds_a_damaged_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    let journal = Journal::open(&file).unwrap();
    assert!(!Journal::check(&file).unwrap());
    journal.checkpoint_and_shrink();
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.len() - 4_096;
    bytes[at..].fill(0xa5);
    std::fs::write(&file, bytes).unwrap();
    assert!(Journal::check(&file).unwrap_err().advice.contains("journal.sqlite, and move it away if it is damaged"));
}
