//! Causes: bad reports grouped by what they share: failing checks, the shape of their addresses, host and project.
//!
//! Each group says how many of how many it holds, and the filter terms that select it. Must not know how a group is
//! shown, nor where checks are fetched from that a list does not carry.

mod address;
mod checks;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

use crate::domain::list::filter::Filter;
use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;
use crate::domain::text::clean;
use crate::domain::triage::Triages;

/// Groups of one kind that are told; more would be a list again, and not a cause.
pub const MOST_GROUPS: usize = 20;

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

/// Which reports are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Breadth {
    /// Bad ones.
    #[default]
    Bad,
    /// Bad and decent ones.
    BadAndDecent,
}

impl Breadth {
    fn includes(self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Bad => true,
            Outcome::Decent => self == Self::BadAndDecent,
            Outcome::Good | Outcome::Other(_) | Outcome::Missing => false,
        }
    }

    /// The filter terms of this breadth.
    pub fn filter(self) -> &'static str {
        match self {
            Self::Bad => "result:bad",
            Self::BadAndDecent => "!result:good",
        }
    }
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
    /// The filter terms that select it among the reports that were looked at: put behind [`Breadth::filter`].
    pub filter: String,
    /// Whether the terms select exactly the members. If not (a folded number, a host within another's name), act on the
    /// members, and say that the filter is wider.
    pub is_exact: bool,
}

impl CauseGroup {
    /// `38 of 52 share title, csp, hsts`, `31 of 52 are under shop.example/blog/…`.
    pub fn in_words(&self) -> String {
        let verb = match self.cause {
            Cause::Checks => "fail",
            Cause::Address => "are under",
            Cause::Host => "are on",
            Cause::Project => "are of",
        };
        let verb = if self.cause == Cause::Checks && self.label.contains(", ") { "share" } else { verb };
        format!("{} of {} {verb} {}", self.members.len(), self.of, self.label)
    }
}

/// What is behind the bad reports of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Causes {
    /// Sets of checks and single ones, by the failures they explain.
    pub checks: Vec<CauseGroup>,
    /// Addresses, the largest group first.
    pub addresses: Vec<CauseGroup>,
    /// Hosts, the largest group first; those with the same members as a project are left out.
    pub hosts: Vec<CauseGroup>,
    /// Projects, the largest group first.
    pub projects: Vec<CauseGroup>,
    /// The places of the reports that were looked at and whose checks nobody told yet, ascending: open them to know.
    pub unknown: Vec<u32>,
    /// How many reports were looked at.
    pub all: usize,
}

/// The groups of the rows at these places. The same for every order of the places.
///
/// 10,000 bad reports take some 40 ms, so many are grouped beside the loop. A report whose list row carries no failing
/// checks and that was not opened counts as unknown for checks, and is grouped by its address all the same.
pub fn causes(rows: &Rows, places: &[u32], breadth: Breadth) -> Causes {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let row = |place: &u32| Some((*place, rows.get(*place)?));
    let reports: Vec<(u32, &Report)> =
        places.iter().filter_map(row).filter(|(_, report)| breadth.includes(&report.outcome)).collect();
    let (known, unknown): (Vec<_>, Vec<_>) =
        reports.iter().map(|(place, report)| (*place, report.failing())).partition(|(_, failing)| failing.is_some());
    let known: Vec<_> = known.into_iter().filter_map(|(place, failing)| Some((place, failing?))).collect();
    let projects = address::projects(&reports);
    let mut hosts = address::hosts(&reports);
    hosts.retain(|host| projects.iter().all(|project| project.members != host.members));
    let mut causes = Causes {
        checks: checks::groups(&known),
        addresses: address::groups(&reports),
        hosts,
        projects,
        unknown: unknown.into_iter().map(|(place, _)| place).collect(),
        all: reports.len(),
    };
    for groups in [&mut causes.checks, &mut causes.addresses, &mut causes.hosts, &mut causes.projects] {
        groups.truncate(MOST_GROUPS);
        for group in groups {
            group.finish(&reports);
        }
    }
    causes
}

impl CauseGroup {
    fn new(cause: Cause, label: &str, members: Vec<u32>, of: usize) -> Self {
        let label = clean(label).into_owned();
        Self { cause, label, failures: members.len(), members, of, filter: String::new(), is_exact: false }
    }

    /// Finds out, by asking the filter itself, whether its terms select the members and nothing else.
    fn finish(&mut self, reports: &[(u32, &Report)]) {
        let (filter, nobody) = (Filter::parse(&self.filter), Triages::default());
        let kept = reports.iter().filter(|(_, report)| filter.keeps(report, &nobody, Timestamp::UNIX_EPOCH));
        self.is_exact = !filter.is_empty() && kept.map(|(place, _)| place).eq(&self.members);
    }
}

/// The largest first, ties by label.
fn largest_first(groups: &mut [CauseGroup]) {
    groups.sort_by(|a, b| b.members.len().cmp(&a.members.len()).then_with(|| a.label.cmp(&b.label)));
}
