//! The urgency of a report: the sum of the points of named rules, each with a reason. To add a rule, add an entry to
//! [`RULES`].

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::domain::list::rows::Rows;
use crate::domain::report::check::{CheckOutcome, Explanations, Importance};
use crate::domain::report::outcome::{Outcome, split_verdict};
use crate::domain::report::privacy::Privacy;
use crate::domain::report::{Report, ReportId};
use crate::domain::text::numbers::counted;
use crate::domain::triage::changes::Comparison;
use crate::domain::triage::{Notes, Triages};

/// The lowest good score.
const GOOD_FROM: u8 = 80;
const POINTS_BELOW_GOOD: u32 = 2;
/// Points per unit of weight of a failing check (high 10, medium 5, low 1).
const POINTS_A_WEIGHT: u32 = 2;
/// The weight of a check without a known importance.
const UNKNOWN_WEIGHT: u32 = 5;
const MOST_FOR_CHECKS: u32 = 200;
const POINTS_A_DAY: u32 = 2;
const MOST_FOR_WAITING: u32 = 60;
const POINTS_A_LOST_SCORE: u32 = 2;
const MOST_FOR_LOST_SCORE: u32 = 80;
const DAY: i64 = 86_400;

/// The result of a report before its last change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultBefore {
    /// The name of the result.
    pub result: String,
    /// The score, if known.
    pub score: Option<u8>,
}

impl ResultBefore {
    /// Parses a verdict of the log such as `bad 31`; `None` for an empty text.
    pub fn from_verdict(verdict: &str) -> Option<Self> {
        let (result, score) = split_verdict(verdict);
        (!result.is_empty()).then(|| Self { result: result.to_owned(), score })
    }

    /// The result with its score: `bad 31`.
    pub fn verdict(&self) -> String {
        let score = self.score.map(|score| format!(" {score}")).unwrap_or_default();
        format!("{}{score}", self.result)
    }
}

/// Data about reports beyond their rows, needed by filters, columns and urgency. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowContext {
    /// The current time for ages and waiting times.
    pub now: Timestamp,
    /// The triage states. Reports without an entry are new.
    pub triages: Arc<Triages>,
    /// Regressed reports since the last look, with the points lost: see [`lost_points`]. Computed once per comparison.
    pub fallen: Arc<HashMap<ReportId, u16>>,
    /// The notes.
    pub notes: Arc<Notes>,
    /// The results before the last change. Filled only for exports.
    pub results_before: Arc<HashMap<ReportId, ResultBefore>>,
    /// The weights of checks, for rows that contain only ids.
    pub explanations: Arc<Explanations>,
}

/// The regressed reports of a comparison, with the points of score lost (0 if unknown).
pub fn lost_points(comparison: &Comparison) -> HashMap<ReportId, u16> {
    let lost = |change: Option<i16>| change.map_or(0, |change| (-change).max(0).unsigned_abs());
    comparison.regressed.iter().map(|moved| (moved.id.clone(), lost(moved.score_change()))).collect()
}

/// One rule of the formula.
pub struct UrgencyRule {
    /// Its name.
    pub name: &'static str,
    /// The points it gives and their maximum, in words for the help.
    pub weight: &'static str,
    points: fn(&Report, &RowContext) -> u32,
    why: fn(&Report, &RowContext) -> String,
}

/// One rule's contribution to a report's urgency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrgencyPart {
    /// The rule's name.
    pub name: &'static str,
    /// The points added.
    pub points: u32,
    /// The reason, in display form.
    pub why: String,
}

