//! The result, score and failing checks of a report at one audit, and which of two audits is better.
//!
//! What a service omits (a score, the checks) is unknown, which is neither better nor worse.

use jiff::Timestamp;

use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::history::Flips;
use crate::domain::report::outcome::Outcome;

/// The result of a report at one audit.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportState {
    /// Good, decent, bad, or another word.
    pub outcome: Outcome,
    /// 0–100, if reported.
    pub score: Option<u8>,
    /// The ids of the failed checks; `None` if unknown.
    pub failing: Option<Box<[CheckId]>>,
    /// When the audit was made.
    pub generated_at: Option<Timestamp>,
}

/// The direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trend {
    /// It was better before.
    Worse,
    /// Neither better nor worse.
    Same,
    /// It was worse before.
    Better,
}

impl Trend {
    /// The direction from one value to another; larger ones are better.
    pub fn of<T: Ord>(before: &T, after: &T) -> Self {
        match after.cmp(before) {
            std::cmp::Ordering::Less => Self::Worse,
            std::cmp::Ordering::Equal => Self::Same,
            std::cmp::Ordering::Greater => Self::Better,
        }
    }

    /// The direction from one value to another, if both are known.
    fn of_known(before: Option<u8>, after: Option<u8>) -> Self {
        before.zip(after).map_or(Self::Same, |(before, after)| Self::of(&before, &after))
    }
}

/// The rank of a known result; `None` for a foreign or missing one.
pub fn rank(outcome: &Outcome) -> Option<u8> {
    match outcome {
        Outcome::Bad => Some(0),
        Outcome::Decent => Some(1),
        Outcome::Good => Some(2),
        Outcome::Other(_) | Outcome::Missing => None,
    }
}

impl ReportState {
    /// The result with its score: `bad 31`.
    pub fn verdict(&self) -> String {
        self.outcome.verdict(self.score)
    }

    /// The trend of the result alone, if both are known.
    pub fn result_trend(&self, after: &Self) -> Trend {
        Trend::of_known(rank(&self.outcome), rank(&after.outcome))
    }

    /// The trend of the score alone, if both are known.
    pub fn score_trend(&self, after: &Self) -> Trend {
        Trend::of_known(self.score, after.score)
    }

    /// The checks whose outcome changed, if both sides are known.
    pub fn flips(&self, after: &Self) -> Option<Flips> {
        Some(Flips::between(self.failing.as_deref()?, after.failing.as_deref()?))
    }

    /// The overall trend: decided by the result, else the score, else the checks (as many or more broken than repaired
    /// is worse, since breakage is news).
    pub fn trend(&self, after: &Self) -> Trend {
        let by_checks = || match self.flips(after) {
            Some(flips) if flips.is_empty() => Trend::Same,
            Some(flips) if flips.repaired.len() > flips.broken.len() => Trend::Better,
            Some(_) => Trend::Worse,
            None => Trend::Same,
        };
        match (self.result_trend(after), self.score_trend(after)) {
            (Trend::Same, Trend::Same) => by_checks(),
            (Trend::Same, by_score) => by_score,
            (by_result, _) => by_result,
        }
    }

    /// The score difference in points; negative if it fell.
    pub fn score_change(&self, after: &Self) -> Option<i16> {
        Some(i16::from(after.score?) - i16::from(self.score?))
    }

    /// Whether `seen` is a later audit: by its time, or, at the same time (a service may report only the day), by a
    /// different result. An earlier audit is an outdated row and is ignored.
    pub fn is_followed_by(&self, seen: &Self) -> bool {
        let differs = self.outcome != seen.outcome || self.score_trend(seen) != Trend::Same;
        match (self.generated_at, seen.generated_at) {
            (Some(before), Some(after)) if before == after => differs,
            (Some(before), Some(after)) => after > before,
            (None, _) | (_, None) => differs || self.flips(seen).is_some_and(|flips| !flips.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(words: &str, failing: Option<&str>, second: i64) -> ReportState {
        let (outcome, score) = words.split_once(' ').unwrap_or((words, ""));
        ReportState {
            outcome: Outcome::from_name(outcome),
            score: score.parse().ok(),
            failing: failing.map(|ids| ids.split_whitespace().map(CheckId::from).collect()),
            generated_at: Timestamp::from_second(second).ok(),
        }
    }

    #[test]
    fn the_result_decides_before_the_score_and_the_score_before_the_checks() {
        let table = [
            ("bad 31", None, "decent 60", None, Trend::Better),
            ("bad 31", None, "bad 22", None, Trend::Worse),
            ("good 90", None, "bad", None, Trend::Worse),
            ("bad", None, "bad 22", None, Trend::Same),
            ("odd", None, "bad", None, Trend::Same),
            ("bad 31", Some("a"), "bad 31", Some("b"), Trend::Worse),
            ("bad 31", Some("a b"), "bad 31", Some("b"), Trend::Better),
            ("bad 31", Some("a"), "bad 31", None, Trend::Same),
        ];
        for (before, failed, after, fails, expected) in table {
            let (one, two) = (standing(before, failed, 1), standing(after, fails, 2));
            assert_eq!(one.trend(&two), expected, "{before} {failed:?} → {after} {fails:?}");
        }
    }

    #[test]
    fn the_same_audit_seen_again_is_no_change() {
        let known = standing("bad 31", Some("a"), 10);
        let table = [
            ("bad 31", Some("a"), 10, false),
            ("bad 31", None, 10, false),
            ("bad", None, 10, false),
            ("bad 30", Some("a"), 10, true),
            ("bad 31", Some("a"), 11, true),
            ("good 90", Some(""), 9, false),
        ];
        for (words, failing, second, expected) in table {
            assert_eq!(known.is_followed_by(&standing(words, failing, second)), expected, "{words} at {second}");
        }
    }

    #[test]
    fn without_a_time_another_result_or_another_check_is_a_later_audit() {
        let untimed = |words, failing| ReportState { generated_at: None, ..standing(words, failing, 10) };
        let known = standing("bad 31", Some("a"), 10);
        for (words, failing, expected) in [
            ("bad 31", Some("a"), false),
            ("bad 31", None, false),
            ("good 90", None, true),
            ("bad 30", Some("a"), true),
            ("bad 31", Some("b"), true),
        ] {
            let seen = untimed(words, failing);
            assert_eq!(known.is_followed_by(&seen), expected, "{words} {failing:?}");
            assert_eq!(untimed("bad 31", Some("a")).is_followed_by(&seen), expected, "{words} {failing:?}");
        }
    }
}
