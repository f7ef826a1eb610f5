//! Stored forms of values: results as ranks, times as milliseconds.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::domain::list::query::ResultFilter;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::report_state;

/// Results by severity, which is their sort order.
const RANKS: [&str; 3] = ["bad", "decent", "good"];

/// Returns the rank of a score's result.
pub fn rank_of_score(score: u8) -> i64 {
    // A score's result is always known.
    report_state::rank(&Outcome::from_score(f64::from(score))).map_or(0, i64::from)
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
        assert_eq!([0, 49, 80].map(rank_of_score), [0, 1, 2]);
        for score in 0..=100 {
            assert_eq!(result_name(rank_of_score(score)), Outcome::from_score(f64::from(score)).name());
        }
    }
}
