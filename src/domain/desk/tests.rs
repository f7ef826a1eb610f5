//! The JSON of desk rows, events and ids.

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde_json::json;

use super::handover::{HandoverPart, handover};
use super::*;
use crate::domain::event_log::LogKind;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::tests::row as listed;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::Text;
use crate::domain::triage::{State, StateKind};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn row() -> DeskRow {
    let failing = Some(["title".into(), "csp".into()].into());
    DeskRow {
        report: ReportId::new("812"),
        state: State::Snoozed { until: at(90) },
        holder: Some("anna".parse().unwrap()),
        baseline: ReportState { outcome: Outcome::Bad, score: Some(31), failing, generated_at: Some(at(60)) },
        reason: None,
        version: 7,
        set_by: DeskActor::Key(Text::from_outside("ci")),
        set_at: at(80),
    }
}

#[test]
fn a_row_is_one_flat_object() {
    let expected = json!({
        "report": "812", "state": "snoozed", "until": "1970-01-01T00:01:30.000Z", "holder": "anna",
        "baseline": { "result": "bad", "score": 31, "failing": ["title", "csp"], "generated_at": "1970-01-01T00:01:00.000Z" },
        "reason": null, "version": 7, "set_by": "key:ci", "set_at": "1970-01-01T00:01:20.000Z",
    });
    assert_eq!(serde_json::to_value(row()).unwrap(), expected);
    assert_eq!(serde_json::from_value::<DeskRow>(expected).unwrap(), row());
}

#[test]
fn an_event_carries_the_whole_row_and_an_unknown_kind_is_read() {
    let event = DeskEvent {
        revision: 41,
        change: ChangeId::from_random([7; 16]),
        service: Some(1),
        report: Some(ReportId::new("812")),
        person: DeskActor::Person("anna".parse().unwrap()),
        detail: EventDetail::State { before: None, after: Box::new(row()) },
        cause: None,
        at: at(80),
        decided_at: None,
    };
    let mut json = serde_json::to_value(&event).unwrap();
    assert_eq!((&json["kind"], &json["after"]["version"]), (&json!("state"), &json!(7)));
    assert_eq!(serde_json::from_value::<DeskEvent>(json.clone()).unwrap(), event);
    json["kind"] = "later".into();
    assert_eq!(serde_json::from_value::<DeskEvent>(json).unwrap().detail, EventDetail::Unknown);
}

#[test]
fn an_event_is_an_assignment_only_if_the_holder_changes() {
    let with = |state, holder: Option<&str>| {
        Some(Box::new(DeskRow { state, holder: holder.map(|holder| holder.parse().unwrap()), ..row() }))
    };
    for (before, after, expected) in [
        (with(State::Waiting, Some("anna")), with(State::Waiting, Some("ben")), (LogKind::Assigned, "anna", "ben")),
        (with(State::Waiting, Some("anna")), with(State::Waiting, None), (LogKind::Assigned, "anna", "")),
        (None, with(State::New, Some("ben")), (LogKind::Assigned, "", "ben")),
        (with(State::Waiting, Some("anna")), with(State::Looking, Some("ben")), (LogKind::State, "waiting", "looking")),
        // Set again, for example with a new time.
        (
            with(State::Waiting, Some("anna")),
            with(State::Waiting, Some("anna")),
            (LogKind::State, "waiting", "waiting"),
        ),
        (with(State::Waiting, None), with(State::Waiting, None), (LogKind::State, "waiting", "waiting")),
    ] {
        let event = DeskEvent {
            revision: 41,
            change: ChangeId::from_random([7; 16]),
            service: Some(1),
            report: Some(ReportId::new("812")),
            person: DeskActor::Person("carl".parse().unwrap()),
            detail: EventDetail::State { before, after: after.unwrap() },
            cause: None,
            at: at(80),
            decided_at: None,
        };
        let entry = event.log_entry(None).unwrap();
        assert_eq!((entry.kind, entry.before.as_str(), entry.after.as_str()), expected);
    }
}

#[test]
fn a_snooze_needs_its_end_and_a_state_a_known_word() {
    for fields in [json!({ "state": "snoozed" }), json!({ "state": "lost" }), json!({})] {
        let mut sent = serde_json::to_value(row()).unwrap();
        sent.as_object_mut().unwrap().retain(|name, _| name != "state" && name != "until");
        sent.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        assert!(serde_json::from_value::<DeskRow>(sent).is_err(), "{fields}");
    }
}

