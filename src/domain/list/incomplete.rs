//! Reasons why a list lacks rows that the service has.

use crate::domain::list::paging::Ending;

/// Returns why a list lacks rows, as clauses: how paging ended, and unreadable rows. None for a complete list. `rows` is
/// the number of rows read; `what` is their plural noun: `reports`, `projects`.
pub fn reasons(ending: Ending, unreadable: usize, rows: usize, what: &str) -> Vec<String> {
    // `1 report`
    let of = |count: usize| format!("{count} {}", if count == 1 { what.trim_end_matches('s') } else { what });
    let of_ending = match ending {
        Ending::Complete => None,
        Ending::OnePage => Some(format!("the service returned {} and no next page", of(rows))),
        Ending::Repeated => Some(format!("the service began to repeat rows after {}", of(rows))),
        Ending::Cap => Some(format!("the list ends after {}, but the service has more", of(rows))),
        Ending::Changed => Some(format!("the list changed while it was read; some {what} may be missing")),
    };
    let lost = (unreadable > 0).then(|| format!("{} could not be read", of(unreadable)));
    of_ending.into_iter().chain(lost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_given_and_a_complete_list_has_none() {
        assert!(reasons(Ending::Complete, 0, 50, "reports").is_empty());
        let clauses = reasons(Ending::OnePage, 2, 50, "reports");
        assert_eq!(clauses, ["the service returned 50 reports and no next page", "2 reports could not be read"]);
        for (ending, expected) in [
            (Ending::Repeated, "the service began to repeat rows after 1 report"),
            (Ending::Cap, "the list ends after 1 report, but the service has more"),
            (Ending::Changed, "the list changed while it was read; some reports may be missing"),
        ] {
            assert_eq!(reasons(ending, 0, 1, "reports"), [expected]);
        }
    }
}
