//! Causes: bad reports grouped by failing checks, URL shape, host and project.
//!
//! Each group has its size, the number of examined reports, and filter terms that select it.

pub mod lines;

mod address;
mod checks;
mod group;
#[cfg(test)]
mod tests;

use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;

pub use group::CauseGroup;
use group::largest_first;

/// The maximum number of groups by URL.
pub const MOST_ADDRESSES: usize = 40;

/// The causes found in a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Causes {
    /// Every failing check, most frequent first.
    pub checks: Vec<CauseGroup>,
    /// Sets of checks that fail together, by the failures they explain.
    pub sets: Vec<CauseGroup>,
    /// Prefixes and shapes of URLs, and hosts that are not projects of their own, largest group first.
    pub addresses: Vec<CauseGroup>,
    /// Projects, largest group first.
    pub projects: Vec<CauseGroup>,
    /// Positions of the bad reports with unknown checks, ascending.
    pub unknown: Vec<u32>,
    /// The number of examined reports.
    pub all: usize,
}

/// Groups the bad reports among the rows at these positions. The result is independent of their order.
///
/// Takes about 40 ms for 10,000 bad reports, so it runs on another thread. A report whose checks are unknown (not in
/// its list row, and not opened) is grouped by its URL only.
pub fn causes(rows: &Rows, places: &[u32]) -> Causes {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let row = |place: &u32| Some((*place, rows.get(*place)?));
    let reports: Vec<(u32, &Report)> =
        places.iter().filter_map(row).filter(|(_, report)| report.outcome == Outcome::Bad).collect();
    let (known, unknown): (Vec<_>, Vec<_>) =
        reports.iter().map(|(place, report)| (*place, report.failing())).partition(|(_, failing)| failing.is_some());
    let known: Vec<_> = known.into_iter().filter_map(|(place, failing)| Some((place, failing?))).collect();
    let projects = address::projects(&reports);
    let mut addresses = address::hosts(&reports);
    addresses.retain(|host| projects.iter().all(|project| project.members != host.members));
    addresses.extend(address::groups(&reports));
    largest_first(&mut addresses);
    addresses.truncate(MOST_ADDRESSES);
    Causes {
        checks: checks::single_checks(&known),
        sets: checks::sets(&known),
        addresses,
        projects,
        unknown: unknown.into_iter().map(|(place, _)| place).collect(),
        all: reports.len(),
    }
}
