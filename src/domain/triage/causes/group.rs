//! A group of bad reports that share something.

use crate::domain::text::clean;

/// What the members of a group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// One to three checks that fail in all of them.
    Checks,
    /// The beginning or the shape of the address.
    Address,
    /// The host.
    Host,
    /// The project.
    Project,
}

/// Reports that share something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseGroup {
    /// What kind of thing they share.
    pub cause: Cause,
    /// It in words, as it may be shown: `title, csp, hsts`, `shop.example/product/{number}`.
    pub label: String,
    /// The places of the members in the rows, ascending.
    pub members: Vec<u32>,
    /// How many reports were looked at for this cause: for checks only those whose checks are known.
    pub of: usize,
    /// How many failures (a report times a check) would be gone without it; by this, groups of checks are ranked.
    pub failures: usize,
    /// The filter terms that select it among the reports that were looked at: appended to `Breadth::filter`.
    pub filter: String,
    /// Whether the terms select exactly the members. A quote in a name cannot be written: then act on the members.
    pub is_exact: bool,
}

impl CauseGroup {
    pub(super) fn new(cause: Cause, label: &str, members: Vec<u32>, of: usize) -> Self {
        let label = clean(label).into_owned();
        Self { cause, label, failures: members.len(), members, of, filter: String::new(), is_exact: false }
    }

    /// Sets the filter terms that compare this whole name. A quote in the name cannot be written in a filter.
    pub(super) fn select_by(&mut self, terms: &str, name: &str) {
        terms.clone_into(&mut self.filter);
        self.is_exact = !name.contains('"');
    }
}

/// The largest first, ties by label.
pub(super) fn largest_first(groups: &mut [CauseGroup]) {
    groups.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then_with(|| a.label.cmp(&b.label)));
}