#[test]
fn handles_are_short_and_plain() {
    for handle in ["anna", "a", "a.b_c-9", &"x".repeat(40)] {
        assert_eq!(handle.parse::<Handle>().unwrap().as_str(), handle);
    }
    for text in ["", "Anna", "änna", "a b", "a\u{202e}", "a\0", "@operator", "key:ci", "a/b", "🍵", &"x".repeat(41)]
    {
        assert!(text.parse::<Handle>().is_err(), "{text:?}");
    }
}

#[test]
fn no_person_is_shown_like_a_robot_or_the_operator() {
    for actor in [DeskActor::Key(Text::from_outside("ci")), DeskActor::Operator] {
        assert!(actor.shown().parse::<Handle>().is_err(), "{actor:?}");
    }
}

#[test]
fn an_unknown_role_may_do_least() {
    for (word, role) in [("viewer", Role::Viewer), ("triage", Role::Triage), ("admin", Role::Admin)] {
        assert_eq!(serde_json::from_value::<Role>(json!(word)).unwrap(), role);
        assert_eq!(serde_json::to_value(role).unwrap(), json!(word));
    }
    assert_eq!(serde_json::from_value::<Role>(json!("owner")).unwrap(), Role::Viewer);
}

#[test]
fn an_older_row_does_not_replace_a_newer_one() {
    let mut content = DeskContent::default();
    content.put_row(row());
    content.put_row(DeskRow { version: 6, state: State::New, ..row() });
    assert_eq!(content.rows[&ReportId::new("812")], row());
}

fn decision(expected: RowPrecondition) -> OutboxEntry {
    let change = ChangeId::from_random([7; 16]);
    let DeskRow { report, state, holder, baseline, .. } = row();
    let write = RowWrite { change, state, holder, baseline, reason: None, cause: None, decided_at: None };
    let write = DeskWrite::Row { report, expected, write };
    let decided_by = Some("anna".parse().unwrap());
    OutboxEntry { write, decided_at: at(0), decided_by, must_ask: false, is_confirmed: false }
}

#[test]
fn a_doubtful_decision_is_asked_about_once_and_one_of_another_person_always() {
    let (week, day) = (SignedDuration::from_hours(7 * 24), SignedDuration::from_hours(24));
    for (author, must_ask, age, confirmed_later) in [
        ("anna", false, day, [false, false]),
        ("anna", false, week, [false, false]),
        ("anna", false, week + day, [true, false]),
        ("anna", true, day, [true, false]),
        ("anna", true, week + day, [true, false]),
        ("ben", false, day, [true, true]),
    ] {
        let must_be_confirmed = [false, true].map(|is_confirmed| {
            let decided_by = Some(author.parse().unwrap());
            let entry = OutboxEntry { decided_by, must_ask, is_confirmed, ..decision(RowPrecondition::Absent) };
            entry.must_be_confirmed(at(0) + age, &"anna".parse().unwrap())
        });
        assert_eq!(must_be_confirmed, confirmed_later, "{author} {must_ask} {age}");
    }
}

#[test]
fn a_decision_is_rebased_on_the_row_of_its_own_report_only() {
    let mut entry = decision(RowPrecondition::Absent);
    entry.rebase(&DeskRow { report: ReportId::new("813"), ..row() });
    assert_eq!(entry, decision(RowPrecondition::Absent));
    entry.rebase(&row());
    assert_eq!(entry, decision(RowPrecondition::Version(7)));
}

#[test]
fn a_decision_is_fulfilled_by_a_row_with_its_state_and_holder() {
    let entry = decision(RowPrecondition::Version(3));
    let other = DeskRow { set_by: DeskActor::Operator, version: 9, ..row() };
    assert!(entry.is_fulfilled_by(&other));
    assert!(!entry.is_fulfilled_by(&DeskRow { holder: None, ..other.clone() }));
    assert!(!entry.is_fulfilled_by(&DeskRow { state: State::WontFix, ..other }));
}

#[test]
fn a_withdrawn_note_is_not_listed_with_its_text() {
    let note = |withdrawn| DeskNote {
        id: 1,
        report: ReportId::new("812"),
        author: DeskActor::Operator,
        text: Text::from_outside("call Mona".to_owned()),
        at: at(1),
        withdrawn,
    };
    let words = |withdrawn| {
        let detail = EventDetail::Note { before: None, after: Box::new(note(withdrawn)) };
        let event = DeskEvent {
            revision: 41,
            change: ChangeId::from_random([7; 16]),
            service: Some(1),
            report: Some(ReportId::new("812")),
            person: DeskActor::Operator,
            detail,
            cause: None,
            at: at(80),
            decided_at: None,
        };
        let (kind, before, after) = event.words();
        [kind.to_owned(), before, after].join("|")
    };
    assert_eq!((words(false), words(true)), ("note||call Mona".to_owned(), "note|withdrawn|".to_owned()));
}

