//! What a check is: an entry of the table of checks.

use crate::audit::checks::check_result::CheckResult;
use crate::audit::page::AuditedPage;
use crate::domain::check::Importance;

/// What must be there for a rule to be asked at all; else the check is not applicable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the rule also speaks about pages that did not answer.
    Nothing,
    /// An HTTP response with any status and body.
    Response,
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
    pub rule: fn(&AuditedPage) -> CheckResult,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Where its threshold comes from.
    pub source: &'static str,
    /// A page that passes, in the notation of `samples`.
    pub passing: &'static str,
    /// A page that fails.
    pub failing: &'static str,
}