/// The formula: the points of all rules are added; the largest sum comes first.
pub const RULES: [UrgencyRule; 7] = [
    UrgencyRule {
        name: "result",
        weight: "bad 300, decent 100, unknown 50, good 0",
        points: |report, _| match report.outcome {
            Outcome::Bad => 300,
            Outcome::Decent => 100,
            Outcome::Other(_) | Outcome::Missing => 50,
            Outcome::Good => 0,
        },
        why: |report, _| format!("the result is {}", report.outcome.name()),
    },
    UrgencyRule {
        name: "score",
        weight: "2 for each point below 80",
        points: |report, _| u32::from(below_good(report)) * POINTS_BELOW_GOOD,
        why: |report, _| match report.score {
            Some(score) if score >= GOOD_FROM => format!("score {score} is good"),
            Some(score) => format!("score {score} is {} below {GOOD_FROM}", below_good(report)),
            None => "the score is unknown".to_owned(),
        },
    },
    UrgencyRule {
        name: "checks",
        weight: "failing checks: high 20, medium and unknown 10, low 2 each, at most 200",
        points: |report, around| (weights(report, around) * POINTS_A_WEIGHT).min(MOST_FOR_CHECKS),
        why: |report, _| match report.failing() {
            Some(failing) => format!("{}, by importance", counted(failing.len() as u64, "failing check")),
            None => "the checks are unknown".to_owned(),
        },
    },
    UrgencyRule {
        name: "age",
        weight: "2 per day since the last audit or state change, at most 60",
        points: |report, around| days_waiting(report, around).saturating_mul(POINTS_A_DAY).min(MOST_FOR_WAITING),
        why: |report, around| match waiting_since(report, around) {
            Some(_) if report.outcome == Outcome::Good => "good reports do not wait".to_owned(),
            Some(_) => {
                let since = if around.triages.get(&report.id).is_some() { "state set" } else { "last audited" };
                format!("{since} {} ago", counted(u64::from(days_waiting(report, around)), "day"))
            }
            None => "the time of the audit is unknown".to_owned(),
        },
    },
    UrgencyRule {
        name: "reopened",
        weight: "120 for a reopened report",
        points: |report, around| if reopened(report, around).is_some() { 120 } else { 0 },
        why: |report, around| reopened(report, around).unwrap_or("it was not reopened").to_owned(),
    },
    UrgencyRule {
        name: "regressed",
        weight: "100 if worse than at the last look, plus 2 for each point lost, at most 180",
        points: |report, around| {
            let lost = |lost: &u16| 100 + (u32::from(*lost) * POINTS_A_LOST_SCORE).min(MOST_FOR_LOST_SCORE);
            around.fallen.get(&report.id).map_or(0, lost)
        },
        why: |report, around| match around.fallen.get(&report.id) {
            Some(0) => "worse than at the last look".to_owned(),
            Some(lost) => format!("{lost} points lost since the last look"),
            None => "no worse than at the last look".to_owned(),
        },
    },
    // Outsiders can read a public report page, so among equal reports the public one comes first, but no more than
    // that.
    UrgencyRule {
        name: "public",
        weight: "10 for a bad or decent report that is public",
        points: |report, _| if is_seen_by_all(report) { 10 } else { 0 },
        why: |report, _| {
            let seen = match (is_seen_by_all(report), report.privacy) {
                (true, _) => "anyone can read this report",
                (false, Some(Privacy::Public)) => "public, but neither bad nor decent",
                (false, Some(Privacy::Private | Privacy::Password)) => "the report page is not public",
                (false, None) => "the privacy is unknown",
            };
            seen.to_owned()
        },
    },
];

/// The urgency of a report. No allocation; about 100 ns, plus a look-up per failing check.
pub fn points(report: &Report, around: &RowContext) -> u32 {
    RULES.iter().map(|rule| (rule.points)(report, around)).sum()
}

/// The contribution of every rule, zeros included, in the order of [`RULES`].
pub fn explain(report: &Report, around: &RowContext) -> Vec<UrgencyPart> {
    let part = |rule: &UrgencyRule| UrgencyPart {
        name: rule.name,
        points: (rule.points)(report, around),
        why: (rule.why)(report, around),
    };
    RULES.iter().map(part).collect()
}

/// Sorts positions by urgency: largest sum first, ties by id (numerically, before other ids).
///
/// Independent of the input order. Computed once per row; 100,000 rows take about 15 ms, plus a look-up in
/// [`Explanations`] per failing check, so long lists are sorted off the event loop, except when the queue opens.
/// Positions without a row are omitted.
pub fn by_urgency(rows: &Rows, places: &[u32], around: &RowContext) -> Vec<u32> {
    let key = |place: &u32| {
        let report = rows.get(*place)?;
        let number = report.id.raw().parse::<u64>().unwrap_or(u64::MAX);
        Some((Reverse(points(report, around)), number, report.id.raw(), *place))
    };
    let mut keys: Vec<_> = places.iter().filter_map(key).collect();
    keys.sort_unstable();
    keys.iter().map(|(.., place)| *place).collect()
}

fn below_good(report: &Report) -> u8 {
    report.score.map_or(0, |score| GOOD_FROM.saturating_sub(score))
}

/// The total weight of the failing checks: by the importance sent, else by the built-in explanation.
fn weights(report: &Report, around: &RowContext) -> u32 {
    let known = |id: &str| around.explanations.get(id).map(|explanation| explanation.importance);
    let weight = |importance: Option<Importance>| importance.map_or(UNKNOWN_WEIGHT, Importance::weight);
    match report.checks() {
        Some(checks) => {
            let failed = checks.iter().filter(|check| check.outcome == CheckOutcome::Failed);
            failed.map(|check| weight(check.known_importance(&around.explanations))).sum()
        }
        None => report.failed.iter().map(|id| weight(known(id))).sum(),
    }
}

/// Since when the report waits for work: since its state was set, or else since its audit.
fn waiting_since(report: &Report, around: &RowContext) -> Option<Timestamp> {
    around.triages.get(&report.id).map(|triage| triage.set_at).or(report.generated_at)
}

