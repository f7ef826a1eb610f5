//! The table of checks: one entry each, complete. Whoever adds a check adds an entry, and the tests ask for the rest.
//!
//! Must not know how a page was fetched; a rule reads one `Page` and answers with one `Verdict`.

mod accessibility;
mod address;
mod content;
mod crawling;
mod headers;
mod links;
mod loading;
mod markup;
mod transfer;
mod transport;

use crate::audit::page::Page;
use crate::audit::verdict::Verdict;
use crate::domain::check::{Check, Explanation, Explanations, Importance};
use crate::domain::text::Text;

/// What must be there for a rule to be asked at all; else the check is not applicable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the rule also speaks about pages that did not answer.
    Nothing,
    /// An answer, whatever is in it.
    Answer,
    /// A parsed HTML page.
    Html,
}

/// One check, complete.
pub struct CheckEntry {
    /// Its name on the wire.
    pub id: &'static str,
    /// seo, performance, security, accessibility or other.
    pub category: &'static str,
    /// What it weighs.
    pub importance: Importance,
    /// Its name in words.
    pub title: &'static str,
    /// What must be there for the rule to be asked.
    pub needs: Needs,
    /// What it says about a page.
    pub rule: fn(&Page) -> Verdict,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Where its threshold comes from.
    pub source: &'static str,
    /// A page that passes, in the notation of `samples`.
    pub passing: &'static str,
    /// A page that fails.
    pub failing: &'static str,
}

/// All checks, in the order of reports.
pub fn table() -> impl Iterator<Item = &'static CheckEntry> {
    let groups = [
        content::ENTRIES,
        address::ENTRIES,
        crawling::ENTRIES,
        links::ENTRIES,
        transfer::ENTRIES,
        loading::ENTRIES,
        transport::ENTRIES,
        headers::ENTRIES,
        accessibility::ENTRIES,
        markup::ENTRIES,
    ];
    groups.into_iter().flatten()
}

/// Asks every rule about the page.
pub fn judge(page: &Page) -> Vec<Check> {
    table().map(|entry| check(entry, page)).collect()
}

/// Asks one rule about the page.
pub(super) fn verdict(entry: &CheckEntry, page: &Page) -> Verdict {
    let is_there = match entry.needs {
        Needs::Nothing => true,
        Needs::Answer => page.answer().is_some(),
        Needs::Html => page.tree.is_some(),
    };
    if is_there { (entry.rule)(page) } else { Verdict::not_applicable() }
}

fn check(entry: &CheckEntry, page: &Page) -> Check {
    let verdict = verdict(entry, page);
    Check {
        id: Text::from_outside(entry.id),
        category: Some(Text::from_outside(entry.category)),
        importance: Some(entry.importance),
        outcome: verdict.outcome,
        value: verdict.value,
        errors: verdict.errors.into_iter().map(Text::from_outside).collect(),
    }
}

/// What a person should know about every check, by id.
pub fn explanations() -> Explanations {
    let explain = |entry: &CheckEntry| Explanation {
        category: entry.category,
        importance: entry.importance,
        title: entry.title,
        remedy: entry.remedy,
    };
    table().map(|entry| (entry.id, explain(entry))).collect()
}

#[cfg(test)]
mod samples;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::check::CheckOutcome;
    use std::collections::BTreeSet;

    #[test]
    fn every_passing_sample_passes_and_every_failing_one_fails() {
        for entry in table() {
            let passing = verdict(entry, &samples::page(entry.passing));
            assert_eq!(passing.outcome, CheckOutcome::Passed, "{}: {:?}", entry.id, passing);
            assert!(passing.errors.is_empty(), "{}", entry.id);
            let failing = verdict(entry, &samples::page(entry.failing));
            let expected = if entry.importance == Importance::Note { CheckOutcome::Note } else { CheckOutcome::Failed };
            assert_eq!(failing.outcome, expected, "{}: {:?}", entry.id, failing);
            assert!(!failing.errors.is_empty(), "{} fails without a word", entry.id);
        }
    }

    #[test]
    fn entries_are_unique_and_complete() {
        let mut seen = BTreeSet::new();
        for entry in table() {
            assert!(seen.insert(entry.id), "{} stands there twice", entry.id);
            assert!(entry.remedy.ends_with('.') && entry.remedy.len() > 20, "{}", entry.id);
            assert!(!entry.title.is_empty() && !entry.source.is_empty(), "{}", entry.id);
            assert!(["seo", "performance", "security", "accessibility", "other"].contains(&entry.category));
        }
        assert_eq!(explanations().len(), seen.len());
    }
}
