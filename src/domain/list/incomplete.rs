//! Reasons why a list lacks rows that the service has.

use crate::domain::list::paging::Ending;

/// A reason why rows are missing from a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incomplete {
    /// The service returned one page and no way to request more.
    OnePage,
    /// The service returned the same rows or the same token again.
    Repeated,
    /// Paging stopped at the row limit.
    Capped,
    /// The list changed while its pages were read, on every attempt.
    Changed,
    /// This many rows could not be parsed.
    Unreadable(usize),
}

impl Incomplete {
    /// The reasons that follow from how paging ended and from unreadable rows; none for a complete list.
    pub fn reasons(ending: Ending, unreadable: usize) -> Vec<Self> {
        let of_ending = match ending {
            Ending::Complete => None,
            Ending::OnePage => Some(Self::OnePage),
            Ending::Repeated => Some(Self::Repeated),
            Ending::Cap => Some(Self::Capped),
            Ending::Changed => Some(Self::Changed),
        };
        of_ending.into_iter().chain((unreadable > 0).then_some(Self::Unreadable(unreadable))).collect()
    }

    /// The reason as a clause. `rows` is the number of rows read; `what` is their plural noun: `reports`, `projects`.
    pub fn clause(self, rows: usize, what: &str) -> String {
        // `1 report`
        let of = |count: usize| format!("{count} {}", if count == 1 { what.trim_end_matches('s') } else { what });
        match self {
            Self::OnePage => format!("the service returned {} and no next page", of(rows)),
            Self::Repeated => format!("the service began to repeat rows after {}", of(rows)),
            Self::Capped => format!("the list ends after {}, but the service has more", of(rows)),
            Self::Changed => format!("the list changed while it was read; some {what} may be missing"),
            Self::Unreadable(count) => format!("{} could not be read", of(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_given_and_a_complete_list_has_none() {
        assert_eq!(Incomplete::reasons(Ending::Complete, 0), []);
        let reasons = Incomplete::reasons(Ending::OnePage, 2);
        assert_eq!(reasons, [Incomplete::OnePage, Incomplete::Unreadable(2)]);
        let clauses: Vec<String> = reasons.into_iter().map(|reason| reason.clause(50, "reports")).collect();
        assert_eq!(clauses, ["the service returned 50 reports and no next page", "2 reports could not be read"]);
        for (ending, expected) in [
            (Ending::Repeated, "the service began to repeat rows after 1 report"),
            (Ending::Cap, "the list ends after 1 report, but the service has more"),
            (Ending::Changed, "the list changed while it was read; some reports may be missing"),
        ] {
            let clauses: Vec<_> =
                Incomplete::reasons(ending, 0).iter().map(|reason| reason.clause(1, "reports")).collect();
            assert_eq!(clauses, [expected]);
        }
    }
}
