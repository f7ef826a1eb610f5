//! One report as Markdown, for a ticket or a mail: what it is about, then what failed and what to do about it.

use std::fmt::Write as _;

use super::markdown::escaped;
use super::minute;
use crate::domain::check::{CheckOutcome, Explanations};
use crate::domain::privacy::Privacy;
use crate::domain::report::Report;

/// The report with everything that is known of it. Without checks only its row is there.
pub fn markdown(report: &Report, explanations: &Explanations) -> String {
    let mut text = format!("# {}\n\n", escaped(report.short_url()));
    let score = report.score.map(|score| format!(", score {score}")).unwrap_or_default();
    let fields = [
        ("URL", report.url.shown().to_owned()),
        ("Result", format!("{}{score}", report.outcome.word())),
        ("Project", report.project.shown().to_owned()),
        ("Generated", report.generated_at.map(minute).unwrap_or_default()),
        ("Privacy", report.privacy.map_or("", Privacy::word).to_owned()),
        ("ID", report.id.shown().to_owned()),
    ];
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {name}: {}", escaped(value));
    }
    match report.checks() {
        Some(checks) => {
            for (outcome, title) in [(CheckOutcome::Failed, "Failed"), (CheckOutcome::Note, "Notes")] {
                let mut group: Vec<_> = checks.iter().filter(|check| check.outcome == outcome).collect();
                group.sort_by_key(|check| check.importance);
                if !group.is_empty() {
                    let _ = writeln!(text, "\n## {title} {}\n", group.len());
                }
                for check in group {
                    let known = explanations.get(check.id.raw());
                    let importance = check.importance.or(known.map(|known| known.importance));
                    let weight = importance.map(|importance| format!(" ({})", importance.word())).unwrap_or_default();
                    let errors: Vec<_> = check.errors.iter().map(|error| escaped(error.shown())).collect();
                    let said = if errors.is_empty() { String::new() } else { format!(": {}", errors.join("; ")) };
                    let _ = writeln!(text, "- **{}**{weight}{said}", escaped(check.id.shown()));
                    if let (CheckOutcome::Failed, Some(known)) = (outcome, known) {
                        let _ = writeln!(text, "  - {}", escaped(known.remedy));
                    }
                }
            }
        }
        None => {
            for check in &report.failed {
                let _ = writeln!(text, "- failed: {}", escaped(check));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outcome::Outcome;
    use crate::domain::report::tests::row;

    #[test]
    fn a_report_is_told_by_what_is_known() {
        let mut report = row("7", "https://shop.example/[tea](x)", Outcome::Bad);
        report.score = Some(31);
        report.failed = Box::new(["title".into()]);
        let text = markdown(&report, &Explanations::default());
        assert!(
            text.starts_with("# shop.example/\\[tea\\](x)\n\n- URL: https://shop.example/\\[tea\\](x)\n"),
            "{text}"
        );
        assert!(text.contains("- Result: bad, score 31\n") && text.ends_with("- failed: title\n"), "{text}");
        assert!(!text.contains("Generated"), "{text}");
    }
}
