//! An entry of the table of checks.

use crate::audit::checks::check_result::CheckResult;
use crate::audit::fetch::response::HttpResponse;
use crate::audit::page::AuditedPage;
use crate::audit::page::tree::PageTree;
use crate::domain::report::check::Importance;

/// A rule that checks a page. Without what it needs the check is not applicable.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Needs nothing: the check also applies to a page that could not be fetched.
    Page(fn(&AuditedPage) -> CheckResult),
    /// Needs an HTTP response with any status and body.
    Response(fn(&AuditedPage, &HttpResponse) -> CheckResult),
    /// Needs a parsed HTML page.
    Html(fn(&AuditedPage, &PageTree) -> CheckResult),
    /// Needs a parsed HTML page, and nothing else of it.
    Tree(fn(&PageTree) -> CheckResult),
}

/// One check.
pub struct CheckEntry {
    /// The id in the API and in JSON.
    pub id: &'static str,
    /// The weight in the score.
    pub importance: Importance,
    /// The title on the screen.
    pub title: &'static str,
    /// The rule that checks a page.
    pub rule: Rule,
    /// When it passes, with the threshold, in one sentence; shown beside the measured value.
    pub passes_when: &'static str,
    /// What to do when it fails, in one sentence.
    pub remedy: &'static str,
    /// Why it matters to the page's visitors, in one sentence.
    pub why: &'static str,
    /// The source of the threshold.
    pub source: &'static str,
}

impl CheckEntry {
    /// Applies the rule to a page.
    pub fn run(&self, page: &AuditedPage) -> CheckResult {
        let result = match self.rule {
            Rule::Page(rule) => Some(rule(page)),
            Rule::Response(rule) => page.response().map(|response| rule(page, response)),
            Rule::Html(rule) => page.tree.as_ref().map(|tree| rule(page, tree)),
            Rule::Tree(rule) => page.tree.as_ref().map(rule),
        };
        result.unwrap_or_else(CheckResult::not_applicable)
    }
}
