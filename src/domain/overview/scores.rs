//! The distribution of scores.

use crate::domain::report::Report;

/// The number of bins of the histogram.
pub const BINS: usize = 20;
/// Points per bin. The last bin also includes 100.
pub const BIN: usize = 5;

/// A histogram of scores, with quantiles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scores {
    /// Reports by score, [`BIN`] points each.
    pub bins: [u64; BINS],
    /// Reports without a score.
    pub unscored: u64,
    /// Half of the scored reports have at least this score.
    pub median: Option<u8>,
    /// A tenth of the scored reports has at most this score.
    pub worst_tenth: Option<u8>,
}

impl Scores {
    /// Counts the scores of these reports.
    pub fn of<'a>(reports: impl Iterator<Item = &'a Report>) -> Self {
        let mut counts = [0_u64; 101];
        let mut scores = Self::default();
        for report in reports {
            match report.score {
                Some(score) => {
                    let score = usize::from(score.min(100));
                    counts[score] += 1;
                    scores.bins[(score / BIN).min(BINS - 1)] += 1;
                }
                None => scores.unscored += 1,
            }
        }
        let scored: u64 = counts.iter().sum();
        // The lowest score that at least this percentage of the reports do not exceed.
        let quantile = |share: u64| {
            let mut below = 0;
            let reached = |count: &u64| {
                below += count;
                below * 100 >= scored * share
            };
            (scored > 0).then(|| counts.iter().position(reached)).flatten().map(|score| score as u8)
        };
        scores.median = quantile(50);
        scores.worst_tenth = quantile(10);
        scores
    }

    /// The filter terms that select the reports of a bin.
    pub fn filter(bin: usize) -> String {
        let from = bin * BIN;
        if bin + 1 < BINS { format!("score:>={from} score:<{}", from + BIN) } else { format!("score:>={from}") }
    }
}
