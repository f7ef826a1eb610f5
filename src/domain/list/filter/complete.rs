//! Autocompletion for the filter line: qualifiers and their values, with the number of reports.
//!
//! A pure function of the text and the known values of the list.

use std::ops::Range;

use strum::IntoEnumIterator as _;

use super::contains_ignoring_case;
use super::known_values::{KnownValue, KnownValues};
use super::line::{follows_qualifier, quoted, split_with_places, unquote};
use super::qualifier::{ANY_FAILURE, QUALIFIERS, meant_by_hyphen, nearest_qualifier, unknown_qualifier};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::outcome::{self, Outcome};
use crate::domain::report::privacy::Privacy;
use crate::domain::text::clean;
use crate::domain::text::nearest::nearest;
use crate::domain::text::numbers::grouped;
use crate::domain::triage::StateKind;

/// The maximum number of candidates.
const MOST: usize = 20;
/// The hint while no qualifier is typed.
const PLAIN_HINT: &str = "words of the URL; ! before a term excludes";

/// The completions of the term at the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The part of the line that a candidate replaces, in characters.
    pub replaced: Range<usize>,
    /// Candidates, best first.
    pub candidates: Vec<CompletionCandidate>,
    /// What may be typed here, in one line.
    pub hint: String,
    /// The hint warns that the candidates may be incomplete.
    pub is_warning: bool,
}

/// A completion candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionCandidate {
    /// The text to insert.
    pub text: String,
    /// The display form of the text.
    pub label: String,
    /// How many loaded reports have the value, if counted.
    pub reports: Option<u64>,
    /// Whether it completes the term; a qualifier alone does not.
    pub is_whole: bool,
}

impl CompletionCandidate {
    fn qualifier(qualifier: &str) -> Self {
        Self { text: qualifier.to_owned(), label: qualifier.to_owned(), reports: None, is_whole: false }
    }

    /// A word that the filter compares by prefix.
    fn word(word: &str, reports: Option<u64>) -> Self {
        Self { text: word.to_owned(), label: word.to_owned(), reports, is_whole: true }
    }

    /// A name, quoted so that it matches as a whole.
    fn name(known: &KnownValue) -> Self {
        let label = clean(&known.value).into_owned();
        Self { text: quoted(&known.value), label, reports: Some(known.reports), is_whole: true }
    }

    /// The label with the number of reports.
    pub fn in_words(&self) -> String {
        let reports = self.reports.map(|reports| format!(" {}", grouped(reports))).unwrap_or_default();
        format!("{}{reports}", self.label)
    }
}

/// Completes the term at the cursor, a position in characters.
pub fn complete(text: &str, cursor: usize, known: &KnownValues) -> Completion {
    let words = split_with_places(text);
    let at_cursor = words.into_iter().find(|(place, _)| place.start < cursor && cursor <= place.end);
    let (place, word) = at_cursor.unwrap_or((cursor..cursor, String::new()));
    let sign = usize::from(word.starts_with('!')).min(cursor - place.start);
    let term = &word[sign..];
    let before = cursor - place.start - sign;
    let Some((qualifier, description)) = QUALIFIERS.iter().find(|(qualifier, _)| follows_qualifier(term, qualifier))
    else {
        return qualifiers((place.start + sign, term), before);
    };
    // Qualifiers are ASCII: as many bytes as characters.
    let value = &term[qualifier.len()..];
    if before < qualifier.len() {
        return Completion { replaced: cursor..cursor, ..hint(qualifier, description, known) };
    }
    let typed: String = value.chars().take(before - qualifier.len()).collect();
    let typed = unquote(&typed).0.to_lowercase();
    let mut candidates = values(qualifier, &typed, known);
    candidates.retain(|candidate| candidate.text != value);
    candidates.truncate(MOST);
    let replaced = place.start + sign + qualifier.len()..place.end;
    Completion { replaced, candidates, ..hint(qualifier, description, known) }
}

/// Whether the last term has a qualifier and a value, outside open quotes, so that a space begins the next term.
pub fn ends_with_value(text: &str) -> bool {
    let last =
        split_with_places(text).pop().filter(|(_, word)| text.ends_with(word) && word.matches('"').count() % 2 == 0);
    last.is_some_and(|(_, word)| {
        let term = word.strip_prefix('!').unwrap_or(&word);
        QUALIFIERS.iter().any(|(name, _)| follows_qualifier(term, name) && term.len() > name.len())
    })
}

