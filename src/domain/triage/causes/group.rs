//! A group of bad reports with a common cause.

use crate::domain::text::clean;

/// Reports with a common cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseGroup {
    /// The cause in display form: `title, csp, hsts`, `shop.example/product/{number}`.
    pub label: String,
    /// Positions of the members in the rows, ascending.
    pub members: Vec<u32>,
    /// The number of reports compared with: for a project all its reports, else the examined bad ones; for checks, only
    /// those with known checks.
    pub of: u64,
    /// The filter terms that select exactly the members among the examined reports, to be appended to `result:bad`.
    pub filter: String,
}

impl CauseGroup {
    /// The number of members.
    pub fn reports(&self) -> u64 {
        self.members.len() as u64
    }

    /// Makes groups of names and their members, largest first. `filter` returns the terms that select a name.
    pub(super) fn all<N: AsRef<str>>(
        found: impl IntoIterator<Item = (N, Vec<u32>)>,
        of: usize,
        filter: impl Fn(&str) -> String,
    ) -> Vec<Self> {
        let group = |(name, members): (N, Vec<u32>)| {
            let name = name.as_ref();
            Self { label: clean(name).into_owned(), members, of: of as u64, filter: filter(name) }
        };
        let mut groups: Vec<Self> = found.into_iter().map(group).collect();
        largest_first(&mut groups);
        groups
    }
}

/// Sorts groups by size, largest first, ties by label.
pub(super) fn largest_first(groups: &mut [CauseGroup]) {
    groups.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then_with(|| a.label.cmp(&b.label)));
}
