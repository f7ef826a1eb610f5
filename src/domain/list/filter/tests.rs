//! Which rows each term keeps, what a service is asked for, and that any text is accepted.

use super::*;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::tests::row;
use crate::domain::triage::{State, Triage};
use proptest::prelude::*;

fn keeps(filter: &str, report: &Report) -> bool {
    Filter::parse(filter).keeps(report, &Triages::default(), Timestamp::from_second(1_000_000_000).unwrap())
}

#[test]
fn terms_keep_exactly_the_matching_rows() {
    let mut report = row("1", "https://Shop.example/Tea?x=1", Outcome::Bad);
    report.score = Some(31);
    report.generated_at = Timestamp::from_second(1_000_000_000 - 40 * 86_400).unwrap().into();
    report.failed = ["title", "meta_description"].into();
    report.fetch_failure = Some(FetchFailure::Dns);
    let table = [
        ("", true),
        ("tea", true),
        ("tea shop", true),
        ("TEA", true),
        ("coffee", false),
        ("!coffee", true),
        ("!tea", false),
        ("result:bad", true),
        ("result:ba", true),
        ("result:good", false),
        ("!result:good", true),
        ("project:shop", true),
        ("project:\"shop.example\"", true),
        ("project:\"shop\"", false),
        ("!project:shop", false),
        ("privacy:public", true),
        ("privacy:pri", false),
        ("check:title", true),
        ("check:meta", true),
        ("check:robots", false),
        ("check:\"title\"", true),
        ("check:\"meta\"", false),
        ("score:<50", true),
        ("score:>=31", true),
        ("score:31", true),
        ("score:>31", false),
        ("score:<=30", false),
        ("age:>30d", true),
        ("age:<30d", false),
        ("fetch:dns", true),
        ("fetch:D", true),
        ("fetch:any", true),
        ("fetch:4xx", false),
        ("!fetch:any", false),
        ("!fetch:tls", true),
        ("url:/tea", true),
        ("url:", true),
        ("\"shop.example/tea\"", true),
        ("https://shop", true),
        ("!", true),
    ];
    for (filter, expected) in table {
        assert_eq!(keeps(filter, &report), expected, "{filter}");
    }
}

#[test]
fn unknown_values_are_reported_and_ignored() {
    for (filter, word) in [
        ("score:<x", "score:"),
        ("age:>30", "age:"),
        ("privacy:secret", "privacy:"),
        ("score:101", "score:"),
        ("state:later", "state:"),
        ("fetch:404", "fetch:"),
    ] {
        let parsed = Filter::parse(filter);
        assert!(parsed.is_empty(), "{filter}");
        assert!(parsed.problems()[0].starts_with(word), "{filter}: {:?}", parsed.problems());
    }
}

#[test]
fn states_are_looked_up_and_default_to_new() {
    let report = row("1", "https://shop.example/tea", Outcome::Bad);
    let now = Timestamp::from_second(1_000_000_000).unwrap();
    let states = [
        State::New,
        State::Looking,
        State::Waiting,
        State::ToVerify,
        State::WontFix,
        State::Snoozed { until: now },
        State::Done,
    ];
    for state in states {
        let triages: Triages = [(report.id.clone(), Triage::set(state, &report, now))].into_iter().collect();
        for kind in StateKind::iter() {
            let keeps = |filter: &str| Filter::parse(filter).keeps(&report, &triages, now);
            let word = kind.word();
            assert_eq!(keeps(&format!("state:{word}")), state.kind() == kind, "{word} of {state:?}");
            assert_eq!(keeps(&format!("!State:{word} tea")), state.kind() != kind, "!{word} of {state:?}");
        }
    }
    assert!(keeps("state:new", &report) && keeps("state:n", &report) && !keeps("state:w", &report));
    assert!(Filter::parse("tea !state:done").depends_on_states() && !Filter::parse("tea").depends_on_states());
    assert_eq!(Filter::parse("state:new").pushed_down(std::iter::empty()), ReportQuery::default());
}

#[test]
fn only_supported_terms_are_sent_to_the_service() {
    let projects = ["shop.example", "myshop.example", "blog.example"];
    let query = |filter: &str| Filter::parse(filter).pushed_down(projects.iter().copied());
    assert_eq!(query("te teapot result:bad score:<5").search.as_deref(), Some("teapot"));
    assert_eq!(query("result:bad").result, Some(ResultFilter::Bad));
    assert_eq!(query("result:b").result, None);
    assert_eq!(query("!result:bad !tea"), ReportQuery::default());
    assert_eq!(query("project:blog").project.as_deref(), Some("blog.example"));
    assert_eq!(query("project:shop").project, None, "two names fit, and a service compares whole names");
    assert_eq!(query("project:\"shop.example\"").project.as_deref(), Some("shop.example"));
}

#[test]
fn letters_that_only_become_ascii_in_lower_case_are_no_qualifier() {
    let report = row("1", "https://shop.example/chec\u{212a}:title", Outcome::Good);
    assert!(keeps("chec\u{212a}:title", &report), "the Kelvin sign is a letter of an address");
    assert_eq!(Filter::parse("chec\u{212a}:title PR\u{130}VACY:x").problems(), [""; 0]);
}

proptest! {
    #[test]
    fn any_filter_is_parsed_and_a_further_term_never_matches_more(text in ".{0,40}", more in ".{0,10}") {
        let report = row("1", "https://shop.example/tea", Outcome::Good);
        if keeps(&format!("{text} {more}"), &report) && !text.contains('"') {
            prop_assert!(keeps(&text, &report));
        }
    }

    #[test]
    fn searching_ignores_case_like_lower_casing_does(text in "[a-zA-Z/.:]{0,30}", wanted in "[a-z/.]{0,4}") {
        prop_assert_eq!(contains_ignoring_case(&text, &wanted), text.to_lowercase().contains(&wanted));
    }
}

#[test]
fn a_report_that_was_fetched_fails_no_fetch() {
    let report = row("1", "https://shop.example/tea", Outcome::Bad);
    assert!(!keeps("fetch:any", &report) && keeps("!fetch:any", &report) && keeps("fetch:", &report));
}
