//! The copy of a desk and its outbox in the journal.

use serde_json::json;

use super::at;
use crate::domain::desk::{ChangeId, DeskActor, DeskContent, DeskMe, DeskWrite, OutboxEntry, Role};
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
