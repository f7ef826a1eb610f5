//! The values that occur in the rows of a list, with counts, for autocompletion.

use std::collections::HashMap;

use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::report::failed_checks::CheckId;
use crate::domain::report::outcome;

/// A value and how many reports have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// The value in the form that the filter compares.
    pub value: String,
    /// The number of loaded reports.
    pub reports: u64,
}

/// The values that occur in a list, most frequent first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownValues {
    /// The number of loaded reports.
    pub reports: u64,
    /// How many of them were loaded without their checks.
    pub without_checks: u64,
    /// Project names; 0 reports for those known only from the service's project list.
    pub projects: Vec<KnownValue>,
    /// Ids of failing checks.
    pub checks: Vec<KnownValue>,
    /// Result names: the API's three, and foreign ones.
    pub results: Vec<KnownValue>,
    /// Privacy settings.
    pub privacies: Vec<KnownValue>,
    /// Fetch failures.
    pub fetches: Vec<KnownValue>,
}

impl KnownValues {
    /// Counts the values of all rows. `projects` adds names known from the service.
    pub fn collect(rows: &Rows, projects: &[String]) -> Self {
        let mut known = Self::default();
        let [mut names, mut results, mut privacies, mut fetches]: [HashMap<&str, u64>; 4] =
            std::array::from_fn(|_| HashMap::new());
        let mut checks: HashMap<CheckId, u64> = HashMap::new();
        names.extend(projects.iter().map(|name| (name.as_str(), 0)));
        results.extend(outcome::KNOWN.iter().map(|result| (result.name(), 0)));
        for row in rows.iter() {
            known.reports += 1;
            known.without_checks += u64::from(lacks_checks(row));
            *names.entry(row.project.raw()).or_default() += 1;
            *results.entry(row.outcome.name()).or_default() += 1;
            row.privacy.iter().for_each(|privacy| *privacies.entry(privacy.name()).or_default() += 1);
            row.fetch_failure.iter().for_each(|failure| *fetches.entry(failure.name()).or_default() += 1);
            row.failing().into_iter().flatten().for_each(|id| *checks.entry(id).or_default() += 1);
        }
        known.projects = most_frequent(names);
        known.checks = most_frequent(checks);
        known.results = most_frequent(results);
        known.privacies = most_frequent(privacies);
        known.fetches = most_frequent(fetches);
        known
    }

    /// How many reports have a value.
    pub(super) fn count(values: &[KnownValue], value: &str) -> u64 {
        values.iter().find(|known| known.value == value).map_or(0, |known| known.reports)
    }
}

/// Returns all values, or `None` if one of them fits.
pub(super) fn unless_any(values: &[KnownValue], fits: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let words: Vec<&str> = values.iter().map(|known| known.value.as_str()).collect();
    (!words.iter().any(|word| fits(word))).then_some(words)
}

/// Whether nothing is known about a report's checks. A score of 100 means that none fails.
fn lacks_checks(report: &Report) -> bool {
    !report.knows_failing() && report.score != Some(100)
}

fn most_frequent(counts: HashMap<impl AsRef<str>, u64>) -> Vec<KnownValue> {
    let known = counts.into_iter().map(|(value, reports)| KnownValue { value: value.as_ref().to_owned(), reports });
    let mut known: Vec<KnownValue> = known.filter(|known| !known.value.is_empty()).collect();
    known.sort_unstable_by(|a, b| b.reports.cmp(&a.reports).then_with(|| a.value.cmp(&b.value)));
    known
}
