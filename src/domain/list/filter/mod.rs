//! The filter language of the report table: parsing the text typed after `/`, and matching rows.
//!
//! `tea !cart project:shop result:bad score:<50 age:>30d`: every term must match. An invalid term is reported and
//! ignored, so that a half-typed term never empties the table.

pub mod complete;
pub mod known_values;
mod line;
pub mod missing;
mod problem;
mod qualifier;
#[cfg(test)]
mod tests;

use jiff::{SignedDuration, Timestamp};
use strum::IntoEnumIterator;

use crate::domain::list::query::{ReportQuery, ResultFilter};
use crate::domain::report::Report;
use crate::domain::report::check::{Check, CheckOutcome};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome;
use crate::domain::report::privacy::Privacy;
use crate::domain::text::age;
use crate::domain::text::nearest::nearest;
use crate::domain::text::search_text::search_text;
use crate::domain::text::url_shape::has_shape;
use crate::domain::triage::{StateKind, Triages};
use line::{follows_qualifier, split_with_places, unquote};
use qualifier::{meant_by_hyphen, meant_by_operator, nearest_qualifier, unknown_qualifier};

pub use problem::FilterProblem;
pub use qualifier::{ANY_FAILURE, QUALIFIERS};

pub use line::{qualifier_value, quoted, with_qualifier, with_term};

