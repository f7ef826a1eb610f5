//! Snapshots and their comparison, by example and for arbitrary lists.

use crate::domain::list::query::ResultFilter;
use crate::domain::report::Report;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome::Outcome;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};

use jiff::SignedDuration;
use proptest::prelude::*;

use super::*;
use crate::domain::report::report_state::Trend;
use crate::domain::report::tests::row;

const DAY: i64 = 86_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Parses rows from lines of the form `id word score check check…`.
fn rows(lines: &str) -> Vec<Report> {
    let made = |line: &str| {
        let mut words = line.split_whitespace();
        let id = words.next().unwrap();
        let mut report = row(id, "https://shop.example/", Outcome::from_name(words.next().unwrap()));
        report.score = words.next().and_then(|score| score.parse().ok());
        report.failed = words.map(CheckId::from).collect();
        report.generated_at = at(90 * DAY).into();
        report
    };
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(made).collect()
}

fn snapshot(lines: &str, scope: ListScope, is_complete: bool) -> Snapshot {
    Snapshot::take(rows(lines).iter(), scope, is_complete, at(100 * DAY))
}

/// Whether there is no difference; overdue audits do not count as one.
fn is_empty(found: &Comparison) -> bool {
    found.regressed.is_empty() && found.improved.is_empty() && found.new.is_empty() && found.gone.is_empty()
}

fn between(older: &Snapshot, newer: &Snapshot) -> Comparison {
    compare(older, newer, at(100 * DAY), SignedDuration::from_hours(24 * 30))
}

fn project(name: &str) -> ListScope {
    ListScope { project: Some(name.to_owned()), ..ListScope::default() }
}

#[test]
fn the_results_of_a_snapshot_are_limited_and_the_others_read_as_missing() {
    let lines: Vec<String> = (0..3_000).map(|number| format!("{number} word{number}")).collect();
    let taken = snapshot(&lines.join("\n"), ListScope::default(), true);
    let outcome = |at: usize| taken.outcome(&taken.entries[at]).clone();
    assert_eq!((outcome(0), outcome(2_999)), (Outcome::from_name("word0"), Outcome::Missing));
    assert_eq!((taken.entries.len(), taken.outcomes.len()), (3_000, 1_000));
}

#[test]
fn bad_reports_that_came_and_went_are_counted_by_project() {
    let former = "1 bad 31\n2 good 90\n3 bad 40\n4 good 90\n7 bad 1\n8 odd\n9 bad 1";
    let older = snapshot(former, ListScope::default(), true);
    let lines = "1 good 81\n2 bad 20\n3 bad 30\n4 bad 20\n5 bad 3\n6 good 90\n7 odd 1\n8 bad";
    let newer = snapshot(lines, ListScope::default(), true);
    let mut found = between(&older, &newer);
    let mut rows = rows(lines);
    for (report, project) in rows.iter_mut().zip(["a", "a", "b", "c", "c", "c", "d", "e"]) {
        report.project = std::sync::Arc::new(project.into());
    }
    found.count_projects((&older, &newer), &rows.into_iter().collect());
    // One appeared and one left in a; b is unchanged; in c one got worse and one is new. A result of the service's own
    // is neither better nor worse than bad, but another one.
    let expected = [("c", 2), ("d", -1), ("e", 1)].map(|(project, change)| (project.to_owned(), change));
    assert_eq!(found.bad_by_project, HashMap::from(expected));
}

#[test]
fn changes_are_listed_by_size() {
    let older =
        snapshot("1 bad 31 a\n2 good 90\n3 decent 60\n4 bad 40 a\n5 bad 45\n6 bad 20 a", ListScope::default(), true);
    let newer =
        snapshot("1 bad 22 a\n2 bad 40\n3 good 85\n4 bad 40 a b\n6 bad 20 a\n7 bad 1", ListScope::default(), true);
    let found = between(&older, &newer);
    let words = |moved: &[ResultChange]| {
        moved.iter().map(|moved| format!("{} {}", moved.id.shown(), moved.in_words())).collect::<Vec<_>>()
    };
    assert_eq!(words(&found.regressed), ["2 good 90 → bad 40, -50", "1 bad 31 → bad 22, -9", "4 bad 40 → bad 40"]);
    assert_eq!(found.regressed[2].flips().unwrap().in_words(3), "broken b");
    assert_eq!(words(&found.improved), ["3 decent 60 → good 85, +25"]);
    let ids = |seen: &[ListedReport]| seen.iter().map(|seen| seen.id.shown().to_owned()).collect::<Vec<_>>();
    assert_eq!((ids(&found.new), ids(&found.gone)), (vec!["7".to_owned()], vec!["5".to_owned()]));
    assert!(found.untested.is_empty());
}

