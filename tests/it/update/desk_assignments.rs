//! Assignments on the desk: undo and redo, while colleagues work on the same reports; and withdrawn notes.

use reportdeck::app::App;
use reportdeck::app::message::DeskMessage;
use reportdeck::domain::desk::{
    ChangeId, DeskActor, DeskEvent, DeskNote, DeskRow, DeskWrite, EventDetail, Handle, LogPosition, OutboxEntry,
    Person, Role, RowPrecondition, put_person,
};
use reportdeck::domain::report::ReportId;
use reportdeck::domain::text::Text;
use reportdeck::domain::triage::State;

use super::desk::{on_desk, receive, sent};
use super::*;
use crate::support::session::draw;

/// A dashboard of `anna`, who waits for two reports, and can assign them to `ben`.
fn beside_ben() -> App {
    with_ben(vec![desk_row("1", State::Waiting, "anna", 7), desk_row("2", State::Waiting, "anna", 7)])
}

/// A dashboard of `anna` on a desk with these rows, with `ben` as a colleague.
fn with_ben(rows: Vec<DeskRow>) -> App {
    let mut app = on_desk(rows);
    let name = Text::from_outside("ben");
    let ben = Person { handle: "ben".parse().unwrap(), name, role: Some(Role::Triage), left_at: None };
    put_person(&mut app.desk.as_mut().unwrap().people, &ben);
    app
}

/// Returns report, state and holder of each row that was sent.
fn rows(entries: &[OutboxEntry]) -> Vec<(String, State, String)> {
    let row = |entry: &OutboxEntry| match &entry.write {
        DeskWrite::Row { report, write, .. } => {
            let holder = write.holder.as_ref().map(Handle::to_string).unwrap_or_default();
            (report.raw().to_owned(), write.state, holder)
        }
        other => panic!("{other:?}"),
    };
    entries.iter().map(row).collect()
}

#[test]
fn assignments_and_hand_overs_are_undone_and_redone() {
    let mut app = beside_ben();
    let both = |holder: &str| ["1", "2"].map(|id| (id.to_owned(), State::Waiting, holder.to_owned())).to_vec();
    let sorted = |effects| {
        let mut rows = rows(&sent(effects));
        rows.sort_by(|one, other| one.0.cmp(&other.0));
        rows
    };
    assert_eq!(sorted(press(&mut app, "H enter")), both("ben"));
    assert_eq!(sorted(press(&mut app, "u")), both("anna"));
    assert!(notice(&app).starts_with("Undone: holders of 2 reports"), "{}", notice(&app));
    assert_eq!(sorted(press(&mut app, "U")), both("ben"));
    assert_eq!(sorted(press(&mut app, "u")), both("anna"));
    let at = (0..5).find(|at| app.reports.shown_row(*at).unwrap().id.raw() == "1").unwrap();
    let down = "j ".repeat(at);
    press(&mut app, &format!("g {down}a G enter"));
    assert_eq!(app.desk.as_ref().unwrap().holder(&ReportId::new("1")), None);
    assert_eq!(sorted(press(&mut app, "u")), both("anna")[..1]);
    assert_eq!(notice(&app), "Undone: holder of shop.example/tea: anna · U redoes");
    // Assigning to the holder again changes nothing, so one step leads back.
    press(&mut app, "a enter");
    assert!(sent(press(&mut app, "a enter")).is_empty());
    assert_eq!(notice(&app), "shop.example/tea: already with ben");
    assert_eq!(sorted(press(&mut app, "u")), both("anna")[..1]);
}

#[test]
fn reports_are_handed_over_to_others_who_may_work_on_them() {
    let mut app = beside_ben();
    let people = [("anna", Some(Role::Triage)), ("carla", Some(Role::Viewer)), ("dora", None)];
    for (handle, role) in people {
        let name = Text::from_outside(handle);
        let person = Person { handle: handle.parse().unwrap(), name, role, left_at: None };
        put_person(&mut app.desk.as_mut().unwrap().people, &person);
    }
    let mut offered = |key: &str| {
        press(&mut app, key);
        let screen = draw(&app, 100, 30).0;
        press(&mut app, "esc");
        ["anna (you)", "carla", "dora"].map(|person| screen.contains(person))
    };
    // Carla may only read. Dora has no key yet.
    assert_eq!(offered("H"), [false, false, true]);
    assert_eq!(offered("a"), [true, false, true]);
}

#[test]
fn the_claim_of_a_person_who_has_left_the_team_is_free_for_everybody() {
    let mut app = with_ben(vec![desk_row("1", State::Looking, "ben", 7), desk_row("2", State::Looking, "ben", 7)]);
    press(&mut app, "Q");
    assert!(draw(&app, 100, 30).0.contains("2 with others"));
    press(&mut app, "esc");
    let desk = app.desk.as_mut().unwrap();
    let ben = desk.people.iter().find(|person| person.handle.as_str() == "ben").unwrap().clone();
    put_person(&mut desk.people, &Person { left_at: Some(now()), role: None, ..ben });
    press(&mut app, "Q");
    let screen = draw(&app, 100, 30).0;
    assert!(screen.contains("Queue 1/") && !screen.contains("with others"), "{screen}");
    let [(_, state, holder)] = &rows(&sent(press(&mut app, "l")))[..] else { panic!("one report is claimed") };
    assert_eq!((*state, holder.as_str()), (State::Looking, "anna"));
}

