//! The score of a list of checks as computed by the built-in audit, and the checks that cap it.

use crate::domain::report::check::{Check, CheckOutcome, Explanations, Importance, importance_order};

/// The highest score of a page that could not be fetched, shows an error by status or text, or shows nothing.
pub const NO_PAGE_CAP: u8 = 20;
/// The highest score of a page with an invalid certificate, or with program messages in its text.
pub const BROKEN_CAP: u8 = 48;
/// The highest score of a page that search engines may not index, or without encryption.
pub const HINDERED_CAP: u8 = 79;

/// The checks that cap the score while they fail, from the lowest cap up; among equal ones the first is named.
const CAPS: [(&str, u8); 8] = [
    ("http_status", NO_PAGE_CAP),
    ("visible_content", NO_PAGE_CAP),
    ("error_text", NO_PAGE_CAP),
    ("tls_valid", BROKEN_CAP),
    ("program_messages", BROKEN_CAP),
    ("noindex", HINDERED_CAP),
    ("robots", HINDERED_CAP),
    ("https_encryption", HINDERED_CAP),
];

/// A failed check, with the score gained by repairing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// The index of the check in the list.
    pub place: usize,
    /// The points gained when it passes; after the first capping checks of the list, on top of those repairs.
    pub gain: u8,
}

/// Computes 100 × weight of passed checks ÷ weight of applicable checks, rounded half up and capped. A check that makes
/// a page bad has weight only while it fails.
pub fn score(checks: &[Check]) -> u8 {
    ScoreParts::of(checks).score(&[])
}

/// The score without caps.
pub fn uncapped(checks: &[Check]) -> u8 {
    ScoreParts::of(checks).uncapped(&[])
}

/// The failed check whose cap lowers the score; `None` if no cap has an effect.
pub fn capping(checks: &[Check]) -> Option<&Check> {
    let (_, place) = ScoreParts::of(checks).effective_cap(&[])?;
    checks.get(place)
}

/// Why a given score is capped; `None` if nothing caps it, or another service computed it differently.
pub fn cap_reason_of(checks: &[Check], given: Option<u8>) -> Option<String> {
    cap_reason(checks).filter(|_| given == Some(score(checks)))
}

/// Why the score is capped: `capped because the page answers with status 500`.
pub fn cap_reason(checks: &[Check]) -> Option<String> {
    let check = capping(checks)?;
    Some(match check.errors.first() {
        Some(error) => format!("capped because {}", error.shown()),
        None => format!("capped because {} fails", check.id.shown()),
    })
}

/// For each check, the points gained if it passed as well: 0 for a check that does not fail, and, while a cap holds, for
/// all but the capping check. `None` if the given score was not computed by our formula.
pub fn gains(checks: &[Check], given: Option<u8>) -> Option<Vec<u8>> {
    let parts = ScoreParts::of(checks);
    let score = parts.score(&[]);
    let gain = |(place, check): (usize, &Check)| {
        if check.outcome == CheckOutcome::Failed { parts.score(&[place]).saturating_sub(score) } else { 0 }
    };
    (given == Some(score)).then(|| checks.iter().enumerate().map(gain).collect())
}

/// The checks in the order in which they are listed, each with its gain, 0 if the gains are unknown: by outcome, then by
/// known importance. Within equal importance, the check that caps the score comes first.
pub fn listed<'a>(checks: &'a [Check], given: Option<u8>, explanations: &Explanations) -> Vec<(&'a Check, u8)> {
    let gains = gains(checks, given).unwrap_or_else(|| vec![0; checks.len()]);
    let mut listed: Vec<(&Check, u8)> = checks.iter().zip(gains).collect();
    listed.sort_by_key(|(check, gain)| {
        (check.outcome, importance_order(check.known_importance(explanations)), std::cmp::Reverse(*gain))
    });
    listed
}

/// The repairs with the highest gain, at most `most`. While a cap holds, the check that lifts it comes first.
pub fn first_repairs(checks: &[Check], most: usize) -> Vec<Repair> {
    let parts = ScoreParts::of(checks);
    let mut lifted: Vec<usize> = Vec::new();
    let mut repairs: Vec<Repair> = Vec::new();
    let repair = |place: usize, lifted: &[usize]| {
        let gain = parts.score(&[lifted, &[place]].concat()).saturating_sub(parts.score(lifted));
        Repair { place, gain }
    };
    while let Some((_, place)) = parts.effective_cap(&lifted).filter(|_| repairs.len() < most) {
        repairs.push(repair(place, &lifted));
        lifted.push(place);
    }
    let is_open = |place: &usize| {
        checks[*place].outcome == CheckOutcome::Failed && weight(&checks[*place]) > 0 && !lifted.contains(place)
    };
    let mut open: Vec<usize> = (0..checks.len()).filter(is_open).collect();
    // The gain follows the weight; sorting by weight avoids reordering by rounding. The sort is stable.
    open.sort_by_key(|place| std::cmp::Reverse(weight(&checks[*place])));
    repairs.extend(open.into_iter().take(most - repairs.len()).map(|place| repair(place, &lifted)));
    repairs
}