#[test]
fn a_report_is_gone_only_if_a_complete_list_lacks_it() {
    let all = ListScope::default();
    let bad = ListScope { result: Some(ResultFilter::Bad), ..ListScope::default() };
    let table = [
        (all.clone(), all.clone(), true, true),
        (all.clone(), all.clone(), false, false),
        (project("a"), all.clone(), true, true),
        (all.clone(), project("a"), true, false),
        (project("a"), project("a"), true, true),
        (project("a"), project("b"), true, false),
        (bad.clone(), all.clone(), true, true),
        // It may have become good: a list of bad reports cannot show that.
        (bad.clone(), bad.clone(), true, false),
    ];
    for (older, newer, is_complete, expected) in table {
        let found = between(&snapshot("1 bad", older.clone(), true), &snapshot("2 bad", newer.clone(), is_complete));
        assert_eq!(found.gone.len() == 1, expected, "{older:?} → {newer:?}, complete: {is_complete}");
        assert_eq!(found.knows_gone, expected);
        let found = between(&snapshot("1 bad", newer.clone(), is_complete), &snapshot("2 bad", older.clone(), true));
        assert_eq!(found.new.len() == 1, expected, "{newer:?}, complete: {is_complete} → {older:?}");
    }
}

#[test]
fn untested_reports_are_listed_oldest_first() {
    let mut reports = rows("1 bad\n2 bad\n3 bad");
    reports[0].generated_at = at(60 * DAY).into();
    reports[1].generated_at = at(10 * DAY).into();
    let taken = Snapshot::take(reports.iter(), ListScope::default(), false, at(100 * DAY));
    let found = between(&taken, &taken);
    let ids: Vec<&str> = found.untested.iter().map(|seen| seen.id.raw()).collect();
    assert_eq!(ids, ["2", "1"]);
    assert!(is_empty(&found));
}

#[test]
fn scores_are_one_per_audit() {
    let mut scores = Vec::new();
    for (score, day) in [(31, 1), (31, 1), (40, 2), (40, 3), (22, 2)] {
        add_score(&mut scores, at(100 * DAY), Some(at(day * DAY)), score);
    }
    assert_eq!(scores, [(at(DAY), 31), (at(2 * DAY), 40), (at(3 * DAY), 40)]);
    // Without an audit time, a different score counts as a new audit.
    let mut looks = Vec::new();
    for (score, day) in [(31, 1), (31, 2), (40, 3)] {
        add_score(&mut looks, at(day * DAY), None, score);
    }
    assert_eq!(looks, [(at(DAY), 31), (at(3 * DAY), 40)]);
}

#[test]
fn only_the_oldest_of_many_untested_reports_are_listed() {
    let list = |count: usize| {
        let rows: Vec<Report> = (0..count)
            .map(|number| Report {
                // The later in the list, the older.
                generated_at: at(10 * i64::try_from(count - number).unwrap()).into(),
                ..row(&number.to_string(), "https://shop.example", Outcome::Good)
            })
            .collect();
        let newer = Snapshot::take(rows.iter(), ListScope::default(), true, at(400 * DAY));
        compare(&newer, &newer, at(400 * DAY), SignedDuration::from_hours(24))
    };
    let some = list(MOST_UNTESTED);
    assert_eq!((some.untested.len(), some.more_untested), (MOST_UNTESTED, false));
    let many = list(MOST_UNTESTED + 500);
    assert_eq!((many.untested.len(), many.more_untested), (MOST_UNTESTED, true));
    assert_eq!(many.untested[0].generated_at, at(10));
    assert_eq!(many.untested[MOST_UNTESTED - 1].generated_at, at(10 * i64::try_from(MOST_UNTESTED).unwrap()));
}

#[test]
fn a_duplicate_row_counts_once_and_check_sets_are_shared() {
    let taken = snapshot("1 bad 1 b a\n2 bad 2 a b\n1 bad 3\n3 odd 4 a\n4 odd 4 c", ListScope::default(), true);
    assert_eq!((taken.entries.len(), taken.sets.len(), taken.outcomes.len()), (4, 4, 4));
}

fn any_list() -> impl Strategy<Value = String> {
    let line = ("[a-h1-9]", "bad|decent|good|odd", 0_u8..=100, "( [xyz]){0,2}");
    let line = line.prop_map(|(id, word, score, checks)| format!("{id} {word} {score}{checks}\n"));
    proptest::collection::vec(line, 0..12).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn a_reversed_comparison_gives_the_opposite(older in any_list(), newer in any_list()) {
        let (older, newer) = (snapshot(&older, ListScope::default(), true), snapshot(&newer, ListScope::default(), true));
        let (there, back) = (between(&older, &newer), between(&newer, &older));
        let ids = |seen: &[ListedReport]| seen.iter().map(|seen| seen.id.raw().to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(ids(&there.new), ids(&back.gone));
        prop_assert_eq!(ids(&there.gone), ids(&back.new));
        let moved = |moved: &[ResultChange]| moved.iter().map(|moved| moved.id.raw().to_owned()).collect::<BTreeSet<_>>();
        let all = |found: &Comparison| moved(&found.regressed).union(&moved(&found.improved)).cloned().collect::<BTreeSet<_>>();
        prop_assert_eq!(all(&there).is_disjoint(&ids(&there.new).into_iter().collect()), true);
        // As many broken as repaired checks count as worse both ways; everything else is reversed.
        prop_assert!(moved(&there.improved).is_subset(&moved(&back.regressed)));
        prop_assert_eq!(all(&there), all(&back));
        prop_assert!(there.regressed.iter().all(|moved| moved.before.trend(&moved.after) == Trend::Worse));
        prop_assert!(is_empty(&between(&older, &older)));
    }
}
