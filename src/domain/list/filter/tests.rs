//! The filter language: matching, terms sent to the service, completion, and that any text is accepted.

use super::complete::{Completion, CompletionCandidate, complete};
use super::known_values::KnownValues;
use super::missing::missing_values;
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
        ("project:\"\"", false),
        ("project:", true),
        ("check:\"\"", true),
        ("privacy:public", true),
        ("privacy:pub", true),
        ("privacy:pri", false),
        ("check:title", true),
        ("check:meta", true),
        ("check:robots", false),
        ("check:\"title\"", true),
        ("check:\"meta\"", false),
        ("score:<50", true),
        ("score:>=31", true),
        ("score:31", true),
        ("score:=31", true),
        ("score:<=31", true),
        ("score:100", false),
        ("score:>31", false),
        ("score:<=30", false),
        ("age:>30d", true),
        ("age:<30d", false),
        ("age:>=40d", true),
        ("age:<=40d", true),
        ("fetch:dns", true),
        ("fetch:D", true),
        ("fetch:any", true),
        ("fetch:a", true),
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
        ("age:30d", "age:"),
        ("age:=30d", "age:"),
        ("privacy:secret", "privacy:"),
        ("score:101", "score:"),
        ("state:later", "state:"),
        ("fetch:404", "fetch:"),
    ] {
        let parsed = Filter::parse(filter);
        assert!(parsed.is_empty(), "{filter}");
        assert!(parsed.problems()[0].text.starts_with(word), "{filter}: {:?}", parsed.problems());
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
            let word = kind.name();
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
    assert_eq!(query(r#"project:"the ""new"" shop""#).project.as_deref(), Some(r#"the "new" shop"#));
}

#[test]
fn a_quote_inside_quotes_is_doubled() {
    let mut report = row("1", "https://shop.example/say-\"tea\"", Outcome::Bad);
    for name in [r#"the "new" shop"#, r#"""#, r#""tea""#, r#"tea ""#, r#"" ""#] {
        report.project = std::sync::Arc::new(crate::domain::text::Text::from_outside(name.to_owned()));
        let exact = format!("project:{}", super::quoted(name));
        assert!(keeps(&exact, &report), "{exact}");
        assert!(!keeps(&format!("!{exact}"), &report), "{exact}");
    }
    assert!(keeps(r#""say-""tea""" result:bad"#, &report));
}

#[test]
fn letters_that_only_become_ascii_in_lower_case_are_no_qualifier() {
    let report = row("1", "https://shop.example/chec\u{212a}:title", Outcome::Good);
    assert!(keeps("chec\u{212a}:title", &report), "the Kelvin sign is a letter of an address");
    assert_eq!(Filter::parse("chec\u{212a}:title PR\u{130}VACY:x").problems(), []);
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
    fn searching_ignores_case_like_lower_casing_does(text in "[a-cA-C/.]{0,20}|[aAéÉ/]{0,8}", wanted in "[a-cé/.]{0,3}") {
        prop_assert_eq!(contains_ignoring_case(&text, &wanted), text.to_lowercase().contains(&wanted));
        prop_assert_eq!(starts_ignoring_case(&text, &wanted), text.to_lowercase().starts_with(&wanted));
    }
}

#[test]
fn a_report_without_a_failure_or_a_time_has_neither() {
    let report = row("1", "https://shop.example/tea", Outcome::Bad);
    assert!(!keeps("fetch:any", &report) && keeps("!fetch:any", &report) && keeps("fetch:", &report));
    assert!(!keeps("age:>1d", &report) && !keeps("age:<1d", &report) && keeps("!age:>1d", &report));
}

#[test]
fn an_opened_report_fails_only_its_failed_checks() {
    let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
    let check = |id: &str, outcome| Check {
        id: id.into(),
        category: None,
        importance: None,
        outcome,
        value: serde_json::Value::Null,
        errors: Vec::new(),
    };
    let checks = vec![check("csp", CheckOutcome::Failed), check("title", CheckOutcome::Passed)];
    report.details = Some(Box::new(crate::domain::report::Details { checks: Some(checks), ..Default::default() }));
    assert!(keeps("check:csp", &report) && !keeps("check:title", &report) && !keeps("check:tit", &report));
    let known = KnownValues::collect(&[report].into_iter().collect(), &[]);
    assert_eq!(completed("check:|", &known).candidates.len(), 1);
    assert!(Filter::parse("").is_empty() && !Filter::parse("check:csp").is_empty());
}

#[test]
fn an_unknown_qualifier_or_value_names_the_nearest() {
    for (filter, ignored, nearest) in [
        ("reslt:bad", true, Some("result:")),
        ("!stat:new", true, Some("state:")),
        ("Projct:shop", true, Some("project:")),
        ("state:waitng", true, Some("waiting")),
        ("result:bda", true, Some("bad")),
        ("result:bad,good", true, None),
        ("privacy:privte", true, Some("private")),
        ("fetch:tiemout", true, Some("timeout")),
        ("fetch:404", true, Some("4xx")),
        ("-result:bad", true, Some("!result:bad")),
        ("-Project:\"a b\"", true, Some("!Project:\"a b\"")),
        ("score<50", true, Some("score:<50")),
        ("!Age>=30d", true, Some("!age:>=30d")),
        ("result=bad", false, Some("result:bad")),
        ("special:search", false, None),
    ] {
        let text = format!("tea {filter}");
        let parsed = Filter::parse(&text);
        let [problem] = parsed.problems() else { panic!("{filter}: {:?}", parsed.problems()) };
        assert_eq!(problem.nearest.as_deref(), nearest, "{filter}");
        assert_eq!(problem.place, 4..text.chars().count(), "{filter}");
        assert_eq!(parsed == Filter { problems: parsed.problems.clone(), ..Filter::parse("tea") }, ignored, "{filter}");
        assert!(
            nearest.is_none_or(|word| problem.text.ends_with(&format!("did you mean {word}?"))),
            "{}",
            problem.text
        );
    }
    // Parts of URLs, whole texts, and a result that only this service has.
    for filter in [
        "https://shop",
        "localhost:8080/tea",
        "\"reslt:bad\"",
        "result:\"bda\"",
        "url:reslt:bad",
        "a.b:c",
        "result:excellent",
        ":x",
    ] {
        assert_eq!(Filter::parse(filter).problems(), [], "{filter}");
    }
}

#[test]
fn values_that_no_row_has_are_explained() {
    let mut report = row("1", "https://shop.example/tea", Outcome::Bad);
    report.failed = ["title"].into();
    let known = KnownValues::collect(&[report].into_iter().collect(), &["blog.example".to_owned()]);
    for (filter, expected) in [
        ("check:titel", "No loaded report fails a check called `titel`; did you mean title?"),
        ("check:\"titl\"", "No loaded report fails a check called `titl`; did you mean title?"),
        ("!project:blgo.example", "No project is called `blgo.example`; did you mean blog.example?"),
        ("result:excellent", "No loaded report has the result `excellent`"),
    ] {
        let texts: Vec<String> = missing_values(filter, &known).into_iter().map(|problem| problem.text).collect();
        assert_eq!(texts, [expected]);
    }
    assert_eq!(missing_values("check:tit project:BLOG result:ba state:done tea score:<5", &known), []);
    assert_eq!(missing_values("check:x", &KnownValues::default()), [], "nothing is known");
    assert_eq!(missing_values("project:\"\"", &known), [], "reports without a project are not called anything");
}

#[test]
fn a_check_that_no_row_is_known_to_fail_is_explained_with_the_number_of_rows_without_checks() {
    let unknown = |number: u32| row(&number.to_string(), "https://shop.example/tea", Outcome::Bad);
    let known = KnownValues::collect(&(1..=3).map(unknown).collect(), &[]);
    let texts: Vec<String> = missing_values("check:title", &known).into_iter().map(|problem| problem.text).collect();
    assert_eq!(texts, ["No loaded report fails a check called `title` (unknown for 3)"]);
}

/// Completes at the cursor, written as `|`.
fn completed(line: &str, known: &KnownValues) -> Completion {
    let (before, behind) = line.split_once('|').unwrap();
    complete(&format!("{before}{behind}"), before.chars().count(), known)
}

#[test]
fn every_qualifier_has_a_test_of_its_own() {
    let mut tests: Vec<(&str, Test)> = Vec::new();
    for (qualifier, _) in QUALIFIERS {
        let parsed = ["p", "n", "d", "1", "<1d"].iter().find_map(|value| Test::parse(qualifier, value).ok());
        let test = parsed.unwrap_or_else(|| panic!("{qualifier} accepts none of the values: add one"));
        let is_same = |other: &Test| std::mem::discriminant(other) == std::mem::discriminant(&test);
        if let Some((other, _)) = tests.iter().find(|(_, other)| is_same(other)) {
            panic!("{other} and {qualifier} are both parsed as {test:?}: Test::parse needs a match arm for each");
        }
        tests.push((qualifier, test));
    }
}

#[test]
fn the_term_at_the_cursor_is_completed() {
    let mut first = row("1", "https://shop.example/tea", Outcome::Bad);
    first.failed = ["title", "meta_description"].into();
    first.fetch_failure = Some(FetchFailure::Dns);
    let second = Report { failed: ["title"].into(), ..row("2", "https://shop.example/", Outcome::Bad) };
    let third = row("3", "https://shop.example/cart", Outcome::Good);
    let known = KnownValues::collect(&[first, second, third].into_iter().collect(), &["blog.example".to_owned()]);
    let offered = |line: &str| {
        let completion = completed(line, &known);
        (
            completion.replaced,
            completion.candidates.iter().map(CompletionCandidate::in_words).collect::<Vec<_>>().join(" · "),
        )
    };
    let qualifiers = "url: · project: · result: · privacy: · check: · fetch: · path: · score: · age: · state:";
    for (line, replaced, words) in [
        ("|", 0..0, qualifiers),
        ("tea |", 4..4, qualifiers),
        ("pr|", 0..2, "project: · privacy:"),
        ("tea !Res|", 5..8, "result:"),
        ("p|ro", 0..1, ""),
        ("reslt:b|", 0..6, "result:"),
        ("result:|", 7..7, "good 1 · decent 0 · bad 2"),
        ("result:b| tea", 7..8, "bad 2"),
        ("result:bad|", 7..10, ""),
        ("result:bda|", 7..10, "bad 2"),
        ("project:|", 8..8, "shop.example 3 · blog.example 0"),
        ("project:log|", 8..11, "blog.example 0"),
        ("project:\"sh|", 8..11, "shop.example 3"),
        ("check:|", 6..6, "title 2 · meta_description 1"),
        ("!check:desc|", 7..11, "meta_description 1"),
        ("check:titel|", 6..11, "title 2"),
        ("state:w|", 6..7, "waiting · wontfix"),
        ("fetch:|", 6..6, "dns 1 · any 1 · tls 0 · refused 0 · timeout 0 · 4xx 0 · 5xx 0 · other 0"),
        ("privacy:pub|", 8..11, "public 3"),
        ("score:<5|", 6..8, ""),
        ("kettle|", 0..6, ""),
    ] {
        assert_eq!(offered(line), (replaced, words.to_owned()), "{line}");
    }
    assert_eq!(completed("check:|", &known).hint, "checks unknown: 1 of 3");
    assert_eq!(completed("score:|", &known).hint, "score: <50, >=80, 31");
    let negated = completed("tea -score:<50|", &known);
    assert_eq!((negated.candidates[0].text.as_str(), negated.replaced), ("!score:<50", 4..14));
    assert_eq!(completed("project:\"sh|", &known).candidates[0].text, "\"shop.example\"");
}

fn any_rows() -> impl Strategy<Value = Vec<Report>> {
    let checks = proptest::collection::vec("[a-c_\"]{1,3}", 0..3);
    let one = ("[a-z é.\"]{0,5}", "bad|good|decent|odd|gooddish|\"odd\" one|none", checks, 0_usize..9, 0_i64..4);
    let report = one.prop_map(|(project, result, mut failed, failure, privacy)| {
        failed.sort_unstable();
        failed.dedup();
        let mut report = row("1", "https://shop.example/tea", Outcome::from_name(&result));
        report.project = std::sync::Arc::new(crate::domain::text::Text::from_outside(project));
        report.failed =
            failed.iter().map(|id| crate::domain::report::failed_checks::CheckId::from(id.as_str())).collect();
        report.fetch_failure = FetchFailure::iter().nth(failure);
        report.privacy = Privacy::from_code(privacy);
        report
    });
    proptest::collection::vec(report, 0..8)
}

/// The line with a candidate inserted.
fn applied(text: &str, replaced: &std::ops::Range<usize>, with: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let part = |range: &[char]| range.iter().collect::<String>();
    format!("{}{with}{}", part(&characters[..replaced.start]), part(&characters[replaced.end..]))
}

proptest! {
    #[test]
    fn any_line_is_completed_in_place_and_without_a_problem(
        rows in any_rows(), text in "(!?(tea|pro|result:|check:|state:|fetch:|project:|reslt:)?[a-cé\"]{0,3} ){0,3}|.{0,20}", at in 0_usize..30,
    ) {
        let known = KnownValues::collect(&rows.into_iter().enumerate().map(|(number, row)| Report {
            id: crate::domain::report::ReportId::new(&number.to_string()), ..row
        }).collect(), &[]);
        let length = text.chars().count();
        let completion = complete(&text, at.min(length), &known);
        prop_assert!(completion.replaced.start <= completion.replaced.end && completion.replaced.end <= length);
        prop_assert!(completion.candidates.len() <= 20 && !completion.hint.is_empty());
        let before = Filter::parse(&text).problems().len();
        for candidate in &completion.candidates {
            let line = applied(&text, &completion.replaced, &candidate.text);
            prop_assert!(line != text, "{line}");
            if !text.contains('"') && candidate.is_whole {
                prop_assert!(Filter::parse(&line).problems().len() <= before, "{line}");
            }
        }
    }

    #[test]
    fn a_completed_value_keeps_as_many_rows_as_it_says(rows in any_rows(), which in 0_usize..5) {
        let all: crate::domain::list::rows::Rows = rows.iter().cloned().collect();
        let known = KnownValues::collect(&all, &[]);
        let qualifier = ["project:", "check:", "result:", "privacy:", "fetch:"][which];
        for candidate in complete(qualifier, qualifier.len(), &known).candidates {
            let filter = format!("{qualifier}{}", candidate.text);
            let kept = rows.iter().filter(|row| keeps(&filter, row)).count() as u64;
            prop_assert_eq!(candidate.reports, Some(kept).filter(|_| !rows.is_empty()), "{}", filter);
            prop_assert!(missing_values(&filter, &known).is_empty() || kept == 0, "{}", filter);
        }
    }
}
