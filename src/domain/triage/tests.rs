//! How an audit changes each state, by example and for arbitrary reports.

use crate::domain::report::{Report, ReportId};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use strum::IntoEnumIterator;

use super::*;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::triage::state_choice::StateChoice;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Builds a report from `bad 31`, its failing checks (`-` if unknown), and its audit time.
fn report(words: &str, failing: &str, second: i64) -> Report {
    let (outcome, score) = words.split_once(' ').unwrap_or((words, ""));
    let mut report = row("1", "https://shop.example/tea", Outcome::from_name(outcome));
    report.score = score.parse().ok();
    report.generated_at = at(second).into();
    if failing != "-" {
        report.failed = failing.split_whitespace().map(Into::into).collect();
    }
    report
}

fn seen(state: State, before: &Report, after: &Report) -> String {
    let stored = Triage::set(state, before, at(5));
    match observe(&stored, after, at(100)) {
        None => "stays".to_owned(),
        Some(TriageChange::Learned(triage)) => format!("learned {:?}", triage.baseline.failing.unwrap_or_default()),
        Some(TriageChange::Reopened(triage) | TriageChange::Closed(triage)) => triage.reason.unwrap(),
    }
}

#[test]
fn a_snooze_ends_in_the_morning_by_the_local_clock() {
    let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
    let table = [
        ("2026-11-26T17:40:00+01:00", 1, "2026-11-27T06:00:00+01:00"),
        ("2026-11-26T00:10:00+01:00", 1, "2026-11-27T06:00:00+01:00"),
        // Summer time ends, and begins.
        ("2026-10-24T17:40:00+02:00", 1, "2026-10-25T06:00:00+01:00"),
        ("2026-03-27T17:40:00+01:00", 7, "2026-04-03T06:00:00+02:00"),
        ("2026-01-31T08:00:00+01:00", 30, "2026-03-02T06:00:00+01:00"),
    ];
    for (now, days, until) in table {
        let [now, until]: [Timestamp; 2] = [now, until].map(|time| time.parse().unwrap());
        assert_eq!(StateChoice::Snooze(days).state(now, &berlin), State::Snoozed { until });
    }
}

#[test]
fn a_worse_report_reopens_with_a_reason() {
    let before = report("bad 31", "title", 10);
    let table = [
        (report("bad 22", "title csp", 20), "reopened: bad 31 → bad 22, fails csp"),
        (report("bad 31", "title csp", 20), "reopened: still bad 31, fails csp"),
        (report("bad 40", "title csp", 20), "reopened: bad 31 → bad 40, fails csp"),
        (report("bad 22", "title", 20), "reopened: bad 31 → bad 22"),
        (report("bad 31", "title", 20), "stays"),
        (report("good 90", "-", 20), "stays"),
        (report("bad 12", "title", 9), "stays"),
        (report("bad 31", "title", 10), "stays"),
    ];
    for (after, expected) in table {
        for state in [State::Looking, State::Waiting, State::WontFix, State::Done, State::Snoozed { until: at(500) }] {
            assert_eq!(seen(state, &before, &after), expected, "{state:?}");
        }
    }
    let plain = report("good", "-", 10);
    assert_eq!(seen(State::Done, &plain, &report("decent", "-", 20)), "reopened: good → decent");
    assert_eq!(seen(State::New, &plain, &report("bad", "-", 20)), "stays");
}

#[test]
fn of_two_audits_at_the_same_time_the_one_with_another_result_is_the_later_one() {
    let (before, unscored) = (report("decent 66", "title", 10), report("decent", "title", 10));
    for (after, expected) in [
        (report("bad 66", "title", 10), "reopened: decent 66 → bad 66"),
        (report("decent 60", "title", 10), "reopened: decent 66 → decent 60"),
    ] {
        assert_eq!(seen(State::Done, &before, &after), expected);
    }
    assert_eq!(seen(State::Done, &unscored, &before), "learned [\"title\"]");
}

