//! The table of checks, and the functions that run it on a page.

use std::time::Duration;

use crate::audit::checks::check_result::CheckResult;
use crate::audit::checks::document::broken::script_shell;
use crate::audit::checks::entry::CheckEntry;
use crate::audit::checks::{document, http};
use crate::audit::page::AuditedPage;
use crate::audit::processor_time::{ProcessorTime, ProcessorTimeExceeded};
use crate::domain::report::check::{Check, CheckOutcome, Explanation, Explanations};
use crate::domain::text::Text;

/// Returns all checks, in the order of reports.
pub fn table() -> impl Iterator<Item = &'static CheckEntry> {
    let groups = [
        document::broken::ENTRIES,
        document::content::ENTRIES,
        http::address::ENTRIES,
        http::crawling::ENTRIES,
        http::robot_names::ENTRIES,
        http::targets::ENTRIES,
        document::links::ENTRIES,
        http::transfer::ENTRIES,
        document::loading::ENTRIES,
        http::transport::ENTRIES,
        http::headers::ENTRIES,
        http::policies::ENTRIES,
        document::accessibility::ENTRIES,
        document::aria::ENTRIES,
        document::parts::ENTRIES,
        document::operation::ENTRIES,
        document::text_language::ENTRIES,
        document::markup::ENTRIES,
        document::rich_results::ENTRIES,
        document::software::ENTRIES,
    ];
    groups.into_iter().flatten()
}

/// Runs all checks on a page.
pub fn run_checks(page: &AuditedPage) -> Vec<Check> {
    table().map(|entry| check(entry, page)).collect()
}

/// Runs all checks with a limit of processor time, tested after each check.
pub(in crate::audit) fn run_checks_within(
    page: &AuditedPage,
    limit: Duration,
) -> Result<Vec<Check>, ProcessorTimeExceeded> {
    let time = ProcessorTime::start("judging the page", limit);
    let checks = table().map(|entry| {
        let check = check(entry, page);
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

fn check(entry: &CheckEntry, page: &AuditedPage) -> Check {
    let result = run_check(entry, page);
    Check {
        id: Text::from_outside(entry.id),
        category: Some(Text::from_outside(entry.category)),
        importance: Some(entry.importance),
        outcome: result.outcome,
        value: result.value,
        errors: result.errors.into_iter().map(Text::from_outside).collect(),
    }
}

/// Returns the explanation of every check by id: title, category, importance, remedy, reason, requirement and source.
pub fn explanations() -> Explanations {
    let explain = |entry: &CheckEntry| Explanation {
        category: entry.category,
        importance: entry.importance,
        title: entry.title,
        remedy: entry.remedy,
        why: entry.why,
        passes_when: entry.passes_when,
        source: entry.source,
    };
    table().map(|entry| (entry.id, explain(entry))).collect()
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "agreed_tests.rs"]
mod agreed_tests;

#[cfg(test)]
#[path = "accessibility_tests.rs"]
mod accessibility_tests;

#[cfg(test)]
#[path = "standards_tests.rs"]
mod standards_tests;

#[cfg(test)]
#[path = "security_tests.rs"]
mod security_tests;

#[cfg(test)]
#[path = "search_tests.rs"]
mod search_tests;

#[cfg(test)]
#[path = "rendering_tests.rs"]
mod rendering_tests;

#[cfg(test)]
#[path = "message_tests.rs"]
mod message_tests;
