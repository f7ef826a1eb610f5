//! Grouping, ranking, and that a group's filter selects its members.

use proptest::prelude::*;

use super::lines::{CauseScope, FoundCauses, find_causes};
use super::*;
use crate::domain::list::filter::Filter;
use crate::domain::list::rows::Rows;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::report::{Report, ReportId};
use crate::domain::triage::Triages;
use jiff::Timestamp;

/// Builds rows from lines of the form `outcome url check check…`.
fn rows(lines: &[String]) -> Rows {
    let made = |(number, line): (usize, &String)| {
        let mut words = line.split_whitespace();
        let outcome = Outcome::from_name(words.next().unwrap());
        let mut report = row(&number.to_string(), &format!("https://{}", words.next().unwrap()), outcome);
        let ids: Vec<&str> = words.collect();
        if !ids.is_empty() {
            report.failed = ids.into_iter().map(Into::into).collect();
        }
        report
    };
    lines.iter().enumerate().map(made).collect()
}

fn all(rows: &Rows) -> Vec<u32> {
    (0..rows.len()).map(|place| place as u32).collect()
}

fn lines(parts: &[(usize, &str)]) -> Vec<String> {
    let numbered = |(count, line): &(usize, &str)| {
        (0..*count).map(|number| line.replace('#', &(number + 10).to_string())).collect::<Vec<_>>()
    };
    parts.iter().flat_map(numbered).collect()
}

/// Formats groups as lines: `38 of 52: title, csp, hsts`.
fn words(groups: &[CauseGroup]) -> Vec<String> {
    groups.iter().map(|group| format!("{} of {}: {}", group.members.len(), group.of, group.label)).collect()
}

#[test]
fn every_failing_check_and_what_fails_together_is_listed() {
    let rows = rows(&lines(&[
        (38, "bad shop.example/p# title csp hsts"),
        (6, "bad shop.example/q# title"),
        (5, "bad shop.example/r# alt_text"),
        (2, "bad shop.example/s# title alt_text"),
        (1, "bad shop.example/t# lonely"),
        (3, "bad shop.example/u#"),
        (9, "good shop.example/v# title"),
        (4, "decent shop.example/w# csp"),
    ]));
    let found = find_causes(&rows, &all(&rows));
    let checks = ["46 of 52: title", "38 of 52: csp", "38 of 52: hsts", "7 of 52: alt_text", "1 of 52: lonely"];
    assert_eq!(words(&found.checks), checks);
    assert_eq!(words(&found.sets), ["38 of 52: title, csp, hsts"]);
    assert_eq!((found.all, found.unknown.len()), (55, 3));
    assert_eq!(found.sets[0].filter, "check:\"title\" check:\"csp\" check:\"hsts\"");
}

#[test]
fn equal_sets_of_reports_are_listed_once() {
    let rows = rows(&lines(&[(4, "bad shop.example/p# a b c d e f g"), (1, "bad shop.example/q# a")]));
    let found = find_causes(&rows, &all(&rows));
    assert_eq!(words(&found.sets), ["4 of 5: a, b, c and 4 more"]);
    assert_eq!(found.sets[0].filter, "check:\"a\" check:\"b\" check:\"c\"");
}

#[test]
fn urls_are_grouped_by_prefix_and_numbers_are_folded() {
    let rows = rows(&lines(&[
        (31, "bad shop.example/blog/page#"),
        (10, "bad shop.example/Product/#"),
        (4, "bad shop.example/product/#/reviews/x"),
        (3, "bad shop.example/u/0f8fad5b-d9cb-469f-a165-70867728950#/orders?page=7"),
        (2, "bad other.example/"),
        (1, "bad other.example/alone"),
    ]));
    let found = find_causes(&rows, &all(&rows));
    let expected = [
        "48 of 51: shop.example",
        "31 of 51: shop.example/blog/…",
        "14 of 51: shop.example/product/…",
        "10 of 51: shop.example/product/{number}",
        "4 of 51: shop.example/product/{number}/reviews/…",
    ];
    assert_eq!(words(&found.addresses)[..5], expected[..5]);
    assert!(words(&found.addresses).iter().any(|words| words.starts_with("3 of 51: shop.example/u/{id}")));
    let terms: Vec<&str> = found.addresses.iter().map(|group| &*group.filter).collect();
    assert_eq!(terms[0], "path:\"shop.example/…\"");
    assert_eq!(terms[1], "path:\"shop.example/blog/…\"");
    assert_eq!(terms[3], "path:\"shop.example/product/{number}\"");
    assert_eq!(words(&found.projects), ["51 of 51: shop.example"]);
}

