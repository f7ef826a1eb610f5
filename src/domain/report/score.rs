//! The score of a list of checks as the embedded auditor computes it, and the checks that cap it.

use crate::domain::report::check::{Check, CheckOutcome, Importance};

/// The highest score of a page that could not be fetched, is an error by its status or its text, or shows nothing.
pub const NO_PAGE_CAP: u8 = 20;
/// The highest score of a page with an invalid certificate, or with messages of programs in it.
pub const BROKEN_CAP: u8 = 48;
/// The highest score of a page that search engines may not index, or that is not encrypted.
pub const HINDERED_CAP: u8 = 79;

/// A failed check that caps the score, whatever the others say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreCap {
    /// The id of the check.
    pub id: &'static str,
    /// The highest score while it fails.
    pub most: u8,
}

/// The caps; of those with the same height the first one is named.
const CAPS: [ScoreCap; 8] = [
    ScoreCap { id: "http_status", most: NO_PAGE_CAP },
    ScoreCap { id: "visible_content", most: NO_PAGE_CAP },
    ScoreCap { id: "error_text", most: NO_PAGE_CAP },
    ScoreCap { id: "tls_valid", most: BROKEN_CAP },
    ScoreCap { id: "program_messages", most: BROKEN_CAP },
    ScoreCap { id: "noindex", most: HINDERED_CAP },
    ScoreCap { id: "robots", most: HINDERED_CAP },
    ScoreCap { id: "https_encryption", most: HINDERED_CAP },
];

/// 100 × weight of passed checks ÷ weight of applicable checks, rounded half up, and capped.
pub fn score(checks: &[Check]) -> u8 {
    uncapped(checks).min(cap(checks).map_or(100, |cap| cap.most))
}

/// The score without its cap.
pub fn uncapped(checks: &[Check]) -> u8 {
    let weight_of = |outcome: CheckOutcome| -> u32 {
        let checks = checks.iter().filter(|check| check.outcome == outcome);
        checks.map(|check| check.importance.map_or(0, Importance::weight)).sum()
    };
    let passed = weight_of(CheckOutcome::Passed);
    let all = passed + weight_of(CheckOutcome::Failed);
    let rounded = (200 * passed + all).checked_div(2 * all).unwrap_or(0);
    u8::try_from(rounded).unwrap_or(100)
}

/// The lowest cap of the failed checks.
pub fn cap(checks: &[Check]) -> Option<ScoreCap> {
    let fails = |id: &str| checks.iter().any(|check| check.outcome == CheckOutcome::Failed && check.id.raw() == id);
    CAPS.into_iter().filter(|cap| fails(cap.id)).min_by_key(|cap| cap.most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, importance: Importance, outcome: CheckOutcome) -> Check {
        let (value, errors) = (serde_json::Value::Null, Vec::new());
        Check { id: id.into(), category: None, importance: Some(importance), outcome, value, errors }
    }

    #[test]
    fn weights_notes_and_rounding_follow_the_definition() {
        use CheckOutcome::{Failed, NotApplicable, Note, Passed};
        let passed = check("a", Importance::High, Passed);
        assert_eq!(score(&[]), 0);
        assert_eq!(score(std::slice::from_ref(&passed)), 100);
        assert_eq!(score(&[passed.clone(), check("b", Importance::Medium, Failed)]), 67);
        assert_eq!(score(&[passed.clone(), check("b", Importance::Low, Failed)]), 91);
        assert_eq!(score(&[passed.clone(), check("b", Importance::High, Note)]), 100);
        assert_eq!(score(&[passed.clone(), check("b", Importance::High, NotApplicable)]), 100);
    }

    #[test]
    fn failing_checks_of_the_table_cap_the_score() {
        let many: Vec<Check> = (0..30).map(|_| check("a", Importance::High, CheckOutcome::Passed)).collect();
        for capped in CAPS {
            let mut checks = many.clone();
            checks.push(check(capped.id, Importance::High, CheckOutcome::Failed));
            assert_eq!(score(&checks), capped.most, "{}", capped.id);
            assert_eq!(cap(&checks), Some(capped));
        }
        assert_eq!(cap(&many), None);
    }
}
