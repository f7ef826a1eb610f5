//! The copy of a desk and its outbox in the journal.

use serde_json::json;

use super::at;
use crate::domain::desk::{ChangeId, DeskActor, DeskContent, DeskEvent, DeskMe, DeskWrite, OutboxEntry, Role};
use crate::domain::report::ReportId;
use crate::journal::{ConfirmedWrite, DeskCopy, Journal};

#[test]
fn a_confirmed_write_moves_from_the_outbox_to_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let journal = open();
    let me = DeskMe { handle: None, actor: DeskActor::Operator, role: Role::Triage };
    let content = DeskContent::default();
    journal.store_desk("a", &DeskCopy { service: 1, me, people: Vec::new(), content, read_at: at(1) }).unwrap();
    let [of_row, of_note, of_withdrawal] = [1, 2, 3].map(|byte| ChangeId::from_random([byte; 16]));
    let outgoing = [of_row, of_note, of_withdrawal].map(|change| OutboxEntry {
        write: DeskWrite::Withdrawal { report: ReportId::new("7"), note: 3, change },
        decided_at: at(2),
        decided_by: None,
        must_ask: false,
        is_confirmed: false,
    });
    journal.store_outgoing("a", &outgoing).unwrap();

    let by = "anna";
    let row = json!({
        "report": "7", "state": "looking", "holder": "anna", "baseline": { "result": "bad" }, "reason": null,
        "version": 4, "set_by": by, "set_at": "2026-01-02T03:04:05Z",
    });
    let note = |withdrawn: bool| {
        let text = if withdrawn { "" } else { "asked the shop" };
        let at = "2026-01-02T03:04:05Z";
        json!({ "id": 3, "report": "7", "author": by, "text": text, "at": at, "withdrawn": withdrawn })
    };
    let row = serde_json::from_value(row).unwrap();
    let [written, withdrawn] = [false, true].map(|withdrawn| serde_json::from_value(note(withdrawn)).unwrap());
    let stored = || {
        let content = open().load_desk("a").unwrap().unwrap().content;
        (content.rows.len(), content.notes.len(), open().load_outbox("a").unwrap().len())
    };
    assert_eq!(stored(), (0, 0, 3));
    for (change, confirmed, expected) in [
        (of_row, ConfirmedWrite::Row(row), (1, 0, 2)),
        (of_note, ConfirmedWrite::Note(written), (1, 1, 1)),
        (of_withdrawal, ConfirmedWrite::Note(withdrawn), (1, 0, 0)),
    ] {
        journal.confirm_outgoing("a", change, &confirmed).unwrap();
        assert_eq!(stored(), expected);
    }
}

#[test]
fn events_older_than_what_the_copy_has_do_not_bring_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.sqlite")).unwrap();
    let me = DeskMe { handle: None, actor: DeskActor::Operator, role: Role::Triage };
    let time = "2026-01-02T03:04:05Z";
    let row = |version: i64| {
        json!({ "report": "7", "state": "looking", "holder": null, "baseline": {}, "reason": null, "version": version,
                "set_by": "anna", "set_at": time })
    };
    let note = |id: i64, withdrawn: bool| json!({ "id": id, "report": "7", "author": "anna", "text": "asked", "at": time, "withdrawn": withdrawn });
    let event = |revision: i64, kind: &str, after: &serde_json::Value| {
        let change = ChangeId::from_random([7; 16]);
        let event = json!({ "revision": revision, "change": change, "service": 1, "report": "7", "person": "anna",
                            "kind": kind, "before": null, "after": after, "at": time });
        serde_json::from_value::<DeskEvent>(event).unwrap()
    };
    // The responses to a withdrawal and to a later write of the row preceded the events.
    let mut content = DeskContent::default();
    content.put_note(serde_json::from_value(note(3, true)).unwrap());
    content.put_row(serde_json::from_value(row(9)).unwrap());
    let events = [event(1, "state", &row(5)), event(2, "note", &note(3, false)), event(3, "note", &note(4, false))];
    for event in &events {
        content.apply(event);
    }
    let copy = DeskCopy { service: 1, me, people: Vec::new(), content, read_at: at(1) };
    journal.store_desk("a", &copy).unwrap();
    journal.update_desk("a", &copy, &events).unwrap();
    let stored = journal.load_desk("a").unwrap().unwrap().content;
    assert_eq!(stored.rows, copy.content.rows);
    assert_eq!(stored.notes.keys().collect::<Vec<_>>(), [&4]);
}
