//! The number of reports by result.

use crate::domain::report::outcome::Outcome;

/// The number of reports by result. Other results are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ResultCounts {
    /// Good reports.
    pub good: u64,
    /// Decent reports.
    pub decent: u64,
    /// Bad reports.
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

    /// Removes a counted report.
    pub fn remove(&mut self, outcome: &Outcome) {
        let number = match outcome {
            Outcome::Good => &mut self.good,
            Outcome::Decent => &mut self.decent,
            Outcome::Bad => &mut self.bad,
            Outcome::Other(_) | Outcome::Missing => return,
        };
        *number = number.saturating_sub(1);
    }

    /// The number of all counted reports.
    pub fn sum(&self) -> u64 {
        self.good + self.decent + self.bad
    }
}