/// Full days of waiting; good reports do not wait.
fn days_waiting(report: &Report, around: &RowContext) -> u32 {
    let seconds = |since: Timestamp| (around.now.as_second() - since.as_second()).max(0);
    match report.outcome {
        Outcome::Good => 0,
        Outcome::Bad | Outcome::Decent | Outcome::Other(_) | Outcome::Missing => {
            waiting_since(report, around).map_or(0, |since| u32::try_from(seconds(since) / DAY).unwrap_or(u32::MAX))
        }
    }
}

fn reopened<'a>(report: &Report, around: &'a RowContext) -> Option<&'a str> {
    around.triages.get(&report.id).filter(|triage| triage.is_reopened())?.reason.as_deref()
}

fn is_seen_by_all(report: &Report) -> bool {
    report.privacy == Some(Privacy::Public) && matches!(report.outcome, Outcome::Bad | Outcome::Decent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::report::tests::row;
    use crate::domain::triage::{State, Triage};
    use proptest::prelude::*;

    fn order(reports: &[Report], around: &RowContext) -> Vec<String> {
        let rows: Rows = reports.iter().cloned().collect();
        let places: Vec<u32> = (0..rows.len()).map(|place| place as u32).collect();
        let ordered = by_urgency(&rows, &places, around);
        ordered.into_iter().map(|place| reports[place as usize].id.raw().to_owned()).collect()
    }

    fn with(work: impl FnOnce(&RowContext)) {
        let now = Timestamp::from_second(100 * DAY).unwrap();
        let mut reopened = Triage::set(State::New, &row("back", "a", Outcome::Decent), now);
        reopened.reason = Some("reopened: good 90 → decent 70".to_owned());
        let triages: Triages = [(ReportId::new("back"), reopened)].into_iter().collect();
        let fallen = [(ReportId::new("fallen"), 30)].into_iter().collect();
        let around = RowContext { now, triages: triages.into(), fallen: Arc::new(fallen), ..RowContext::default() };
        work(&around);
    }

    #[test]
    fn the_urgency_of_a_report_is_explained() {
        with(|around| {
            let mut report = row("fallen", "a", Outcome::Bad);
            report.score = Some(30);
            report.failed = ["title", "csp"].into();
            report.generated_at = (around.now - jiff::SignedDuration::from_hours(49)).into();
            let parts = explain(&report, around);
            let texts: Vec<String> =
                parts.iter().map(|part| format!("{} {}: {}", part.name, part.points, part.why)).collect();
            let expected = [
                "result 300: the result is bad",
                "score 100: score 30 is 50 below 80",
                "checks 20: 2 failing checks, by importance",
                "age 4: last audited 2 days ago",
                "reopened 0: it was not reopened",
                "regressed 160: 30 points lost since the last look",
                "public 10: anyone can read this report",
            ];
            assert_eq!(texts, expected);
            assert_eq!(points(&report, around), 594);
        });
    }

    #[test]
    fn reasons_name_no_number_or_setting_that_is_unknown() {
        with(|around| {
            let mut report = row("1", "a", Outcome::Good);
            report.generated_at = (around.now - jiff::SignedDuration::from_hours(24 * 40)).into();
            report.privacy = None;
            let parts = explain(&report, around);
            let why = |name: &str| parts.iter().find(|part| part.name == name).map(|part| part.why.as_str());
            assert_eq!(why("age"), Some("good reports do not wait"));
            assert_eq!(why("public"), Some("the privacy is unknown"));
        });
    }

    #[test]
    fn urgency_needs_only_documented_fields_and_ids_break_ties() {
        with(|around| {
            let plain = |id: &str, outcome| row(id, "a", outcome);
            let reports = [
                plain("10", Outcome::Bad),
                plain("9", Outcome::Bad),
                plain("x", Outcome::Bad),
                plain("good", Outcome::Good),
                plain("back", Outcome::Decent),
                plain("5", Outcome::Decent),
            ];
            assert_eq!(order(&reports, around), ["9", "10", "x", "back", "5", "good"]);
        });
    }

    proptest! {
        #[test]
        fn the_order_follows_the_sums_for_any_input_order(
            reports in proptest::collection::btree_map("[a-c0-9]{1,3}", (0_u8..=100, any::<bool>()), 0..30),
        ) {
            with(|around| {
                let made = |(id, (score, public)): (&String, &(u8, bool))| {
                    let mut report = row(id, "a", Outcome::from_score(f64::from(*score)));
                    report.score = Some(*score);
                    report.privacy = public.then_some(Privacy::Public);
                    report
                };
                let mut reports: Vec<Report> = reports.iter().map(made).collect();
                let ordered = order(&reports, around);
                let sum = |id: &String| reports.iter().find(|report| report.id.raw() == id).map(|report| points(report, around));
                assert!(ordered.windows(2).all(|two| sum(&two[0]) >= sum(&two[1])));
                for report in &reports {
                    let parts: u32 = explain(report, around).iter().map(|part| part.points).sum();
                    assert_eq!(parts, points(report, around));
                }
                reports.reverse();
                assert_eq!(order(&reports, around), ordered);
            });
        }
    }
}
