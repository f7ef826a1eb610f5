//! Log lines and timelines built from entries.

use jiff::{SignedDuration, Timestamp};
use strum::IntoEnumIterator;

use super::line::lines;
use super::timeline::timeline;
use super::*;
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state::ReportState;
use crate::domain::report::tests::row;
use crate::domain::report::{Details, Report};
use crate::domain::triage::Note;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn entry(kind: LogKind, id: &str, second: i64, words: [&str; 3]) -> LogEntry {
    let report = row(id, &format!("https://shop.example/{id}"), Outcome::Good);
    let [before, after, detail] = words.map(str::to_owned);
    LogEntry { before, after, detail, ..LogEntry::about(kind, &report, at(second)) }
}

fn texts(entries: Vec<LogEntry>) -> Vec<String> {
    lines(entries).iter().map(line::LogLine::text).collect()
}

#[test]
fn kinds_are_read_as_they_are_written() {
    for kind in LogKind::iter() {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert!("later".parse::<LogKind>().is_err());
}

#[test]
fn the_entries_of_one_action_are_one_line() {
    let run = |id: &str, second: i64, after: &str| LogEntry {
        begun_at: at(100),
        ..entry(LogKind::Rerun, id, second, ["bad 31", after, "repaired title"])
    };
    let entries = vec![
        entry(LogKind::Privacy, "1", 50, ["private", "public", ""]),
        entry(LogKind::Audited, "9", 60, ["good", "bad", ""]),
        run("1", 101, "good 85"),
        entry(LogKind::Note, "7", 102, ["", "", "told the shop"]),
        run("2", 103, "good 90"),
        run("3", 104, "bad 20"),
        entry(LogKind::State, "1", 110, ["new", "verify", ""]),
        entry(LogKind::State, "2", 110, ["new", "verify", ""]),
        entry(LogKind::State, "3", 110, ["done", "new", "reopened: good 90 → bad 12"]),
        LogEntry { project: "blog".into(), ..entry(LogKind::Deleted, "4", 120, ["", "", ""]) },
        entry(LogKind::Deleted, "5", 120, ["", "", ""]),
        entry(LogKind::Rerun, "6", 130, ["bad 31", "good 85", "repaired title"]),
    ];
    assert_eq!(
        texts(entries),
        [
            "re-ran shop.example/6: bad 31 → good 85 · repaired title",
            "deleted 2 reports",
            "set to verify for 2 of shop.example",
            "shop.example/3 reopened: good 90 → bad 12",
            "re-ran 3 of shop.example: 2 good, 1 bad",
            "note on shop.example/7: told the shop",
            "privacy of shop.example/1: private → public",
        ]
    );
}

#[test]
fn what_a_colleague_does_to_many_reports_within_a_second_is_one_line() {
    let of = |author: &str, id: &str, at: Timestamp| {
        let entry = entry(LogKind::Assigned, id, 10, ["", "anna", ""]);
        LogEntry { author: author.to_owned(), at, begun_at: at, ..entry }
    };
    let later = |milliseconds| at(10) + SignedDuration::from_millis(milliseconds);
    let entries = ["1", "2", "3"].iter().zip([0, 900, 1_800]).map(|(id, after)| of("ben", id, later(after)));
    let entries =
        entries.chain([of("ben", "4", later(4_000)), of("cara", "5", later(4_100)), of("", "6", later(4_200))]);
    assert_eq!(
        texts(entries.chain([of("", "7", later(4_300))]).collect()),
        [
            "assigned shop.example/7 to anna",
            "assigned shop.example/6 to anna",
            "assigned shop.example/5 to anna",
            "assigned shop.example/4 to anna",
            "assigned 3 of shop.example to anna",
        ]
    );
}

#[test]
fn a_page_that_could_not_be_fetched_is_said_in_words() {
    let mut report = row("1", "https://nohost.example/", Outcome::Bad);
    report.score = Some(0);
    report.generated_at = Some(at(10));
    report.fetch_failure = Some(FetchFailure::Dns);
    let created = LogEntry::of_creation(&report, at(10));
    let rerun = LogEntry::of_change(&ReportChange::rerun(), Some(&report), &report, at(20));
    let expected = [
        "re-ran nohost.example: bad 0 → bad 0 · could not be fetched: no such host",
        "created nohost.example: bad 0 · could not be fetched: no such host",
    ];
    assert_eq!(texts(std::iter::once(created).chain(rerun.clone()).collect()), expected);
    let expected = ["you re-ran it: bad 0 → bad 0 · could not be fetched: no such host"];
    assert_eq!(timeline_texts(&report, &rerun, &[]), expected);
}

#[test]
fn reports_without_a_known_result_are_counted_without_results() {
    let of = |kind, after: &str| texts(["1", "2"].map(|id| entry(kind, id, 10, ["", after, ""])).to_vec());
    for result in ["none", "excellent 97", "good enough", "good enough 97"] {
        assert_eq!(of(LogKind::Created, result), ["created 2 of shop.example"]);
        assert_eq!(of(LogKind::Rerun, result), ["re-ran 2 of shop.example"]);
    }
    assert_eq!(of(LogKind::Rerun, "good 97"), ["re-ran 2 of shop.example: 2 good"]);
}

#[test]
fn assignments_and_changes_of_many_reports_are_said_in_words() {
    let of = |kind, changes: &[[&str; 3]]| {
        let entry = |(at, words): (usize, &[&str; 3])| entry(kind, &(at + 1).to_string(), 10, *words);
        texts(changes.iter().enumerate().map(entry).collect())
    };
    for (kind, changes, expected) in [
        (LogKind::Assigned, [["", "ben", ""]].as_slice(), ["assigned shop.example/1 to ben"].as_slice()),
        (LogKind::Assigned, &[["", "ben", ""], ["anna", "ben", ""]], &["assigned 2 of shop.example to ben"]),
        (LogKind::Assigned, &[["ben", "", ""]], &["unassigned shop.example/1 from ben"]),
        (LogKind::Assigned, &[["ben", "", ""], ["ben", "", ""]], &["unassigned 2 of shop.example from ben"]),
        (
            LogKind::Assigned,
            &[["ben", "", ""], ["anna", "", ""]],
            &["unassigned shop.example/1 from ben", "unassigned shop.example/2 from anna"],
        ),
        (
            LogKind::Privacy,
            &[["public", "private", ""], ["password", "private", ""]],
            &["privacy of 2 of shop.example: private"],
        ),
        (LogKind::Privacy, &[["", "private", ""]], &["privacy of shop.example/1: private"]),
        (LogKind::Password, &[["", "", ""], ["", "", ""]], &["new password for 2 of shop.example"]),
        (
            LogKind::State,
            &[["verify", "done", "done: good 90"], ["verify", "done", "done: good 85"]],
            &["2 of shop.example done"],
        ),
        (
            LogKind::State,
            &[["done", "reopened", "reopened: bad 12"], ["done", "reopened", "reopened: bad 31"]],
            &["2 of shop.example reopened"],
        ),
    ] {
        assert_eq!(of(kind, changes), expected);
    }
    let deletions =
        ["shop.example", "blog.example"].map(|name| LogEntry::of_project_deletion(&Text::from_outside(name), at(10)));
    assert_eq!(texts(deletions.to_vec()), ["deleted the project shop.example", "deleted the project blog.example"]);
    let unknown = LogEntry::of_deletion(&ReportId::new("7"), at(10));
    assert_eq!(texts(vec![unknown]), ["deleted 7"]);
}

#[test]
fn two_actions_of_a_kind_stay_apart() {
    let entries = vec![
        entry(LogKind::Note, "1", 10, ["", "", "one"]),
        entry(LogKind::Note, "2", 11, ["", "", "one"]),
        entry(LogKind::State, "1", 20, ["new", "waiting", ""]),
        entry(LogKind::State, "2", 20, ["new", "looking", ""]),
    ];
    assert_eq!(lines(entries).len(), 4);
}

#[test]
fn what_a_person_and_the_program_do_to_a_state_are_two_lines() {
    let of = |id: &str, detail: &str| entry(LogKind::State, id, 10, ["verify", "done", detail]);
    assert_eq!(lines([of("1", ""), of("2", "done: good 90"), of("3", "")]).len(), 2);
}

#[test]
fn only_notes_with_the_same_text_are_one_line() {
    let of = |id: &str, text: &str| entry(LogKind::Note, id, 10, ["", "", text]);
    assert_eq!(lines([of("1", "one"), of("2", "one"), of("3", "two")]).len(), 2);
}

#[test]
fn a_line_began_with_its_first_entry() {
    let at = |milliseconds| at(10) + SignedDuration::from_millis(milliseconds);
    let of = |id: &str, at: Timestamp| LogEntry {
        author: "ben".to_owned(),
        at,
        begun_at: at,
        ..entry(LogKind::Assigned, id, 10, ["", "anna", ""])
    };
    let found = lines([of("1", at(0)), of("2", at(900))]);
    assert_eq!(found.iter().map(|line| (line.last.begun_at, line.last.at)).collect::<Vec<_>>(), [(at(0), at(900))]);
}

#[test]
fn a_change_is_logged_only_if_it_was_requested_and_changed_something() {
    let public = row("1", "https://shop.example/1", Outcome::Good);
    let private = Report { privacy: Some(Privacy::Private), ..public.clone() };
    let to_private = ReportChange { privacy: Some(Privacy::Private), ..ReportChange::default() };
    let kinds = |change: &ReportChange, before: &Report| {
        let entries = LogEntry::of_change(change, Some(before), &private, at(20));
        entries.into_iter().map(|entry| entry.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&to_private, &public), [LogKind::Privacy]);
    assert_eq!(kinds(&to_private, &private), [], "it was private before");
    assert_eq!(kinds(&ReportChange::rerun(), &public), [LogKind::Rerun], "another program changed the privacy");
}

#[test]
fn the_result_before_a_re_run_of_an_unknown_report_is_that_of_its_history() {
    let mut report = audited(300);
    let former = ReportState { generated_at: Some(at(200)), outcome: Outcome::Bad, score: Some(31), failing: None };
    report.details = Some(Box::new(Details { history: vec![former], ..Details::default() }));
    let entries = LogEntry::of_change(&ReportChange::rerun(), None, &report, at(301));
    assert_eq!(texts(entries), ["re-ran shop.example/1: bad 31 → good 85"]);
}

#[test]
fn only_the_latest_audit_of_a_timeline_says_that_the_page_could_not_be_fetched() {
    let mut report = audited(300);
    report.fetch_failure = Some(FetchFailure::Dns);
    let former = ReportState { generated_at: Some(at(200)), outcome: Outcome::Bad, score: Some(31), failing: None };
    report.details = Some(Box::new(Details { history: vec![former], ..Details::default() }));
    let expected = ["audited: bad 31 → good 85 · could not be fetched: no such host", "audited: bad 31"];
    assert_eq!(timeline_texts(&report, &[], &[]), expected);
}

fn audited(second: i64) -> Report {
    let mut report = row("1", "https://shop.example/1", Outcome::Good);
    report.generated_at = Some(at(second));
    report.score = Some(85);
    report.failed = ["csp"].into();
    report
}

fn timeline_texts(report: &Report, entries: &[LogEntry], notes: &[Note]) -> Vec<String> {
    timeline(report, entries, notes).into_iter().map(|item| item.text).collect()
}

#[test]
fn the_history_of_the_service_says_who_re_ran_where_the_log_knows() {
    let mut report = audited(300);
    let former = |second: i64, outcome: Outcome, score: u8, failed: &[&str]| ReportState {
        generated_at: Some(at(second)),
        outcome,
        score: Some(score),
        failing: Some(failed.iter().map(|id| (*id).into()).collect()),
    };
    let history = vec![former(200, Outcome::Bad, 31, &["title", "csp"]), former(100, Outcome::Decent, 60, &["csp"])];
    report.details = Some(Box::new(Details { history, ..Details::default() }));
    let rerun = LogEntry {
        audited_at: Some(at(300)),
        ..entry(LogKind::Rerun, "1", 301, ["bad 31", "good 85", "repaired title"])
    };
    let seen = LogEntry { audited_at: Some(at(200)), ..entry(LogKind::Audited, "1", 250, ["decent 60", "bad 31", ""]) };
    let state = entry(LogKind::State, "1", 260, ["new", "waiting", ""]);
    let note = Note::new("told the shop", at(250)).unwrap();
    assert_eq!(
        timeline_texts(&report, &[seen, state, rerun], &[note]),
        [
            "you re-ran it: bad 31 → good 85 · repaired title",
            "you set waiting",
            "you noted: told the shop",
            "audited: decent 60 → bad 31 · broken title",
            "audited: decent 60",
        ]
    );
}

#[test]
fn a_result_of_several_words_is_not_its_first_word() {
    let report = row("1", "https://shop.example/1", Outcome::Good);
    for result in ["good enough", "good enough 97"] {
        let seen = entry(LogKind::Audited, "1", 50, ["bad", result, ""]);
        let items = timeline(&report, &[seen], &[]);
        let outcomes: Vec<_> = items.into_iter().filter_map(|item| item.outcome).collect();
        assert_eq!(outcomes, [Outcome::from_name("good enough"), Outcome::Good]);
    }
}

#[test]
fn without_a_history_of_the_service_the_log_tells_of_audits() {
    let seen = |audit: i64, words: [&str; 3]| LogEntry {
        audited_at: Some(at(audit)),
        ..entry(LogKind::Audited, "1", audit + 50, words)
    };
    let rerun = LogEntry { audited_at: Some(at(200)), ..entry(LogKind::Rerun, "1", 200, ["bad", "decent", ""]) };
    let entries = [seen(100, ["good", "bad", ""]), seen(300, ["decent", "good", ""]), rerun];
    let mut report = audited(400);
    report.failed = [].into();
    assert_eq!(
        timeline_texts(&report, &entries, &[]),
        ["audited: good 85", "audited: decent → good", "you re-ran it: bad → decent", "audited: good → bad"]
    );
    assert_eq!(timeline(&report, &[], &[]), Vec::new(), "one audit is no timeline");
    let latest = timeline(&report, &entries, &[]);
    let times: Vec<Option<Timestamp>> = latest.iter().map(|item| item.at).collect();
    assert_eq!(times, [400, 300, 200, 100].map(|second| Some(at(second))), "when it was audited, not when it was seen");
    assert!(latest.is_sorted_by_key(|item| std::cmp::Reverse(item.at)));
}
