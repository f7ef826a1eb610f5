//! Triage in the journal: states, notes, and the event log.

use super::{DAY, at, count, decision, noted, report, snapshot};
use crate::domain::event_log::{LogEntry, LogKind};
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::triage::{Note, NoteChange, State, Triage};
use crate::journal::Journal;

#[test]
fn what_was_done_survives_a_restart_in_order_and_audits_are_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let entry = |kind: LogKind, id: &str, second: i64| LogEntry {
        before: "bad 31".to_owned(),
        after: "good 85".to_owned(),
        detail: "repaired title".to_owned(),
        audited_at: "2026-01-02T08:00:00.123456789Z".parse().ok(),
        ..LogEntry::about(kind, &report(id), at(second))
    };
    let entries = [
        entry(LogKind::Rerun, "1", 10),
        LogEntry { begun_at: at(10), author: "ana".to_owned(), ..entry(LogKind::Rerun, "2", 12) },
        LogEntry { report: None, ..entry(LogKind::ProjectDeleted, "3", 13) },
    ];
    open().append_events("a", &entries).unwrap();
    let audited = LogEntry { audited_at: Some(at(11)), ..entry(LogKind::Audited, "1", 14) };
    for _ in 0..2 {
        open().append_events("a", std::slice::from_ref(&audited)).unwrap();
    }
    let rerun_in_a_list = LogEntry { before: "good 90".to_owned(), ..entry(LogKind::Audited, "1", 15) };
    open().append_events("a", &[rerun_in_a_list]).unwrap();
    let journal = open();
    assert_eq!(journal.load_events("a", 9).unwrap(), entries);
    assert_eq!(journal.load_events("a", 2).unwrap(), entries[1..]);
    let of_first = journal.load_events_of("a", &ReportId::new("1"), 9).unwrap();
    assert_eq!(of_first, [entries[0].clone(), audited.clone()]);
    assert_eq!(journal.load_events_since("a", at(14)).unwrap(), [audited]);
    assert!(journal.load_events("b", 9).unwrap().is_empty());
}

#[test]
fn states_and_notes_survive_a_restart_and_are_kept_per_service() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let states = [
        State::Looking,
        State::Waiting,
        State::ToVerify,
        State::WontFix,
        State::Snoozed { until: "2027-01-01T08:00:00.5Z".parse().unwrap() },
        State::Done,
    ];
    let mut decided: Vec<_> =
        states.iter().zip(1..).map(|(state, number)| decision(&number.to_string(), *state, number)).collect();
    decided[1].1.baseline.failing = None;
    decided[2].1.baseline.failing = Some(Box::default());
    decided[3].1.baseline.outcome = Outcome::from_name("Odd");
    let mut reopened = decision("a/\u{1b}b", State::New, 9);
    reopened.1.reason = Some("reopened: bad 31 → bad 22".to_owned());
    decided.push(reopened);
    let note = Note::new("asked\nMona", at(7)).unwrap();
    let journal = open();
    journal.upsert_states("a", &decided, &[]).unwrap();
    let second = Note::new("they answered", at(8)).unwrap();
    journal.store_notes("a", &[noted("1", &note), noted("1", &second)]).unwrap();
    drop(journal);
    let journal = open();
    assert_eq!(journal.load_states("a").unwrap(), decided.into_iter().collect());
    assert_eq!(
        journal.load_notes("a").unwrap(),
        [note.clone(), second.clone()].map(|note| (ReportId::new("1"), note)).into_iter().collect()
    );
    assert!(journal.load_states("b").unwrap().is_empty() && journal.load_notes("b").unwrap().is_empty());
    journal.upsert_states("a", &[decision("1", State::New, 10)], &[]).unwrap();
    let edited = Note { text: "asked Ines".into(), ..note };
    journal.store_notes("a", &[noted("1", &edited), NoteChange { note: None, ..noted("1", &second) }]).unwrap();
    assert!(journal.load_states("a").unwrap().get(&ReportId::new("1")).is_none());
    assert_eq!(journal.load_notes("a").unwrap().of(&ReportId::new("1")), [edited]);
}