#[test]
fn a_list_without_checks_says_which_reports_to_open() {
    let rows = rows(&lines(&[(3, "bad shop.example/#"), (2, "good shop.example/#")]));
    let found = find_causes(&rows, &all(&rows));
    assert!(found.checks.is_empty());
    assert_eq!(found.unknown.iter().map(ReportId::raw).collect::<Vec<_>>(), ["0", "1", "2"]);
    let nothing = FoundCauses { scope: Some(CauseScope::All), ..FoundCauses::default() };
    assert_eq!(find_causes(&Rows::new(), &[]), nothing);
}

#[test]
fn hostile_words_are_cleaned_in_labels() {
    let rows = rows(&lines(&[(2, "bad shop.example/\u{1b}[31m/# ti\u{1b}tle")]));
    let found = find_causes(&rows, &all(&rows));
    let labels = found.checks.iter().chain(&found.addresses).map(|group| &group.label);
    assert!(labels.clone().count() > 1 && labels.clone().all(|label| !label.contains('\u{1b}')));
}

fn any_line() -> impl Strategy<Value = String> {
    ("bad|decent|good", "[ab]\\.example/(x|y|\"|[0-9]{1,2})/([0-9]|z)?", "( (\"?[a-f]|\"+)){0,4}")
        .prop_map(|(outcome, url, checks)| format!("{outcome} {url}{checks}"))
}

proptest! {
    #[test]
    fn groups_are_the_same_for_any_order_of_rows(lines in proptest::collection::vec(any_line(), 0..30)) {
        let rows = rows(&lines);
        let mut places = all(&rows);
        let found = find_causes(&rows, &places);
        for group in found.checks.iter().chain(&found.sets).chain(&found.addresses).chain(&found.projects) {
            let filter = Filter::parse(&format!("result:bad {}", group.filter));
            let kept: Vec<u32> = places.iter().copied().filter(|place| {
                filter.keeps(rows.get(*place).unwrap(), &Triages::default(), Timestamp::UNIX_EPOCH)
            }).collect();
            prop_assert_eq!(&kept, &group.members, "{:?}", group);
            prop_assert!(group.reports() <= group.of && !group.members.is_empty());
        }
        let unknown = rows.iter().filter(|row| row.outcome == Outcome::Bad && !row.knows_failing());
        prop_assert!(unknown.map(|row| &row.id).eq(&found.unknown));
        places.reverse();
        prop_assert_eq!(find_causes(&rows, &places), found);
    }
}

#[test]
fn projects_are_ranked_by_the_share_of_their_own_reports() {
    let list = rows(&lines(&[(3, "bad big.example/p#"), (9, "good big.example/q#"), (1, "bad small.example/p#")]));
    let of_host = |report: &Report| {
        let host = report.short_url().split('/').next().unwrap();
        Report { project: std::sync::Arc::new(host.into()), ..report.clone() }
    };
    let list: Rows = list.iter().map(of_host).collect();
    let found = find_causes(&list, &all(&list));
    let projects: Vec<_> = found.projects.iter().map(|line| (&*line.label, line.reports(), line.of)).collect();
    assert_eq!(projects, [("small.example", 1, 1), ("big.example", 3, 12)]);
    assert_eq!(found.scope, Some(CauseScope::All));
    let of_one = find_causes(&list, &(0..12).collect::<Vec<_>>());
    assert_eq!(of_one.scope, Some(CauseScope::Project("big.example".to_owned())));
    assert_eq!(find_causes(&list, &[0, 1]).scope, None, "a part of the bad reports of a project");
}
