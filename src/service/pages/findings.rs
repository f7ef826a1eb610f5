//! The content of a report page: checks and former results, sorted and in words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use serde::Deserialize;

use crate::audit;
use crate::domain::report::check::{CheckOutcome, Explanations, Importance};
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::history::Flips;
use crate::domain::text::clean;
use crate::service::store::rows::{HistoryRow, ReportRow};
use crate::service::store::values;

/// The most checks that a line of the history names.
const MOST_NAMES: usize = 8;
/// The categories in the order of the page.
const CATEGORIES: [&str; 5] = ["seo", "performance", "security", "accessibility", "other"];

static EXPLANATIONS: LazyLock<Explanations> = LazyLock::new(audit::explanations);

/// A stored check.
#[derive(Deserialize)]
struct StoredCheck {
    importance: Option<String>,
    category: Option<String>,
    outcome: String,
    #[serde(default)]
    errors: Vec<String>,
}

/// A check on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFinding {
    pub title: String,
    pub importance: String,
    pub category: String,
    pub errors: Vec<String>,
    pub remedy: &'static str,
    weight: u32,
}

/// A category in the overview.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FindingCategory {
    pub name: String,
    pub failed: usize,
    pub passed: usize,
    pub notes: usize,
}

/// A former result in the history.
#[derive(Debug, PartialEq, Eq)]
pub struct HistoryLine {
    pub at: String,
    pub when: String,
    pub result: &'static str,
    pub score: i64,
    pub then: String,
}

/// All checks of a report, sorted.
#[derive(Debug, Default)]
pub struct PageFindings {
    pub failed: Vec<PageFinding>,
    pub notes: Vec<PageFinding>,
    pub passed: Vec<PageFinding>,
    pub inapplicable: Vec<PageFinding>,
    pub categories: Vec<FindingCategory>,
}

impl PageFindings {
    /// Parses stored checks.
    pub fn read(checks: &str) -> serde_json::Result<Self> {
        let kept: serde_json::Map<String, serde_json::Value> = serde_json::from_str(checks)?;
        let mut findings = Self::default();
        let mut categories: BTreeMap<usize, FindingCategory> = BTreeMap::new();
        for (id, check) in kept {
            let check: StoredCheck = serde_json::from_value(check)?;
            let outcome = check.outcome.parse().unwrap_or(CheckOutcome::Note);
            let finding = finding(&id, check);
            let place = CATEGORIES.iter().position(|name| *name == finding.category).unwrap_or(CATEGORIES.len());
            let name = finding.category.clone();
            let category =
                categories.entry(place).or_insert_with(|| FindingCategory { name, ..FindingCategory::default() });
            let (list, count) = match outcome {
                CheckOutcome::Failed => (&mut findings.failed, &mut category.failed),
                CheckOutcome::Note => (&mut findings.notes, &mut category.notes),
                CheckOutcome::Passed => (&mut findings.passed, &mut category.passed),
                CheckOutcome::NotApplicable => {
                    findings.inapplicable.push(finding);
                    continue;
                }
            };
            *count += 1;
            list.push(finding);
        }
        // By importance; the sort is stable.
        findings.failed.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
        findings.categories = categories.into_values().collect();
        Ok(findings)
    }

    /// The number of checks that passed or failed.
    pub fn judged(&self) -> usize {
        self.failed.len() + self.passed.len()
    }
}

fn finding(id: &str, check: StoredCheck) -> PageFinding {
    let known = EXPLANATIONS.get(id);
    let importance = check.importance.unwrap_or_default();
    PageFinding {
        title: known.map_or_else(|| clean(id).into_owned(), |known| known.title.to_owned()),
        weight: importance.parse().map_or(0, Importance::weight),
        importance: clean(&importance).into_owned(),
        category: clean(&check.category.unwrap_or_default()).into_owned(),
        errors: check.errors.iter().map(|error| shown(id, error)).collect(),
        remedy: known.map_or("", |known| known.remedy),
    }
}

/// What is wrong, for a reader. An address that collectors should not find on the audited page they shall not find
/// on this one either.
fn shown(id: &str, error: &str) -> String {
    if id == "plaintext_email" { clean(error).replace('@', " [at] ") } else { clean(error).into_owned() }
}

/// The history: each former result with what changed in the audit after it.
pub fn former(row: &ReportRow, former: &[HistoryRow]) -> Vec<HistoryLine> {
    let ids = |failed: &str| failed.lines().map(CheckId::from).collect::<Vec<_>>();
    let mut after = ids(&row.failed);
    let mut lines = Vec::new();
    for result in former {
        let before = ids(&result.failed);
        let then = Flips::between(&before, &after).in_words(MOST_NAMES);
        let (at, when) = moment(result.generated_at);
        lines.push(HistoryLine { at, when, result: values::word(result.rank), score: result.score, then });
        after = before;
    }
    lines
}

/// A time for programs and for people, in UTC.
pub fn moment(milliseconds: i64) -> (String, String) {
    let at: Timestamp = values::time(milliseconds);
    (at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(), at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(outcome: &str, importance: &str, category: &str) -> serde_json::Value {
        json!({"outcome": outcome, "importance": importance, "category": category, "errors": ["x\u{202e}y"]})
    }

    #[test]
    fn checks_are_counted_by_category_and_the_heaviest_comes_first() {
        let kept = json!({
            "sri": check("failed", "low", "security"),
            "title": check("failed", "high", "seo"),
            "brand_new": check("passed", "low", "style"),
            "csp": check("not_applicable", "medium", "security"),
            "headings": check("note", "high", "seo"),
        });
        let findings = PageFindings::read(&kept.to_string()).unwrap();
        let titles: Vec<&str> = findings.failed.iter().map(|finding| &*finding.title).collect();
        assert_eq!(titles, [EXPLANATIONS["title"].title, EXPLANATIONS["sri"].title]);
        assert_eq!(findings.failed[0].errors, ["xy"], "nothing reorders its neighbours");
        assert_eq!((findings.judged(), findings.passed[0].title.as_str()), (3, "brand_new"));
        let counted: Vec<_> =
            findings.categories.iter().map(|row| (&*row.name, row.failed, row.passed, row.notes)).collect();
        assert_eq!(counted, [("seo", 1, 0, 1), ("security", 1, 0, 0), ("style", 0, 1, 0)]);
    }

    #[test]
    fn mail_addresses_of_audited_pages_are_not_shown() {
        let kept = json!({ "plaintext_email": {"outcome": "failed", "errors": ["me@tea.example"]} });
        assert_eq!(PageFindings::read(&kept.to_string()).unwrap().failed[0].errors, ["me [at] tea.example"]);
    }

    #[test]
    fn each_former_result_is_compared_with_the_one_after_it() {
        let row = |failed: &str| HistoryRow { rank: 0, score: 31, generated_at: 0, failed: failed.to_owned() };
        let present = ReportRow {
            id: 1,
            url: String::new(),
            project: String::new(),
            rank: 1,
            score: 64,
            generated_at: 0,
            created_at: 0,
            updated_at: 0,
            privacy: 0,
            has_password: false,
            fetch_error: None,
            failed: "csp".to_owned(),
        };
        let lines = former(&present, &[row("csp\ntitle"), row("csp\ntitle\nhsts")]);
        let then: Vec<&str> = lines.iter().map(|line| &*line.then).collect();
        assert_eq!(then, ["repaired title", "repaired hsts"]);
        assert_eq!(lines[0].when, "1970-01-01 00:00 UTC");
    }
}