#[test]
fn an_expired_snooze_is_handed_over_as_new() {
    let report = listed("812", "https://shop.example/tea", Outcome::Bad);
    let part = |until: i64, holder: Option<&str>, bad: &[Report]| {
        let holder = holder.map(|holder| holder.parse().unwrap());
        let mut desk = DeskContent::default();
        desk.put_row(DeskRow { state: State::Snoozed { until: at(until) }, holder, ..row() });
        let lines = handover(bad, &desk, &[], (at(100), SignedDuration::from_secs(50)));
        lines.first().map(|line| (line.part, line.state, line.at))
    };
    let bad = std::slice::from_ref(&report);
    for until in [90, 100] {
        assert_eq!(part(until, None, bad), Some((HandoverPart::Free, StateKind::New, Some(at(until)))));
        let held = Some((HandoverPart::Held, StateKind::New, Some(at(until))));
        assert_eq!(part(until, Some("anna"), bad), held);
        assert_eq!(part(until, None, &[]), None, "no longer bad");
    }
    assert_eq!(part(101, None, bad), Some((HandoverPart::Returning, StateKind::Snoozed, Some(at(101)))));
    assert_eq!(part(150, None, bad), Some((HandoverPart::Returning, StateKind::Snoozed, Some(at(150)))));
    assert_eq!(part(151, None, bad), None);
}

#[test]
fn only_reports_that_are_still_closed_are_handed_over_as_closed_and_once() {
    let event = |revision: i64, before: State, after: State| DeskEvent {
        revision,
        change: ChangeId::from_random([7; 16]),
        service: Some(1),
        report: Some(ReportId::new("812")),
        person: DeskActor::Person(if revision == 3 { "ben" } else { "anna" }.parse().unwrap()),
        detail: EventDetail::State {
            before: Some(Box::new(DeskRow { state: before, ..row() })),
            after: Box::new(DeskRow { state: after, ..row() }),
        },
        cause: None,
        at: at(80 + revision),
        decided_at: None,
    };
    let closed = |events: &[DeskEvent], state: State| {
        let mut desk = DeskContent::default();
        desk.put_row(DeskRow { state, ..row() });
        let lines = handover(&[], &desk, events, (at(100), SignedDuration::from_secs(50)));
        let closed = lines.into_iter().filter(|line| line.part == HandoverPart::Closed);
        closed.map(|line| (line.person, line.at.unwrap())).collect::<Vec<_>>()
    };
    let events =
        [event(1, State::ToVerify, State::Done), event(2, State::Done, State::New), event(3, State::New, State::Done)];
    assert_eq!(closed(&events[..1], State::Done), [("anna".to_owned(), at(81))]);
    assert_eq!(closed(&events[..2], State::New), []);
    let early = |revision: i64| closed(&[event(revision, State::ToVerify, State::Done)], State::Done);
    assert_eq!((early(-30), early(-31)), (vec![("anna".to_owned(), at(50))], vec![]), "since the shift began");
    let without_row = handover(&[], &DeskContent::default(), &events[..1], (at(100), SignedDuration::from_secs(50)));
    assert_eq!(without_row[0].part, HandoverPart::Closed);
    assert_eq!(closed(&events, State::Done), [("ben".to_owned(), at(83))]);
}

proptest! {
    #[test]
    fn change_ids_are_read_as_they_are_written(bytes: [u8; 16]) {
        let id = ChangeId::from_random(bytes);
        let text = id.to_string();
        prop_assert_eq!(&text[14..15], "4");
        prop_assert!(matches!(&text[19..20], "8" | "9" | "a" | "b"));
        prop_assert_eq!(text.parse::<ChangeId>(), Ok(id));
    }

    #[test]
    fn the_events_of_one_write_have_different_ids(bytes: [u8; 16], first in 0_u32..1_000, second in 0_u32..1_000) {
        let id = ChangeId::from_random(bytes);
        prop_assert_eq!(id.numbered(first) == id.numbered(second), first == second);
    }

    #[test]
    fn actors_are_read_as_they_are_written(name in any::<String>(), handle in "[a-z0-9._-]{1,40}") {
        for actor in [DeskActor::Person(handle.parse().unwrap()), DeskActor::Key(Text::from_outside(name)), DeskActor::Operator] {
            let json = serde_json::to_string(&actor).unwrap();
            prop_assert_eq!(serde_json::from_str::<DeskActor>(&json).unwrap(), actor);
        }
    }

    #[test]
    fn any_text_is_refused_or_is_a_change_id(text in "[0-9a-fA-F+]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-f-]{36}|.{0,40}") {
        if let Ok(id) = text.parse::<ChangeId>() {
            prop_assert_eq!(id.to_string(), text.to_lowercase());
        }
    }
}