/// Whether this check makes a page bad when it fails, regardless of other checks.
fn makes_bad(check: &Check) -> bool {
    CAPS.iter().any(|(id, most)| *most <= BROKEN_CAP && *id == check.id.raw())
}

fn weight(check: &Check) -> u32 {
    check.importance.map_or(0, Importance::weight)
}

/// What a score is computed from. `repaired` are the indexes of failed checks that are taken as passed.
struct ScoreParts<'a> {
    checks: &'a [Check],
    /// The weight of the passed checks.
    passed: u32,
    /// The weight of the applicable checks.
    all: u32,
    /// The caps of failed checks, each with the index of its check, from the lowest cap up.
    caps: Vec<(u8, usize)>,
}

impl<'a> ScoreParts<'a> {
    fn of(checks: &'a [Check]) -> Self {
        let (mut passed, mut all) = (0, 0);
        let mut caps = Vec::new();
        for (place, check) in checks.iter().enumerate() {
            match check.outcome {
                // Not being an error earns no points.
                CheckOutcome::Passed if makes_bad(check) => {}
                CheckOutcome::Passed => {
                    passed += weight(check);
                    all += weight(check);
                }
                CheckOutcome::Failed => {
                    all += weight(check);
                    caps.extend(CAPS.iter().position(|(id, _)| *id == check.id.raw()).map(|cap| (cap, place)));
                }
                CheckOutcome::Note | CheckOutcome::NotApplicable => {}
            }
        }
        caps.sort_unstable();
        let caps = caps.into_iter().map(|(cap, place)| (CAPS[cap].1, place)).collect();
        Self { checks, passed, all, caps }
    }

    fn score(&self, repaired: &[usize]) -> u8 {
        self.uncapped(repaired).min(self.cap(repaired).map_or(100, |(most, _)| most))
    }

    fn uncapped(&self, repaired: &[usize]) -> u8 {
        let (mut passed, mut all) = (self.passed, self.all);
        for check in repaired.iter().map(|place| &self.checks[*place]) {
            if makes_bad(check) {
                all -= weight(check);
            } else {
                passed += weight(check);
            }
        }
        let rounded = (200 * passed + all).checked_div(2 * all).unwrap_or(0);
        u8::try_from(rounded).unwrap_or(100)
    }

    /// The lowest cap, and the index of its check.
    fn cap(&self, repaired: &[usize]) -> Option<(u8, usize)> {
        self.caps.iter().find(|(_, place)| !repaired.contains(place)).copied()
    }