#[test]
fn a_report_to_verify_is_done_or_reopens_with_its_failing_checks() {
    let before = report("bad 31", "title csp", 10);
    let table = [
        (report("good 92", "robots_txt", 20), "reopened: bad 31 → good 92, now fails robots_txt"),
        (report("good 92", "csp", 20), "done: bad 31 → good 92, repaired title, still fails csp"),
        (report("decent 66", "csp", 20), "reopened: bad 31 → decent 66, still fails csp"),
        (report("bad 22", "title csp", 20), "reopened: bad 31 → bad 22, still fails title, csp"),
        (report("bad 31", "title csp", 20), "reopened: still bad 31, still fails title, csp"),
        (report("bad 31", "title csp", 10), "stays"),
        (report("good 95", "-", 20), "done: bad 31 → good 95"),
        (report("decent 66", "-", 20), "stays"),
        (report("bad 11", "-", 20), "reopened: bad 31 → bad 11"),
    ];
    for (after, expected) in table {
        assert_eq!(seen(State::ToVerify, &before, &after), expected);
    }
    let (good, better) = (report("good 85", "csp", 10), report("good 87", "csp", 20));
    assert_eq!(seen(State::ToVerify, &good, &better), "reopened: good 85 → good 87, still fails csp");
    let stored = Triage::set(State::ToVerify, &before, at(5));
    assert!(wants_checks(&stored, &report("decent 66", "-", 20)), "it can only be judged opened");
    assert!(!wants_checks(&stored, &report("bad 31", "-", 10)), "it was not audited again");
    let mut opened = report("decent 66", "-", 20);
    opened.details = Some(Box::new(crate::domain::report::Details { checks: Some(Vec::new()), ..Default::default() }));
    assert_eq!(seen(State::ToVerify, &before, &opened), "done: bad 31 → decent 66, repaired title, csp");
    let no_better = Report { outcome: Outcome::Bad, score: Some(31), ..opened };
    assert_eq!(seen(State::ToVerify, &before, &no_better), "reopened: still bad 31");
}

#[test]
fn without_checks_the_result_decides() {
    let before = report("bad", "-", 10);
    for (after, expected) in [
        (report("good", "-", 20), "done: bad → good"),
        (report("decent", "-", 20), "reopened: bad → decent"),
        (report("bad", "-", 20), "reopened: still bad"),
        (report("bad", "-", 10), "stays"),
    ] {
        assert_eq!(seen(State::ToVerify, &before, &after), expected);
    }
    let good = report("good 85", "-", 10);
    assert_eq!(seen(State::ToVerify, &good, &report("good 80", "-", 20)), "reopened: good 85 → good 80");
}

#[test]
fn a_snooze_ends_on_time_for_any_row() {
    let before = report("bad 31", "title", 10);
    let until = State::Snoozed { until: at(100) };
    assert_eq!(seen(until, &before, &before), "reopened: snoozed until 1970-01-01 00:01 UTC");
    let stored = Triage::set(until, &before, at(5));
    let change = observe(&stored, &report("good 99", "-", 1), at(100)).unwrap();
    assert_eq!(change.triage().baseline, before.state(), "a row from before tells nothing");
    assert_eq!(observe(&stored, &before, at(99)), None);
}

#[test]
fn an_opened_report_completes_the_baseline() {
    let (before, opened) = (report("bad", "-", 10), report("bad 31", "title", 10));
    assert_eq!(seen(State::Looking, &before, &opened), "learned [\"title\"]");
    let stored = Triage::set(State::Looking, &opened, at(5));
    assert_eq!(observe(&stored, &before, at(6)), None, "a row that says less takes nothing away");
    assert_eq!(seen(State::Looking, &before, &report("bad 31", "title", 9)), "stays", "an earlier audit says nothing");
}

#[test]
fn a_decision_repeats_that_of_a_person_and_not_that_of_the_program() {
    let report = report("bad 31", "title", 10);
    let by_person = Triage::set(State::New, &report, at(5));
    let by_program = Triage { reason: Some("reopened: decent → bad".to_owned()), ..by_person.clone() };
    assert!(by_person.is_repeated_by(&by_person));
    assert!(!by_program.is_repeated_by(&by_person), "it clears the reopened state");
}

