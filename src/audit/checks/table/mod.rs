//! The table of checks, and the functions that run it on a page.

use std::sync::LazyLock;
use std::time::Duration;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::broken::script_shell;
use crate::audit::checks::entry::CheckEntry;
use crate::audit::checks::{document, http};
use crate::audit::page::AuditedPage;
use crate::audit::processor_time::{ProcessorTime, ProcessorTimeExceeded};
use crate::domain::report::check::{Check, CheckOutcome, Explanation, Explanations};
use crate::domain::text::Text;

/// The checks by category (seo, performance, security, accessibility or other), in the order of reports.
const GROUPS: [(&str, &[CheckEntry]); 24] = [
    ("seo", document::broken::ENTRIES),
    ("seo", document::content::ENTRIES),
    ("seo", http::address::ENTRIES),
    ("seo", http::crawling::SEO_ENTRIES),
    ("other", http::crawling::OTHER_ENTRIES),
    ("seo", http::robot_names::ENTRIES),
    ("seo", http::targets::ENTRIES),
    ("seo", document::links::SEO_ENTRIES),
    ("security", document::links::SECURITY_ENTRIES),
    ("other", document::links::OTHER_ENTRIES),
    ("performance", http::transfer::ENTRIES),
    ("performance", document::loading::ENTRIES),
    ("security", http::transport::ENTRIES),
    ("security", http::headers::ENTRIES),
    ("security", http::policies::ENTRIES),
    ("accessibility", document::accessibility::ENTRIES),
    ("accessibility", document::aria::ENTRIES),
    ("accessibility", document::parts::ENTRIES),
    ("accessibility", document::operation::ENTRIES),
    ("accessibility", document::text_language::ENTRIES),
    ("other", document::markup::ENTRIES),
    ("other", document::rich_results::ENTRIES),
    ("security", document::software::SECURITY_ENTRIES),
    ("other", document::software::OTHER_ENTRIES),
];

/// Returns all checks with their category, in the order of reports.
pub fn table() -> impl Iterator<Item = (&'static str, &'static CheckEntry)> {
    GROUPS.into_iter().flat_map(|(category, entries)| entries.iter().map(move |entry| (category, entry)))
}

/// Runs all checks on a page with a limit of processor time, tested after each check.
pub fn run_checks(page: &AuditedPage, limit: Duration) -> Result<Vec<Check>, ProcessorTimeExceeded> {
    let time = ProcessorTime::start("judging the page", limit);
    let checks = table().map(|(category, entry)| {
        let check = check(category, entry, page);
        time.check().map(|()| check)
    });
    checks.collect()
}

/// Runs one check on a page.
pub(in crate::audit) fn run_check(entry: &CheckEntry, page: &AuditedPage) -> CheckResult {
    let result = entry.run(page);
    // Consequences of an empty script shell are not reported separately.
    let follows = result.outcome == CheckOutcome::Failed && script_shell::EXPLAINED.contains(&entry.id);
    if follows && script_shell::is_shell(page) { CheckResult::not_applicable() } else { result }
}

fn check(category: &'static str, entry: &CheckEntry, page: &AuditedPage) -> Check {
    let result = run_check(entry, page);
    Check {
        id: Text::from_outside(entry.id),
        category: Some(Text::from_outside(category)),
        importance: Some(entry.importance),
        outcome: result.outcome,
        value: result.value,
        errors: result.errors.into_iter().map(Text::from_outside).collect(),
    }
}

/// The explanations of all checks, computed once.
pub static EXPLANATIONS: LazyLock<Explanations> = LazyLock::new(explanations);

/// Returns the explanation of every check by id: title, category, importance, remedy, reason, requirement and source.
pub fn explanations() -> Explanations {
    let explain = |category, entry: &CheckEntry| Explanation {
        category,
        importance: entry.importance,
        title: entry.title,
        remedy: entry.remedy,
        why: entry.why,
        passes_when: entry.passes_when,
        source: entry.source,
    };
    table().map(|(category, entry)| (entry.id, explain(category, entry))).collect()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod agreed_tests;

#[cfg(test)]
mod accessibility_tests;

#[cfg(test)]
mod standards_tests;

#[cfg(test)]
mod security_tests;

#[cfg(test)]
mod search_tests;

#[cfg(test)]
mod rendering_tests;

#[cfg(test)]
mod message_tests;

#[cfg(test)]
mod threshold_tests;
