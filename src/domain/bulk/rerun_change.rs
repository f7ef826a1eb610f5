//! How a re-run changed the result of a report.

use std::cmp::Ordering;

use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;

/// The result of a report before its re-run.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviousResult {
    outcome: Outcome,
    score: Option<u8>,
}

/// The result of a re-run, compared with the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerunChange {
    /// A higher score, or a better result.
    Improved,
    /// The same score and result.
    Same,
    /// A lower score, or a worse result.
    Worse,
}

impl PreviousResult {
    pub(super) fn of(report: &Report) -> Self {
        Self { outcome: report.outcome.clone(), score: report.score }
    }

    /// Compares scores, or results where one of the scores is not known.
    pub(super) fn change(&self, report: &Report) -> RerunChange {
        let order = match (self.score, report.score) {
            (Some(before), Some(now)) => now.cmp(&before),
            (None, _) | (_, None) => rank(&report.outcome).cmp(&rank(&self.outcome)),
        };
        match order {
            Ordering::Greater => RerunChange::Improved,
            Ordering::Equal => RerunChange::Same,
            Ordering::Less => RerunChange::Worse,
        }
    }
}

fn rank(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Bad => 1,
        Outcome::Other(_) | Outcome::Missing => 0,
        Outcome::Decent => 2,
        Outcome::Good => 3,
    }
}