#[test]
fn state_words_are_parsed() {
    for kind in StateKind::iter() {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert!("later".parse::<StateKind>().is_err());
}

#[test]
fn an_undone_state_leaves_no_trace() {
    let report = report("bad", "-", 1);
    let mut triages = Triages::default();
    triages.put(report.id.clone(), Triage::set(State::Waiting, &report, at(2)));
    assert_eq!((triages.kind(&report.id), triages.len()), (StateKind::Waiting, 1));
    triages.put(report.id.clone(), Triage::set(State::New, &report, at(3)));
    assert!(triages.is_empty());
}

fn any_report() -> impl Strategy<Value = Report> {
    let words = prop_oneof![Just("bad"), Just("decent"), Just("good"), Just("odd"), Just("")];
    let score = prop_oneof![Just(String::new()), (0_u8..=100).prop_map(|score| format!(" {score}"))];
    (words, score, "-|[abc]( [abc]){0,2}", 0_i64..4)
        .prop_map(|(word, score, failing, second)| report(&format!("{word}{score}"), &failing, second))
}

fn any_state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::New),
        Just(State::Looking),
        Just(State::Waiting),
        Just(State::ToVerify),
        Just(State::WontFix),
        Just(State::Done),
        (0_i64..20).prop_map(|second| State::Snoozed { until: at(second) }),
    ]
}

proptest! {
    #[test]
    fn observing_the_same_list_twice_changes_nothing(state in any_state(), before in any_report(), after in any_report(), later in 0_i64..20) {
        let stored = Triage::set(state, &before, at(5));
        let now = at(10 + later);
        if let Some(change) = observe(&stored, &after, now) {
            let kept = change.triage().clone();
            prop_assert_eq!(observe(&kept, &after, now), None);
            prop_assert_eq!(observe(&kept, &after, now + SignedDuration::from_hours(1)).is_some(),
                matches!((&change, kept.state), (TriageChange::Learned(_), State::Snoozed { .. })));
        }
    }

    #[test]
    fn an_unchanged_report_reopens_only_by_time(state in any_state(), before in any_report()) {
        let stored = Triage::set(state, &before, at(5));
        let changed = observe(&stored, &before, at(10));
        prop_assert_eq!(changed.is_some(), matches!(state, State::Snoozed { until } if until <= at(10)));
    }

    #[test]
    fn a_good_report_that_is_no_worse_never_reopens(state in any_state(), before in any_report()) {
        let mut after = before.clone();
        after.outcome = Outcome::Good;
        after.score = before.score.map(|_| 100);
        after.failed = [].into();
        after.generated_at = at(50).into();
        let changed = observe(&Triage::set(state, &before, at(5)), &after, at(6));
        prop_assert!(!matches!(changed, Some(TriageChange::Reopened(_))) || matches!(state, State::Snoozed { .. }), "{changed:?}");
    }
}

#[test]
fn notes_at_the_same_time_get_the_following_milliseconds_up_to_the_last_time_there_is() {
    let id = ReportId::new("7");
    for at in [Timestamp::UNIX_EPOCH, Timestamp::MAX] {
        let mut notes = Notes::default();
        for _ in 0..2_000 {
            let written_at = notes.free_time(&id, at);
            assert!(notes.of(&id).iter().all(|note| note.written_at != written_at));
            let note = Note { written_at, ..Note::new("asked", at).unwrap() };
            notes.apply(NoteChange { report: id.clone(), written_at, note: Some(note) });
        }
        assert_eq!(notes.of(&id).len(), 2_000);
    }
    let mut notes = Notes::default();
    for millisecond in [0, 1, 3] {
        let written_at = Timestamp::from_millisecond(millisecond).unwrap();
        let note = Note { written_at, ..Note::new("asked", written_at).unwrap() };
        notes.apply(NoteChange { report: id.clone(), written_at, note: Some(note) });
    }
    let free = |millisecond| notes.free_time(&id, Timestamp::from_millisecond(millisecond).unwrap()).as_millisecond();
    assert_eq!([free(0), free(1), free(2), free(3), free(4)], [2, 2, 2, 4, 4]);
}
