//! The filter language of the report table: what a person types behind `/`, and what it keeps.
//!
//! `tea !cart project:shop result:bad score:<50 age:>30d` — every term must hold. A bad term is told and ignored, so
//! that half a term typed never empties the table. Must not know where rows come from; [`Filter::pushed_down`] says
//! which part a service understands.

mod line;

use jiff::{SignedDuration, Timestamp};
use strum::IntoEnumIterator;

use crate::domain::age;
use crate::domain::query::{ReportQuery, ResultFilter};
use crate::domain::report::Report;
use line::{split, unquote};

pub use line::{qualifier_value, quoted, with_qualifier, with_term};

/// A parsed filter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    terms: Vec<Term>,
    problems: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    /// A substring of the URL; kept in lower case.
    Url(String),
    /// A substring of the project's name, or in quotes the whole name. Substrings are kept in lower case.
    Project {
        text: String,
        whole: bool,
    },
    /// The beginning of the result's word, in lower case.
    Result(String),
    /// The beginning of the privacy's word, in lower case.
    Privacy(String),
    /// A substring of the id of a failing check, in lower case.
    Check(String),
    Score(Comparison, u8),
    Age(Comparison, SignedDuration),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

/// The words that may stand before a colon, each with what it keeps: for the help and the filter line's hints.
pub const QUALIFIERS: [(&str, &str); 7] = [
    ("url:", "the URL contains this"),
    ("project:", "the project's name contains this (in quotes: is this)"),
    ("result:", "good, decent, bad"),
    ("privacy:", "public, private, password"),
    ("check:", "a failing check's id contains this"),
    ("score:", "<50, >=80, 31"),
    ("age:", ">30d, <2h: since the page was audited"),
];

impl Filter {
    /// Reads what a person typed. Never fails: see [`Filter::problems`].
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in split(text) {
            match Term::parse(&word) {
                Ok(Some(term)) => filter.terms.push(term),
                Ok(None) => {}
                Err(problem) => filter.problems.push(problem),
            }
        }
        filter
    }

    /// What could not be understood, one line each.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// True when every report is kept.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// True when what is kept changes with the clock.
    pub fn depends_on_time(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::Age(..)))
    }

    /// Whether the report is kept.
    pub fn keeps(&self, report: &Report, now: Timestamp) -> bool {
        self.terms.iter().all(|term| term.test.holds(report, now) != term.negated)
    }

    /// Whether this filter keeps nothing that `wider` drops: true when it has all of its terms.
    pub fn narrows(&self, wider: &Self) -> bool {
        wider.terms.iter().all(|term| {
            self.terms.iter().any(|mine| {
                mine == term
                    || (!mine.negated
                        && !term.negated
                        && matches!((&mine.test, &term.test), (Test::Url(mine), Test::Url(theirs)) if mine.contains(theirs.as_str())))
            })
        })
    }

    /// The part that the interface can ask a service for. What a service cannot do stays with [`Filter::keeps`].
    ///
    /// `projects` are the names known so far; a project is asked for only when exactly one name fits, because the
    /// interface compares whole names.
    pub fn pushed_down<'a>(&self, projects: impl Iterator<Item = &'a str>) -> ReportQuery {
        let mut query = ReportQuery::default();
        let mut wanted_project = None;
        for term in self.terms.iter().filter(|term| !term.negated) {
            match &term.test {
                Test::Url(text) if query.search.as_ref().is_none_or(|longest| longest.len() < text.len()) => {
                    query.search = Some(text.clone());
                }
                Test::Result(word) if query.result.is_none() => {
                    query.result = ResultFilter::iter().find(|result| result.word() == word);
                }
                Test::Project { text, whole } => wanted_project = Some((text, *whole)),
                Test::Url(_)
                | Test::Result(_)
                | Test::Privacy(_)
                | Test::Check(_)
                | Test::Score(..)
                | Test::Age(..) => {}
            }
        }
        if let Some((text, whole)) = wanted_project {
            let mut fitting = projects.filter(|name| project_fits(name, text, whole));
            if let (Some(only), None) = (fitting.next(), fitting.next()) {
                query.project = Some(only.to_owned());
            } else if whole {
                query.project = Some(text.clone());
            }
        }
        query
    }
}

impl Term {
    fn parse(word: &str) -> Result<Option<Self>, String> {
        let (negated, word) = match word.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let lower = word.to_lowercase();
        let qualifier = QUALIFIERS.iter().map(|(name, _)| *name).find(|name| lower.starts_with(name));
        let Some(qualifier) = qualifier else {
            let text = unquote(&lower).0.to_owned();
            return Ok((!text.is_empty()).then_some(Self { negated, test: Test::Url(text) }));
        };
        // Lower-casing may change lengths, but never of the ASCII qualifier in front.
        let value = &word[qualifier.len()..];
        if value.is_empty() {
            return Ok(None);
        }
        Test::parse(qualifier, value).map(|test| Some(Self { negated, test }))
    }
}