#[test]
fn the_same_holder_is_assigned_again_only_while_the_desk_is_away() {
    let mut app = with_ben(vec![desk_row("1", State::Waiting, "ben", 7)]);
    assert!(sent(press(&mut app, "a enter")).is_empty());
    receive(&mut app, DeskMessage::Unreachable(super::desk::failure(FailureKind::Unreachable), None));
    assert_eq!(sent(press(&mut app, "a enter")).len(), 1);
    assert!(sent(press(&mut app, "a enter")).is_empty());
}

#[test]
fn a_hand_over_leaves_a_report_that_a_colleague_has_taken_meanwhile() {
    let mut app = beside_ben();
    press(&mut app, "H");
    let taken = Box::new(desk_row("1", State::Looking, "carl", 8));
    receive(&mut app, changes(&ReportId::new("1"), EventDetail::State { before: None, after: taken }, 1));
    let handed_over = rows(&sent(press(&mut app, "enter")));
    assert_eq!(handed_over, [("2".to_owned(), State::Waiting, "ben".to_owned())]);
}

#[test]
fn an_undone_assignment_keeps_the_state_that_a_colleague_set_meanwhile() {
    let mut app = beside_ben();
    let [entry, _] = &sent(press(&mut app, "H enter"))[..] else { panic!("two reports are handed over") };
    let report = entry.write.report().clone();
    let row = desk_row(report.raw(), State::Waiting, "ben", 8);
    receive(&mut app, DeskMessage::Written(entry.write.change(), Box::new(row)));
    let done = desk_row(report.raw(), State::WontFix, "ben", 9);
    let detail = EventDetail::State { before: None, after: Box::new(done) };
    receive(&mut app, changes(&report, detail, 1));
    let undone = sent(press(&mut app, "u"));
    let entry = undone.iter().find(|entry| *entry.write.report() == report).unwrap();
    assert_eq!(rows(std::slice::from_ref(entry)), [(report.raw().to_owned(), State::WontFix, "anna".to_owned())]);
    let DeskWrite::Row { expected, .. } = &entry.write else { panic!() };
    assert_eq!(*expected, RowPrecondition::Version(9));
    // A colleague was faster: the user chooses, as for a state.
    let theirs = desk_row(report.raw(), State::WontFix, "carl", 10);
    receive(&mut app, DeskMessage::Conflict(entry.write.change(), Some(Box::new(theirs))));
    press(&mut app, "X");
    assert!(screen(&app).contains("mine: won't fix, with anna"), "{}", screen(&app));
}

/// The changes of a desk, with one event about a report.
fn changes(report: &ReportId, detail: EventDetail, revision: i64) -> DeskMessage {
    let change = ChangeId::from_random([u8::try_from(revision).unwrap(); 16]);
    let event = DeskEvent {
        revision,
        change,
        service: Some(1),
        report: Some(report.clone()),
        person: DeskActor::Person("anna".parse().unwrap()),
        detail,
        cause: None,
        at: now(),
        decided_at: None,
    };
    let position = LogPosition { revision, change: Some(change) };
    DeskMessage::Changes { events: vec![event], present: Vec::new(), position }
}

#[test]
fn a_withdrawn_note_does_not_reappear_until_its_events_have_arrived() {
    let mut app = on_desk(Vec::new());
    let report = app.reports.shown_row(0).unwrap().id.clone();
    let author = DeskActor::Person("anna".parse().unwrap());
    let text = Text::from_outside("tea");
    let note = DeskNote { id: 1, report: report.clone(), author, text, at: now(), withdrawn: false };
    let withdrawn = DeskNote { withdrawn: true, ..note.clone() };
    let written = sent(press(&mut app, "c t e a enter"));
    receive(&mut app, DeskMessage::Noted(written[0].write.change(), Box::new(note.clone())));
    let removed = sent(press(&mut app, "u"));
    receive(&mut app, DeskMessage::Noted(removed[0].write.change(), Box::new(withdrawn.clone())));
    let event = |after: &DeskNote| EventDetail::Note { before: None, after: Box::new(after.clone()) };
    for (revision, detail) in [(1, event(&note)), (2, event(&withdrawn))] {
        receive(&mut app, changes(&report, detail, revision));
        assert!(app.triage.states.notes.of(&report).is_empty(), "after event {revision}");
    }
}

#[test]
fn a_hand_over_includes_what_was_decided_while_the_desk_is_away() {
    let mut app = with_ben(vec![desk_row("1", State::Waiting, "anna", 7)]);
    receive(&mut app, DeskMessage::Unreachable(super::desk::failure(FailureKind::Unreachable), None));
    // The first report is settled, the second one is claimed.
    press(&mut app, "m down down down enter j m enter");
    assert_eq!(app.desk.as_ref().unwrap().shares(|_| true), (1, 0));
    let handed_over = rows(&sent(press(&mut app, "H enter")));
    assert_eq!(handed_over, [("2".to_owned(), State::Looking, "ben".to_owned())]);
}

#[test]
fn an_assignment_counts_the_reports_whose_holder_changes() {
    let mut app = with_ben(vec![desk_row("1", State::Waiting, "ben", 7), desk_row("2", State::Waiting, "anna", 7)]);
    assert_eq!(sent(press(&mut app, "space space a enter")).len(), 1);
    assert_eq!(notice(&app), "shop.example/cart?step=2: assigned to ben");
    sent(press(&mut app, "a enter"));
    assert_eq!(notice(&app), "2 reports: already with ben");
}
