//! One report as Markdown, for a ticket or an e-mail: the page, then the failed checks and how to fix them.

use std::fmt::Write as _;

use super::formats::minute;
use super::markdown::escaped;
use crate::domain::report::Report;
use crate::domain::report::check::{Check, CheckOutcome, Explanation, Explanations, Importance, importance_order};
use crate::domain::report::fetch_failure::FetchFailure;
use crate::domain::report::privacy::Privacy;
use crate::domain::report::score;
use crate::domain::text::clean;

/// Formats everything known about the report. Without loaded checks, only the data of its row.
pub fn markdown(report: &Report, explanations: &Explanations) -> String {
    let mut text = format!("# {}\n\n", escaped(report.short_url()));
    let capped = score::cap_reason_of(report.checks().unwrap_or_default(), report.score);
    let capped = capped.map(|reason| format!(": {reason}")).unwrap_or_default();
    let score = report.score.map(|score| format!(", score {score}{capped}")).unwrap_or_default();
    let fields = [
        ("URL", clean(report.url.raw()).into_owned()),
        ("Result", format!("{}{score}", report.outcome.name())),
        ("Page", report.fetch_failure.map(FetchFailure::sentence).unwrap_or_default()),
        ("Project", report.project.shown().to_owned()),
        ("Generated", report.generated_at.map(minute).unwrap_or_default()),
        ("Privacy", report.privacy.map_or("", Privacy::name).to_owned()),
        ("ID", report.id.shown().to_owned()),
    ];
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {name}: {}", escaped(value));
    }
    if let Some(checks) = report.checks() {
        let listed = score::listed(checks, report.score, explanations);
        for (outcome, title) in [(CheckOutcome::Failed, "Failed"), (CheckOutcome::Note, "Remarks")] {
            let known = |check: &Check| explanations.get(check.id.raw());
            let group: Vec<&Check> =
                listed.iter().map(|(check, _)| *check).filter(|check| check.outcome == outcome).collect();
            heading(&mut text, title, group.len());
            for check in group {
                let errors = check.errors.iter().map(|error| escaped(error.shown())).collect::<Vec<_>>();
                item(&mut text, check.id.shown(), check.known_importance(explanations), &errors);
                remedy(&mut text, known(check).filter(|_| outcome == CheckOutcome::Failed));
            }
        }
    } else {
        heading(&mut text, "Failed", report.failed.len());
        let mut failed: Vec<_> = report.failed.iter().map(|id| (id, explanations.get(&**id))).collect();
        failed.sort_by_key(|(_, known)| importance_order(known.map(|known| known.importance)));
        for (id, known) in failed {
            item(&mut text, &clean(id), known.map(|known| known.importance), &[]);
            remedy(&mut text, known);
        }
    }
    text
}

// Writing to a String cannot fail.

fn heading(text: &mut String, title: &str, count: usize) {
    if count > 0 {
        let _ = writeln!(text, "\n## {title} {count}\n");
    }
}

fn item(text: &mut String, id: &str, importance: Option<Importance>, errors: &[String]) {
    let weight = importance.map(|importance| format!(" ({})", importance.name())).unwrap_or_default();
    let listed = if errors.is_empty() { String::new() } else { format!(": {}", errors.join("; ")) };
    let _ = writeln!(text, "- **{}**{weight}{listed}", escaped(id));
}

fn remedy(text: &mut String, known: Option<&Explanation>) {
    if let Some(known) = known {
        let _ = writeln!(text, "  - {}", escaped(known.remedy));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::Details;
    use crate::domain::report::outcome::Outcome;
    use crate::domain::report::tests::{explained, row};

    #[test]
    fn a_report_is_described_by_its_known_fields() {
        let mut report = row("7", "https://shop.example/[tea](x)", Outcome::Bad);
        report.score = Some(31);
        report.failed = ["title"].into();
        let text = markdown(&report, &Explanations::default());
        assert!(text.starts_with("# shop.example/\\[tea\\](x)\n\n- URL: <https://shop.example/[tea](x)>\n"), "{text}");
        assert!(
            text.contains("- Result: bad, score 31\n") && text.ends_with("\n## Failed 1\n\n- **title**\n"),
            "{text}"
        );
        assert!(!text.contains("Generated"), "{text}");
    }

    fn check(id: &str, outcome: CheckOutcome, errors: &[&str]) -> Check {
        Check {
            id: id.into(),
            category: None,
            importance: Some(Importance::High),
            outcome,
            value: serde_json::Value::Null,
            errors: errors.iter().map(|error| (*error).into()).collect(),
        }
    }

    #[test]
    fn failed_checks_are_ordered_by_the_importance_that_is_written() {
        let explanations: Explanations = [("low", Importance::Low), ("high", Importance::High)]
            .map(|(id, importance)| (id, explained(importance)))
            .into_iter()
            .collect();
        let mut checks = ["unknown", "low", "high", "sent"].map(|id| check(id, CheckOutcome::Failed, &[]));
        checks[..3].iter_mut().for_each(|check| check.importance = None);
        checks[3].importance = Some(Importance::Medium);
        let mut report = row("7", "https://shop.example/", Outcome::Bad);
        report.details = Some(Box::new(Details { checks: Some(checks.to_vec()), ..Details::default() }));
        let items = |report: &Report| {
            let text = markdown(report, &explanations);
            text.lines().filter(|line| line.starts_with("- **")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(items(&report), ["- **high** (high)", "- **sent** (medium)", "- **low** (low)", "- **unknown**"]);
        (report.details, report.failed) = (None, ["unknown", "low", "high"].into());
        assert_eq!(items(&report), ["- **high** (high)", "- **low** (low)", "- **unknown**"], "without loaded checks");
    }

    #[test]
    fn a_capped_score_says_why() {
        let mut report = row("7", "https://shop.example/", Outcome::Bad);
        let status = check("http_status", CheckOutcome::Failed, &["the page answers with status 500"]);
        let details =
            Details { checks: Some(vec![status, check("title", CheckOutcome::Passed, &[])]), ..Details::default() };
        (report.score, report.details) = (Some(20), Some(Box::new(details)));
        let text = markdown(&report, &Explanations::default());
        assert!(text.contains("score 20: capped because the page answers with status 500\n"), "{text}");
        report.score = Some(60);
        assert!(!markdown(&report, &Explanations::default()).contains("capped"), "another service scores otherwise");
    }
}
