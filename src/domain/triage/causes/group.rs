//! A group of bad reports with a common cause.

use crate::domain::text::clean;

/// Reports with a common cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseGroup {
    /// The cause in display form: `title, csp, hsts`, `shop.example/product/{number}`.
    pub label: String,
    /// Positions of the members in the rows, ascending.
    pub members: Vec<u32>,
    /// The number of reports examined for this cause; for checks, only those with known checks.
    pub of: usize,
    /// The filter terms that select the group among the examined reports, to be appended to `result:bad`.
    pub filter: String,
    /// Whether the terms select exactly the members. False for a name with a quote, which the filter cannot express;
    /// then act on the members.
    pub is_exact: bool,
}

impl CauseGroup {
    pub(super) fn new(label: &str, members: Vec<u32>, of: usize) -> Self {
        let label = clean(label).into_owned();
        Self { label, members, of, filter: String::new(), is_exact: false }
    }

    /// Sets the filter terms that match this whole name, which are exact unless the name contains a quote.
    pub(super) fn select_by(&mut self, terms: &str, name: &str) {
        terms.clone_into(&mut self.filter);
        self.is_exact = !name.contains('"');
    }
}

/// Sorts groups by size, largest first, ties by label.
pub(super) fn largest_first(groups: &mut [CauseGroup]) {
    groups.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then_with(|| a.label.cmp(&b.label)));
}
