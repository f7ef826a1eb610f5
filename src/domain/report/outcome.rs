//! The result of a report: good, decent, bad, or a service's own word.

use crate::domain::text::Text;

/// Scores above this are good (`assets/docs/interface.md`).
pub const GOOD_ABOVE: f64 = 79.0;
/// Scores below this are bad; from here to [`GOOD_ABOVE`] they are decent.
pub const BAD_BELOW: f64 = 49.0;

/// The result of a report. The order is the sort order: bad first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Score under 49.
    Bad,
    /// Score from 49 to 79.
    Decent,
    /// Score above 79.
    Good,
    /// A word unknown to the API, shown as sent.
    Other(Box<Text>),
    /// No result was sent.
    Missing,
}

/// The three results that the API defines and can filter by.
pub const KNOWN: [Outcome; 3] = [Outcome::Bad, Outcome::Decent, Outcome::Good];

/// Splits a verdict such as `bad 31` into the name of the result and the score.
pub fn split_verdict(text: &str) -> (&str, Option<u8>) {
    let scored = text.rsplit_once(' ').and_then(|(name, score)| Some((name, score.parse().ok()?)));
    scored.map_or((text, None), |(name, score)| (name, Some(score)))
}

impl Outcome {
    /// Parses a result, ignoring case; unknown words are kept, an empty one is missing.
    pub fn from_name(word: &str) -> Self {
        match word.trim().to_ascii_lowercase().as_str() {
            "good" => Self::Good,
            "decent" => Self::Decent,
            "bad" => Self::Bad,
            "" => Self::Missing,
            _ => Self::Other(Box::new(Text::from_outside(word))),
        }
    }

    /// The result with its score: `bad 31`.
    pub fn verdict(&self, score: Option<u8>) -> String {
        let score = score.map(|score| format!(" {score}")).unwrap_or_default();
        format!("{}{score}", self.name())
    }

    /// Parses what [`Self::verdict`] formats.
    pub fn from_verdict(text: &str) -> (Self, Option<u8>) {
        let (name, score) = split_verdict(text);
        (Self::from_name(name), score)
    }

    /// The result of a score from 0 to 100.
    pub fn from_score(score: f64) -> Self {
        if score > GOOD_ABOVE {
            Self::Good
        } else if score < BAD_BELOW {
            Self::Bad
        } else {
            Self::Decent
        }
    }

    /// The result's name, a foreign word in display form, or `none`.
    pub fn name(&self) -> &str {
        match self {
            Self::Good => "good",
            Self::Decent => "decent",
            Self::Bad => "bad",
            Self::Other(word) => word.shown(),
            Self::Missing => "none",
        }
    }

    /// The word that services send for it; `None` if they send none.
    pub fn sent(&self) -> Option<&str> {
        match self {
            Self::Good | Self::Decent | Self::Bad => Some(self.name()),
            Self::Other(word) => Some(word.raw()),
            Self::Missing => None,
        }
    }

    /// Whether it is one of the three results that the API can filter by.
    pub fn is_known(&self) -> bool {
        matches!(self, Self::Good | Self::Decent | Self::Bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_the_interface() {
        let table = [
            (0.0, Outcome::Bad),
            (48.0, Outcome::Bad),
            (48.9, Outcome::Bad),
            (49.0, Outcome::Decent),
            (79.0, Outcome::Decent),
            (79.1, Outcome::Good),
            (80.0, Outcome::Good),
            (100.0, Outcome::Good),
        ];
        for (score, expected) in table {
            assert_eq!(Outcome::from_score(score), expected, "{score}");
        }
    }

    #[test]
    fn verdicts_are_parsed() {
        for (outcome, score) in
            [(Outcome::Bad, Some(31)), (Outcome::Good, None), (Outcome::from_name("so so"), Some(7))]
        {
            assert_eq!(Outcome::from_verdict(&outcome.verdict(score)), (outcome, score));
        }
    }

    #[test]
    fn words_are_parsed_in_any_case_and_unknown_ones_are_kept() {
        assert_eq!(Outcome::from_name("BAD"), Outcome::Bad);
        assert_eq!(Outcome::from_name("Excellent").name(), "Excellent");
        assert_eq!(Outcome::from_name(""), Outcome::Missing);
    }
}