/// A parsed filter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    terms: Vec<Term>,
    problems: Vec<FilterProblem>,
    without_value: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Term {
    negated: bool,
    test: Test,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    /// A substring of the URL, in lower case.
    Url(String),
    /// A URL shape, in lower case.
    Path(String),
    /// A substring of the project's name, in lower case, or in quotes the whole name as typed.
    Project {
        text: String,
        whole: bool,
    },
    /// A prefix of the result's name, in lower case.
    Result(String),
    /// A prefix of the privacy setting's name, in lower case.
    Privacy(String),
    /// A substring of a failing check's id, in lower case, or in quotes the whole id.
    Check {
        text: String,
        whole: bool,
    },
    /// A prefix of a triage state's name, in lower case.
    State(String),
    /// A prefix of a fetch failure's name or of [`ANY_FAILURE`], in lower case.
    Fetch(String),
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

impl Filter {
    /// Parses a filter. Never fails: see [`Filter::problems`].
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for (place, word) in split_with_places(text) {
            if let Some(meant) = meant_by_hyphen(&word) {
                filter.problems.push(FilterProblem::new(place, "- does not exclude", Some(&meant)));
                continue;
            }
            if let Some((name, meant)) = meant_by_operator(&word) {
                let problem = FilterProblem::new(place.clone(), &format!("{name} needs a colon"), Some(&meant));
                // Only `=` may be part of a URL.
                let is_searched = !word.contains(['<', '>']);
                filter.problems.push(FilterProblem { is_searched, ..problem });
                if !is_searched {
                    continue;
                }
            }
            if let Some(unknown) = unknown_qualifier(word.strip_prefix('!').unwrap_or(&word)) {
                let text = format!("unknown qualifier {}", unknown.trim_end_matches(':'));
                let problem = FilterProblem::new(place.clone(), &text, nearest_qualifier(unknown));
                // Without a similar qualifier the word is searched in URLs, which may contain a colon.
                let is_searched = problem.nearest.is_none();
                filter.problems.push(FilterProblem { is_searched, ..problem });
                if !is_searched {
                    continue;
                }
            }
            match Term::parse(&word) {
                Ok(Some(term)) => filter.terms.push(term),
                Ok(None) => filter.without_value.push(word),
                Err(Mistake { text, nearest }) => {
                    filter.problems.push(FilterProblem::new(place, &text, nearest));
                }
            }
        }
        filter
    }

    /// The terms that are invalid or have an unknown qualifier.
    pub fn problems(&self) -> &[FilterProblem] {
        &self.problems
    }

    /// The terms without a value, which select nothing and reject nothing.
    pub fn without_value(&self) -> &[String] {
        &self.without_value
    }

    /// Whether every report matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether the filter selects a single project, by its whole name.
    pub fn names_a_project(&self) -> bool {
        self.terms.iter().any(|term| !term.negated && matches!(term.test, Test::Project { whole: true, .. }))
    }

    /// Whether the selection changes with the clock.
    pub fn depends_on_time(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::Age(..)))
    }

    /// Whether the selection depends on triage states.
    pub fn depends_on_states(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::State(_)))
    }

    /// Whether the selection depends on which checks fail.
    pub fn depends_on_checks(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.test, Test::Check { .. }))
    }

    /// Whether the report matches. A report without an entry in `triages` is new.
    pub fn keeps(&self, report: &Report, triages: &Triages, now: Timestamp) -> bool {
        self.terms.iter().all(|term| term.test.holds(report, triages, now) != term.negated)
    }

    /// Whether every report this filter matches is also matched by `wider`: true if it contains all of its terms.
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

    /// The part of the filter that the service can apply. The rest is left to [`Filter::keeps`].
    ///
    /// `projects` are the names known so far; a project is sent only if exactly one name fits, because the API compares
    /// whole names.
    pub fn pushed_down<'a>(&self, projects: impl Iterator<Item = &'a str>) -> ReportQuery {
        let mut query = ReportQuery::default();
        let mut wanted_project = None;
        for term in self.terms.iter().filter(|term| !term.negated) {
            match &term.test {
                Test::Url(text) if query.search.as_ref().is_none_or(|longest| longest.len() < text.len()) => {
                    query.search = Some(text.clone());
                }
                Test::Result(word) if query.result.is_none() => {
                    query.result = ResultFilter::iter().find(|result| result.name() == word);
                }
                Test::Project { text, whole } => wanted_project = Some((text, *whole)),
                Test::Url(_)
                | Test::Path(_)
                | Test::Result(_)
                | Test::Privacy(_)
                | Test::Check { .. }
                | Test::State(_)
                | Test::Fetch(_)
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
    fn parse(word: &str) -> Result<Option<Self>, Mistake> {
        let (negated, word) = word.strip_prefix('!').map_or((false, word), |rest| (true, rest));
        let Some(qualifier) = QUALIFIERS.iter().map(|(name, _)| *name).find(|name| follows_qualifier(word, name))
        else {
            let text = unquote(&word.to_lowercase()).0.into_owned();
            return Ok((!text.is_empty()).then_some(Self { negated, test: Test::Url(text) }));
        };
        let value = &word[qualifier.len()..];
        let (plain, quoted) = unquote(value);
        // Reports may have no project; `project:""` selects them.
        if plain.is_empty() && !(quoted && qualifier == "project:") {
            return Ok(None);
        }
        Test::parse(qualifier, value).map(|test| Some(Self { negated, test }))
    }
}

impl Test {
    fn parse(qualifier: &str, value: &str) -> Result<Self, Mistake> {
        let (plain, quoted) = unquote(value);
        let lower = plain.to_lowercase();
        match qualifier {
            "url:" => Ok(Self::Url(lower)),
            "path:" => Ok(Self::Path(lower)),
            "project:" if quoted => Ok(Self::Project { text: plain.into_owned(), whole: true }),
            "project:" => Ok(Self::Project { text: lower, whole: false }),
            // A service may have results of its own: only likely typos and lists, as `--result` takes them, are errors.
            "result:" if quoted => Ok(Self::Result(lower)),
            "result:" => {
                let words = ["good", "decent", "bad", "none"];
                match begins_one_of(qualifier, (&plain, &lower), &words) {
                    Err(mistake) if mistake.nearest.is_some() || plain.contains(',') => Err(mistake),
                    Ok(()) | Err(_) => Ok(Self::Result(lower)),
                }
            }
            "privacy:" => {
                let words: Vec<&str> = Privacy::iter().map(Privacy::name).collect();
                begins_one_of(qualifier, (&plain, &lower), &words).map(|()| Self::Privacy(lower))
            }
            "check:" if quoted => Ok(Self::Check { text: plain.into_owned(), whole: true }),
            "check:" => Ok(Self::Check { text: lower, whole: false }),
            "state:" => {
                let words: Vec<&str> = StateKind::iter().map(StateKind::name).collect();
                begins_one_of(qualifier, (&plain, &lower), &words).map(|()| Self::State(lower))
            }
            "fetch:" => {
                let words: Vec<&str> = FetchFailure::iter().map(FetchFailure::name).chain([ANY_FAILURE]).collect();
                begins_one_of(qualifier, (&plain, &lower), &words).map_err(|mistake| {
                    // A status is matched by its class.
                    let class = plain.parse().ok().and_then(FetchFailure::of_status).map(FetchFailure::name);
                    Mistake { nearest: class.or(mistake.nearest), ..mistake }
                })?;
                Ok(Self::Fetch(lower))
            }
            "score:" => {
                let (comparison, number) = Comparison::parse(&plain);
                let score = number.parse().ok().filter(|score| *score <= 100);
                score.map(|score| Self::Score(comparison, score)).ok_or_else(|| {
                    Mistake::new(format!("score: takes a number from 0 to 100, optionally with < or >, not `{plain}`"))
                })
            }
            _ => {
                let (comparison, span) = Comparison::parse(&plain);
                // No age is exactly a span.
                let span = age::parse_span(span).filter(|_| comparison != Comparison::Equal);
                span.map(|span| Self::Age(comparison, span))
                    .ok_or_else(|| Mistake::new(format!("age: takes a span like >30d, <12h or >2w, not `{plain}`")))
            }
        }
    }

    fn holds(&self, report: &Report, triages: &Triages, now: Timestamp) -> bool {
        match self {
            Self::Url(text) => reads_as(report.url.raw(), text),
            Self::Path(shape) => has_shape(report.url.shown(), shape),
            Self::Project { text, whole } => project_fits(report.project.raw(), text, *whole),
            Self::Result(word) => result_fits(report.outcome.name(), word),
            Self::Privacy(word) => report.privacy.is_some_and(|privacy| privacy.name().starts_with(word.as_str())),
            Self::Check { text, whole } => fails_check(report, text, *whole),
            Self::State(word) => triages.kind(&report.id).name().starts_with(word.as_str()),
            Self::Fetch(word) => report.fetch_failure.is_some_and(|failure| {
                failure.name().starts_with(word.as_str()) || ANY_FAILURE.starts_with(word.as_str())
            }),
            Self::Score(comparison, wanted) => report.score.is_some_and(|score| comparison.holds(&score, wanted)),
            Self::Age(comparison, span) => {
                report.generated_at.is_some_and(|then| comparison.holds(&now.duration_since(then), span))
            }
        }
    }
}

/// Why a term is ignored, and the qualifier or value that was probably meant.
struct Mistake {
    text: String,
    nearest: Option<&'static str>,
}

impl Mistake {
    fn new(text: String) -> Self {
        Self { text, nearest: None }
    }
}

/// Fails unless the value is a prefix of one of the words.
fn begins_one_of(qualifier: &str, (plain, lower): (&str, &str), words: &[&'static str]) -> Result<(), Mistake> {
    if words.iter().any(|word| word.starts_with(lower)) {
        return Ok(());
    }
    let nearest = nearest(lower, words);
    let text = match nearest {
        Some(_) => format!("{qualifier} has no `{plain}`"),
        None => format!("{qualifier} must be one of {}, not `{plain}`", words.join(", ")),
    };
    Err(Mistake { text, nearest })
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

fn fails_check(report: &Report, text: &str, whole: bool) -> bool {
    let fits = |id: &str| if whole { id == text } else { contains_ignoring_case(id, text) };
    let fails = |check: &Check| check.outcome == CheckOutcome::Failed && fits(check.id.shown());
    report.failed.iter().any(|id| fits(id)) || report.checks().is_some_and(|checks| checks.iter().any(fails))
}

fn project_fits(name: &str, text: &str, whole: bool) -> bool {
    if whole { name == text } else { reads_as(name, text) }
}

/// Whether a result starts with a lower-case word; one of the API's words matches only itself.
fn result_fits(result: &str, word: &str) -> bool {
    let is_whole = outcome::KNOWN.iter().any(|known| known.name() == word);
    if is_whole { result == word } else { starts_ignoring_case(result, word) }
}

fn starts_ignoring_case(text: &str, lower: &str) -> bool {
    if text.is_ascii() {
        text.len() >= lower.len() && text.as_bytes()[..lower.len()].eq_ignore_ascii_case(lower.as_bytes())
    } else {
        text.to_lowercase().starts_with(lower)
    }
}

/// Whether a URL or project name contains a lower-case text, in its raw or its decoded form.
fn reads_as(encoded: &str, lower: &str) -> bool {
    contains_ignoring_case(encoded, lower) || search_text(encoded).is_some_and(|text| text.contains(lower))
}

/// Case-insensitive substring search without allocation for ASCII, which nearly every URL is. `lower` must be
/// lower-case.
pub fn contains_ignoring_case(text: &str, lower: &str) -> bool {
    // Nearly every URL is already lower-case, which the standard library checks many bytes at a time.
    let needs_care = text.bytes().fold(false, |found, byte| found | !byte.is_ascii() | byte.is_ascii_uppercase());
    if !needs_care {
        return text.contains(lower);
    }
    if !text.is_ascii() {
        return text.to_lowercase().contains(lower);
    }
    lower.is_empty() || text.as_bytes().windows(lower.len()).any(|part| part.eq_ignore_ascii_case(lower.as_bytes()))
}
