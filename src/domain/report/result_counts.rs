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

    /// Takes a counted report out.
    pub fn remove(&mut self, outcome: &Outcome) {
        let number = match outcome {
            Outcome::Good => &mut self.good,
            Outcome::Decent => &mut self.decent,
            Outcome::Bad => &mut self.bad,
            Outcome::Other(_) | Outcome::Missing => return,
        };
        *number = number.saturating_sub(1);
    }

    /// All counted reports.
    pub fn sum(&self) -> u64 {
        self.good + self.decent + self.bad
    }
}
