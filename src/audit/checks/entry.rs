//! An entry of the table of checks.

use crate::audit::checks::check_result::CheckResult;
use crate::audit::page::AuditedPage;
use crate::domain::report::check::Importance;

/// What a check needs; without it the check is not applicable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the check also applies to a page that could not be fetched.
    Nothing,
    /// An HTTP response with any status and body.
    Response,
    /// A parsed HTML page.
    Html,
}

/// One check.
pub struct CheckEntry {
    /// The id in the API and in JSON.
    pub id: &'static str,
    /// seo, performance, security, accessibility or other.
    pub category: &'static str,
    /// The weight in the score.
    pub importance: Importance,
    /// The title on the screen.
    pub title: &'static str,
    /// What the check needs of a page.
    pub needs: Needs,
    /// The rule that checks a page.
    pub rule: fn(&AuditedPage) -> CheckResult,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Why it matters to the page's visitors, in one sentence.
    pub why: &'static str,
    /// The source of the threshold.
    pub source: &'static str,
    /// A page that passes, in the notation of `samples`.
    pub passing: &'static str,
    /// A page that fails, in the same notation.
    pub failing: &'static str,
}