#[test]
fn two_instances_lose_none_of_each_others_writes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.sqlite");
    drop(Journal::open(&file).unwrap());
    let window = |first: u8| {
        let file = file.clone();
        std::thread::spawn(move || {
            let journal = Journal::open(&file).unwrap();
            for number in (first..200).step_by(2) {
                journal.upsert_states("a", &[decision(&number.to_string(), State::Waiting, 1)], &[]).unwrap();
                if number % 20 < 2 {
                    journal.store_snapshot("a", &snapshot(&[report("1")], i64::from(number))).unwrap();
                }
            }
        })
    };
    for window in [window(0), window(1)] {
        window.join().unwrap();
    }
    assert_eq!(Journal::open(&file).unwrap().load_states("a").unwrap().len(), 200);
}

#[test]
fn a_decision_is_not_undone_by_an_older_observation() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let (mine, theirs) = (open(), open());
    let (id, waiting) = decision("1", State::Waiting, 1);
    mine.upsert_states("a", &[(id.clone(), waiting.clone())], &[]).unwrap();
    assert_eq!(theirs.load_states("a").unwrap().get(&id), Some(&waiting));
    let (_, looking) = decision("1", State::Looking, 2);
    theirs.upsert_states("a", &[(id.clone(), looking.clone())], &[]).unwrap();
    let mut reopened = Triage::set(State::New, &report("1"), at(3));
    reopened.reason = Some("reopened".to_owned());
    let seen = |former: &Triage| {
        [(id.clone(), former.set_at, reopened.clone()), (ReportId::new("2"), at(1), reopened.clone())]
    };
    assert_eq!(mine.update_states("a", &seen(&waiting)).unwrap(), [false, false]);
    assert_eq!(mine.load_states("a").unwrap().get(&id), Some(&looking));
    assert_eq!(mine.update_states("a", &seen(&looking)).unwrap(), [true, false]);
    assert_eq!(theirs.load_states("a").unwrap().get(&id), Some(&reopened));
}

#[test]
fn states_and_notes_of_reports_in_no_list_are_deleted_after_a_year() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    for id in ["1", "2"] {
        journal.upsert_states("a", &[decision(id, State::WontFix, 0)], &[]).unwrap();
        journal.store_notes("a", &[noted(id, &Note::new("why", at(0)).unwrap())]).unwrap();
        journal.append_events("a", &[LogEntry::about(LogKind::Password, &report(id), at(200 * DAY))]).unwrap();
    }
    journal.append_events("a", &[LogEntry::about(LogKind::Password, &report("1"), at(0))]).unwrap();
    for day in (10..=364).step_by(22).chain([364]) {
        journal.store_snapshot("a", &snapshot(&[report("1")], day * DAY)).unwrap();
        assert_eq!((count(&journal, "triages"), count(&journal, "notes")), (2, 2), "day {day}");
    }
    journal.store_snapshot("b", &snapshot(&[], 366 * DAY)).unwrap();
    assert!(journal.load_states("a").unwrap().get(&ReportId::new("1")).is_some());
    assert_eq!(["triages", "notes", "events"].map(|table| count(&journal, table)), [1, 1, 2]);
}

#[test]
fn an_old_state_or_note_that_is_stored_again_counts_as_seen() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    for day in (0..=400).step_by(20) {
        journal.store_snapshot("a", &snapshot(&[report("1"), report("2")], day * DAY)).unwrap();
    }
    // Undo restores them with their own times; an observation that adds known checks keeps the time of the state.
    let [undone, learned] = ["1", "2"].map(|id| decision(id, State::WontFix, 0));
    journal.upsert_states("a", &[undone, learned.clone()], &[]).unwrap();
    assert_eq!(journal.update_states("a", &[(learned.0, at(0), learned.1)]).unwrap(), [true]);
    journal.store_notes("a", &[noted("1", &Note::new("why", at(0)).unwrap())]).unwrap();
    // A filtered list, which contains neither report.
    journal.store_snapshot("a", &snapshot(&[], 401 * DAY)).unwrap();
    assert_eq!((count(&journal, "triages"), count(&journal, "notes")), (2, 1));
}