impl Test {
    fn parse(qualifier: &str, value: &str) -> Result<Self, String> {
        let (plain, quoted) = unquote(value);
        let lower = plain.to_lowercase();
        match qualifier {
            "url:" => Ok(Self::Url(lower)),
            "project:" if quoted => Ok(Self::Project { text: plain.to_owned(), whole: true }),
            "project:" => Ok(Self::Project { text: lower, whole: false }),
            "result:" => Ok(Self::Result(lower)),
            "privacy:" => ["public", "private", "password"]
                .iter()
                .any(|word| word.starts_with(&lower))
                .then_some(Self::Privacy(lower))
                .ok_or_else(|| format!("privacy: is public, private or password, not `{plain}`")),
            "check:" => Ok(Self::Check(lower)),
            "score:" => {
                let (comparison, number) = Comparison::parse(plain);
                let score = number.parse().ok().filter(|score| *score <= 100);
                score
                    .map(|score| Self::Score(comparison, score))
                    .ok_or_else(|| format!("score: is a number from 0 to 100, perhaps with < or >, not `{plain}`"))
            }
            _ => {
                let (comparison, span) = Comparison::parse(plain);
                age::parse_span(span)
                    .map(|span| Self::Age(comparison, span))
                    .ok_or_else(|| format!("age: is a span like >30d, <12h or >2w, not `{plain}`"))
            }
        }
    }

    fn holds(&self, report: &Report, now: Timestamp) -> bool {
        match self {
            Self::Url(text) => contains_ignoring_case(report.url.raw(), text),
            Self::Project { text, whole } => project_fits(report.project.raw(), text, *whole),
            Self::Result(word) => starts_ignoring_case(report.outcome.word(), word),
            Self::Privacy(word) => report.privacy.is_some_and(|privacy| privacy.word().starts_with(word.as_str())),
            Self::Check(text) => {
                report.failed.iter().any(|id| contains_ignoring_case(id, text))
                    || report.checks().is_some_and(|checks| {
                        checks.iter().any(|check| {
                            check.outcome == crate::domain::check::CheckOutcome::Failed
                                && contains_ignoring_case(check.id.raw(), text)
                        })
                    })
            }
            Self::Score(comparison, wanted) => report.score.is_some_and(|score| comparison.holds(&score, wanted)),
            Self::Age(comparison, span) => {
                report.generated_at.is_some_and(|then| comparison.holds(&now.duration_since(then), span))
            }
        }
    }
}

impl Comparison {
    fn parse(text: &str) -> (Self, &str) {
        for (sign, comparison) in
            [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Less), (">", Self::More), ("=", Self::Equal)]
        {
            if let Some(rest) = text.strip_prefix(sign) {
                return (comparison, rest);
            }
        }
        (Self::Equal, text)
    }

    fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
            Self::More => left > right,
        }
    }
}

fn project_fits(name: &str, text: &str, whole: bool) -> bool {
    if whole { name == text } else { contains_ignoring_case(name, text) }
}

fn starts_ignoring_case(text: &str, lower: &str) -> bool {
    if text.is_ascii() {
        text.len() >= lower.len() && text.as_bytes()[..lower.len()].eq_ignore_ascii_case(lower.as_bytes())
    } else {
        text.to_lowercase().starts_with(lower)
    }
}

/// Substring search that copies nothing for ASCII, which nearly every URL is. `lower` must be in lower case.
pub fn contains_ignoring_case(text: &str, lower: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(lower);
    }
    let Some(&first) = lower.as_bytes().first() else { return true };
    let (text, wanted) = (text.as_bytes(), lower.as_bytes());
    if text.len() < wanted.len() {
        return false;
    }
    (0..=text.len() - wanted.len())
        .any(|at| text[at].to_ascii_lowercase() == first && text[at..at + wanted.len()].eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outcome::Outcome;
    use crate::domain::report::tests::row;
    use proptest::prelude::*;

    fn keeps(filter: &str, report: &Report) -> bool {
        Filter::parse(filter).keeps(report, Timestamp::from_second(1_000_000_000).unwrap())
    }

    #[test]
    fn terms_keep_what_they_say() {
        let mut report = row("1", "https://Shop.example/Tea?x=1", Outcome::Bad);
        report.score = Some(31);
        report.generated_at = Some(Timestamp::from_second(1_000_000_000 - 40 * 86_400).unwrap());
        report.failed = Box::new(["title".into(), "meta_description".into()]);
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
            ("score:<50", true),
            ("score:>=31", true),
            ("score:31", true),
            ("score:>31", false),
            ("score:<=30", false),
            ("age:>30d", true),
            ("age:<30d", false),
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
    fn unknown_values_are_told_and_ignored() {
        for (filter, word) in
            [("score:<x", "score:"), ("age:>30", "age:"), ("privacy:secret", "privacy:"), ("score:101", "score:")]
        {
            let parsed = Filter::parse(filter);
            assert!(parsed.is_empty(), "{filter}");
            assert!(parsed.problems()[0].starts_with(word), "{filter}: {:?}", parsed.problems());
        }
    }

    #[test]
    fn a_service_is_asked_for_what_it_understands() {
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

    proptest! {
        #[test]
        fn any_text_is_read_and_one_more_term_never_keeps_more(text in ".{0,40}", more in ".{0,10}") {
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
}