/// Completes a qualifier, or suggests the most similar one for a mistyped qualifier.
fn qualifiers((start, term): (usize, &str), before: usize) -> Completion {
    if let Some(unknown) = unknown_qualifier(term) {
        let nearest = nearest_qualifier(unknown).map(CompletionCandidate::qualifier);
        let candidates = nearest.into_iter().collect();
        let hint = format!("unknown qualifier {}: searching URLs for it", clean(unknown.trim_end_matches(':')));
        return Completion { replaced: start..start + unknown.len(), candidates, hint, is_warning: false };
    }
    if let Some(meant) = meant_by_hyphen(term) {
        let replaced = start..start + term.chars().count();
        let candidates = vec![CompletionCandidate { is_whole: true, ..CompletionCandidate::qualifier(&meant) }];
        return Completion { replaced, candidates, hint: PLAIN_HINT.to_owned(), is_warning: false };
    }
    let typed: String = term.chars().take(before).collect();
    // The rest of the word is replaced only if all of it is before the cursor.
    let is_whole = before == term.chars().count();
    let fitting = QUALIFIERS.iter().filter(|(name, _)| is_whole && follows_qualifier(name, &typed));
    let candidates = fitting.map(|(name, _)| CompletionCandidate::qualifier(name)).collect();
    Completion { replaced: start..start + before, candidates, hint: PLAIN_HINT.to_owned(), is_warning: false }
}

/// Values that begin with the typed text, then those that contain it, or else the most similar one.
fn values(qualifier: &str, typed: &str, known: &KnownValues) -> Vec<CompletionCandidate> {
    let counted_words = |words: &[&str], values: &[KnownValue]| {
        let count = |word: &str| Some(KnownValues::count(values, word)).filter(|_| known.reports > 0);
        words.iter().map(|word| CompletionCandidate::word(word, count(word))).collect::<Vec<_>>()
    };
    let all: Vec<CompletionCandidate> = match qualifier {
        "project:" => names(&known.projects, typed),
        "check:" => names(&known.checks, typed),
        "result:" => {
            let known_words: Vec<&str> = outcome::KNOWN.iter().rev().map(Outcome::name).collect();
            let mut all = counted_words(&known_words, &known.results);
            // Quoted, so that a service's own word is not taken for a mistyped known one.
            let foreign = known.results.iter().filter(|result| !known_words.contains(&result.value.as_str()));
            all.extend(foreign.map(CompletionCandidate::name));
            all
        }
        "privacy:" => {
            let words = Privacy::iter().map(Privacy::name).collect::<Vec<_>>();
            counted_words(&words, &known.privacies)
        }
        "fetch:" => {
            let words = FetchFailure::iter().map(FetchFailure::name).collect::<Vec<_>>();
            let mut all = counted_words(&words, &known.fetches);
            let any: u64 = known.fetches.iter().map(|failure| failure.reports).sum();
            all.push(CompletionCandidate::word(ANY_FAILURE, Some(any).filter(|_| known.reports > 0)));
            // Values that occur precede those that do not.
            all.sort_by_key(|candidate| candidate.reports == Some(0));
            all
        }
        "state:" => StateKind::iter().map(|kind| CompletionCandidate::word(kind.name(), None)).collect(),
        _ => return Vec::new(),
    };
    let begins = |candidate: &&CompletionCandidate| candidate.label.to_lowercase().starts_with(typed);
    let contains = |candidate: &&CompletionCandidate| {
        matches!(qualifier, "project:" | "check:")
            && contains_ignoring_case(&candidate.label, typed)
            && !begins(candidate)
    };
    let fitting: Vec<CompletionCandidate> =
        all.iter().filter(begins).chain(all.iter().filter(contains)).cloned().collect();
    if !fitting.is_empty() {
        return fitting;
    }
    let labels: Vec<&str> = all.iter().map(|candidate| candidate.label.as_str()).collect();
    let nearest = nearest(typed, &labels);
    all.iter().filter(|candidate| Some(candidate.label.as_str()) == nearest).take(1).cloned().collect()
}

/// Candidates for names. Names containing the typed text are preselected for speed.
fn names(values: &[KnownValue], typed: &str) -> Vec<CompletionCandidate> {
    let fits = |known: &&KnownValue| contains_ignoring_case(&known.value, typed);
    let fitting: Vec<CompletionCandidate> = values.iter().filter(fits).map(CompletionCandidate::name).collect();
    if fitting.is_empty() { values.iter().map(CompletionCandidate::name).collect() } else { fitting }
}

/// A completion without candidates, with a hint on what may follow the qualifier.
fn hint(qualifier: &str, description: &str, known: &KnownValues) -> Completion {
    let is_warning = qualifier == "check:" && known.without_checks > 0;
    let hint = if is_warning {
        format!("checks unknown: {} of {}", grouped(known.without_checks), grouped(known.reports))
    } else {
        format!("{qualifier} {description}")
    };
    Completion { hint, is_warning, ..Completion::default() }
}