    /// The lowest cap, if it lowers the score.
    fn effective_cap(&self, repaired: &[usize]) -> Option<(u8, usize)> {
        self.cap(repaired).filter(|(most, _)| self.uncapped(repaired) > *most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gain(checks: &[Check], place: usize) -> u8 {
        gains(checks, Some(score(checks))).unwrap()[place]
    }

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
        assert!(CAPS.is_sorted_by_key(|(_, most)| *most));
        for (id, most) in CAPS {
            let mut checks = many.clone();
            checks.push(check(id, Importance::High, CheckOutcome::Failed));
            assert_eq!(score(&checks), most, "{id}");
            assert_eq!(capping(&checks).map(|check| check.id.raw()), Some(id));
        }
        assert_eq!(capping(&many), None);
    }

    #[test]
    fn a_cap_is_named_with_its_reason_only_where_it_holds_the_score_down() {
        let mut failing = check("http_status", Importance::High, CheckOutcome::Failed);
        failing.errors = vec!["the page answers with status 500".into()];
        let mut checks = vec![failing, check("a", Importance::High, CheckOutcome::Failed)];
        assert_eq!(cap_reason(&checks), None, "0 of 100 needs no cap");
        checks.extend((0..8).map(|_| check("b", Importance::High, CheckOutcome::Passed)));
        assert_eq!((score(&checks), uncapped(&checks)), (NO_PAGE_CAP, 80));
        assert_eq!(cap_reason(&checks).as_deref(), Some("capped because the page answers with status 500"));
        checks[0].errors.clear();
        assert_eq!(cap_reason(&checks).as_deref(), Some("capped because http_status fails"));
        assert_eq!(
            [Some(20), Some(80), None].map(|given| cap_reason_of(&checks, given).is_some()),
            [true, false, false]
        );
        assert_eq!((gain(&checks, 0), gain(&checks, 1), gain(&checks, 2)), (69, 0, 0));
        let repairs = first_repairs(&checks, 3);
        assert_eq!(repairs, [Repair { place: 0, gain: 69 }, Repair { place: 1, gain: 11 }]);
        checks[0].outcome = CheckOutcome::Passed;
        assert_eq!(score(&checks), 89, "a status that is fine earns nothing");
    }

    #[test]
    fn a_check_that_makes_a_page_bad_earns_no_points_when_it_passes() {
        for (id, most) in CAPS {
            let checks = [("a", CheckOutcome::Passed), ("b", CheckOutcome::Failed), (id, CheckOutcome::Passed)]
                .map(|(id, outcome)| check(id, Importance::High, outcome));
            assert_eq!(score(&checks), if most <= BROKEN_CAP { 50 } else { 67 }, "{id}");
        }
    }

    #[test]
    fn a_cap_that_equals_the_score_does_not_lower_it() {
        let mut checks = vec![check("http_status", Importance::High, CheckOutcome::Failed)];
        checks.extend((0..3).map(|_| check("a", Importance::High, CheckOutcome::Failed)));
        checks.push(check("b", Importance::High, CheckOutcome::Passed));
        assert_eq!((score(&checks), uncapped(&checks), cap_reason(&checks)), (NO_PAGE_CAP, NO_PAGE_CAP, None));
    }

    #[test]
    fn repairs_without_points_are_not_proposed_and_never_more_than_asked_for() {
        use CheckOutcome::{Failed, Passed};
        let mut checks: Vec<Check> = (0..7).map(|_| check("a", Importance::High, Passed)).collect();
        checks.extend([check("http_status", Importance::High, Failed), check("b", Importance::Low, Failed)]);
        checks.push(check("c", Importance::Note, Failed));
        let places = |most| first_repairs(&checks, most).iter().map(|repair| repair.place).collect::<Vec<_>>();
        assert_eq!((places(1), places(2), places(9)), (vec![7], vec![7, 8], vec![7, 8]));
    }

    #[test]
    fn gains_are_unknown_if_another_service_computed_the_score() {
        let checks = [check("a", Importance::High, CheckOutcome::Failed)];
        assert_eq!(
            (gains(&checks, Some(0)), gains(&checks, Some(31)), gains(&checks, None)),
            (Some(vec![100]), None, None)
        );
    }

    #[test]
    fn two_caps_are_lifted_one_after_the_other() {
        let mut checks: Vec<Check> = (0..7).map(|_| check("a", Importance::High, CheckOutcome::Passed)).collect();
        checks.push(check("https_encryption", Importance::High, CheckOutcome::Failed));
        checks.push(check("http_status", Importance::High, CheckOutcome::Failed));
        checks.push(check("b", Importance::High, CheckOutcome::Failed));
        let places: Vec<usize> = first_repairs(&checks, 9).iter().map(|repair| repair.place).collect();
        assert_eq!((places, score(&checks)), (vec![8, 7, 9], NO_PAGE_CAP));
    }

    fn any_checks() -> impl Strategy<Value = Vec<Check>> {
        use CheckOutcome::{Failed, NotApplicable, Note, Passed};
        let ids = proptest::sample::select(vec!["a", "http_status", "tls_valid", "noindex", "robots"]);
        let weights = proptest::sample::select(vec![Importance::High, Importance::Medium, Importance::Low]);
        let outcomes = proptest::sample::select(vec![Passed, Failed, Failed, Note, NotApplicable]);
        proptest::collection::vec(
            (ids, weights, outcomes).prop_map(|(id, weight, outcome)| check(id, weight, outcome)),
            0..20,
        )
    }

    proptest! {
        #[test]
        fn without_a_cap_a_repair_gains_what_its_check_gains(checks in any_checks()) {
            let repairs = first_repairs(&checks, usize::MAX);
            let failed = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed).count();
            prop_assert_eq!(repairs.len(), failed);
            let claimed = if capping(&checks).is_some() { 1 } else { failed };
            for repair in repairs.iter().take(claimed) {
                prop_assert_eq!(repair.gain, gain(&checks, repair.place));
            }
        }

        #[test]
        fn a_repair_never_lowers_the_score(checks in any_checks()) {
            for place in 0..checks.len() {
                let mut repaired = checks.clone();
                if repaired[place].outcome == CheckOutcome::Failed {
                    repaired[place].outcome = CheckOutcome::Passed;
                }
                prop_assert_eq!(score(&repaired), score(&checks) + gain(&checks, place));
            }
        }
    }
}
