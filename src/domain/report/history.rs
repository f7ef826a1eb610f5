//! The difference between the failed checks of two results.

use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::fetch_failure::STATUS_CHECK;

/// The checks whose outcome differs between two results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flips {
    /// Failed before, but not any more.
    pub repaired: Vec<CheckId>,
    /// Failing now, but not before.
    pub broken: Vec<CheckId>,
}

impl Flips {
    /// Compares the failed checks of two results. If the page could not be fetched in one of them, only that is
    /// compared: most other checks have no verdict without a page.
    pub fn between(before: &[CheckId], after: &[CheckId]) -> Self {
        let is_unfetched = |id: &CheckId| **id == *STATUS_CHECK;
        let have_pages = !before.iter().chain(after).any(is_unfetched);
        let only_in = |these: &[CheckId], those: &[CheckId]| {
            let flipped = these.iter().filter(|id| !those.contains(id) && (have_pages || is_unfetched(id)));
            flipped.cloned().collect()
        };
        Self { repaired: only_in(before, after), broken: only_in(after, before) }
    }

    /// Whether the failed checks are the same.
    pub fn is_empty(&self) -> bool {
        self.repaired.is_empty() && self.broken.is_empty()
    }

    /// Describes both lists with at most `most` names each: `repaired title, hsts · broken csp and 2 more`.
    pub fn in_words(&self, most: usize) -> String {
        let parts = [named_checks("repaired", &self.repaired, most), named_checks("broken", &self.broken, most)];
        let texts: Vec<String> = parts.into_iter().flatten().collect();
        if texts.is_empty() { "same checks failed".to_owned() } else { texts.join(" · ") }
    }
}

/// Names at most `most` checks after a verb: `repaired title, hsts and 2 more`; `None` without checks.
pub fn named_checks(verb: &str, ids: &[CheckId], most: usize) -> Option<String> {
    let names: Vec<&str> = ids.iter().take(most).map(|id| &**id).collect();
    let more = ids.len().saturating_sub(most);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!ids.is_empty()).then(|| format!("{verb} {}{rest}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(words: &str) -> Vec<CheckId> {
        words.split_whitespace().map(CheckId::from).collect()
    }

    #[test]
    fn differences_are_described_in_words() {
        let table = [
            ("title csp", "title csp", "same checks failed"),
            ("title csp hsts", "csp", "repaired title, hsts"),
            ("csp", "csp title", "broken title"),
            ("a b c d", "x", "repaired a, b and 2 more · broken x"),
            ("http_status csp", "csp title", "repaired http_status"),
            ("csp title", "http_status csp", "broken http_status"),
            ("http_status csp", "http_status", "same checks failed"),
        ];
        for (before, after, expected) in table {
            assert_eq!(Flips::between(&ids(before), &ids(after)).in_words(2), expected, "{before} → {after}");
        }
    }

    proptest! {
        #[test]
        fn a_reversed_comparison_swaps_repaired_and_broken_checks(before in "[a-d]( [a-d]){0,3}", after in "[a-d]( [a-d]){0,3}") {
            let there = Flips::between(&ids(&before), &ids(&after));
            let back = Flips::between(&ids(&after), &ids(&before));
            prop_assert_eq!(&there.repaired, &back.broken);
            prop_assert_eq!(&there.broken, &back.repaired);
            prop_assert_eq!(there.is_empty(), back.is_empty());
        }
    }
}
