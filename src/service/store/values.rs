//! Stored forms of values: results as ranks, times as milliseconds.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::domain::list::query::ResultFilter;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state;

/// Results by severity, which is their sort order.
const RANKS: [&str; 3] = ["bad", "decent", "good"];

/// Returns the rank of a result. For an unknown result the score decides.
pub fn rank(outcome: &Outcome, score: u8) -> i64 {
    report_state::rank(outcome).map_or_else(|| rank_of_score(score), i64::from)
}

/// Returns the rank of a score's result.
pub fn rank_of_score(score: u8) -> i64 {
    // A score's result is always known.
    rank(&Outcome::from_score(f64::from(score)), score)
}

/// Returns the rank of a filter's result.
pub fn rank_of(result: ResultFilter) -> i64 {
    match result {
        ResultFilter::Bad => 0,
        ResultFilter::Decent => 1,
        ResultFilter::Good => 2,
    }
}

/// Returns the word of a rank.
pub fn result_name(rank: i64) -> &'static str {
    usize::try_from(rank).ok().and_then(|rank| RANKS.get(rank)).unwrap_or(&RANKS[0])
}

/// Returns bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the current time in milliseconds, which is the stored precision.
pub fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Converts a stored time. One out of range becomes the epoch.
pub fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_sort_by_severity_and_map_back_to_their_words() {
        let known = crate::domain::report::outcome::KNOWN;
        let ranks: Vec<i64> = known.iter().map(|outcome| rank(outcome, 0)).collect();
        assert_eq!(ranks, [0, 1, 2]);
        for outcome in &known {
            assert_eq!(result_name(rank(outcome, 0)), outcome.name());
        }
        assert_eq!(rank(&Outcome::Missing, 80), 2);
        assert_eq!(rank(&Outcome::from_name("fine"), 49), 1);
    }
}
