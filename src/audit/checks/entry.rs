//! An entry of the table of checks.

use crate::audit::checks::check_result::CheckResult;
use crate::audit::page::AuditedPage;
use crate::domain::report::check::Importance;

/// What a check needs of a page; without it the check is not applicable.
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
    /// Its id in the API and in JSON.
    pub id: &'static str,
    /// seo, performance, security, accessibility or other.
    pub category: &'static str,
    /// Its weight in the score.
    pub importance: Importance,
    /// Its title on the screen.
    pub title: &'static str,
    /// What the check needs of a page.
    pub needs: Needs,
    /// Checks a page.
    pub rule: fn(&AuditedPage) -> CheckResult,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Why it matters to the visitors of the page, in one sentence.
    pub why: &'static str,
    /// The source of its threshold.
    pub source: &'static str,
    /// A page that passes, in the notation of `samples`.
    pub passing: &'static str,
    /// A page that fails.
    pub failing: &'static str,
}
