//! The score of a list of checks, and the checks that cap it.

use crate::domain::report::check::{Check, CheckOutcome, Importance};

/// The highest score of a page that could not be fetched, returns an error status, or has an empty body.
pub const NO_PAGE_CAP: u8 = 20;
/// The highest score of a page with an invalid certificate.
pub const BROKEN_CAP: u8 = 48;
/// The highest score of a page that search engines may not index, or that is not encrypted.
pub const HINDERED_CAP: u8 = 79;

/// Checks that cap the score when they fail: id, cap.
const CAPS: [(&str, u8); 5] = [
    ("http_status", NO_PAGE_CAP),
    ("tls_valid", BROKEN_CAP),
    ("noindex", HINDERED_CAP),
    ("robots", HINDERED_CAP),
    ("https_encryption", HINDERED_CAP),
];

/// 100 × weight of passed checks ÷ weight of applicable checks, rounded half up, and capped.
pub(in crate::audit) fn score(checks: &[Check]) -> u8 {
    let (mut passed, mut all) = (0_u32, 0_u32);
    let mut cap = 100;
    for check in checks {
        let weight = check.importance.map_or(0, Importance::weight);
        match check.outcome {
            CheckOutcome::Passed => {
                passed += weight;
                all += weight;
            }
            CheckOutcome::Failed => {
                all += weight;
                let capped = CAPS.iter().find(|(id, _)| *id == check.id.raw());
                cap = cap.min(capped.map_or(100, |(_, cap)| *cap));
            }
            CheckOutcome::Note | CheckOutcome::NotApplicable => {}
        }
    }
    let rounded = (200 * passed + all).checked_div(2 * all).unwrap_or(0);
    u8::try_from(rounded).unwrap_or(100).min(cap)
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
        for (id, cap) in CAPS {
            let mut checks = many.clone();
            checks.push(check(id, Importance::High, CheckOutcome::Failed));
            assert_eq!(score(&checks), cap, "{id}");
        }
    }
}
