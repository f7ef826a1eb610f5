//! The number of reports by result.

use crate::domain::report::outcome::Outcome;

/// The number of reports by result. Reports with another result are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ResultCounts {
    /// Good ones.
    pub good: u64,
    /// Decent ones.
    pub decent: u64,
    /// Bad ones.
    pub bad: u64,
}

impl ResultCounts {
    /// Counts a report.
    pub fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Good => self.good += 1,
            Outcome::Decent => self.decent += 1,
            Outcome::Bad => self.bad += 1,
            Outcome::Other(_) | Outcome::Missing => {}
        }
    }

    /// All counted reports.
    pub fn sum(&self) -> u64 {
        self.good + self.decent + self.bad
    }
}
