//! Causes: bad reports grouped by what they share: failing checks, the shape of their addresses, host and project.
//!
//! Each group says how many of how many it holds, and the filter terms that select it.

pub mod lines;

mod address;
mod checks;
mod group;
#[cfg(test)]
mod tests;

use crate::domain::list::rows::Rows;
use crate::domain::report::Report;
use crate::domain::report::outcome::Outcome;

use group::largest_first;
pub use group::{Cause, CauseGroup};

/// The most groups by address.
pub const MOST_ADDRESSES: usize = 40;

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

/// What is behind the bad reports of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Causes {
    /// Every failing check, the most frequent first.
    pub checks: Vec<CauseGroup>,
    /// Sets of checks that fail together, by the failures they explain.
    pub sets: Vec<CauseGroup>,
    /// Beginnings and shapes of addresses, and hosts that are no project of their own: the largest group first.
    pub addresses: Vec<CauseGroup>,
    /// Projects, the largest group first.
    pub projects: Vec<CauseGroup>,
    /// The places of the bad reports with unknown checks, ascending.
    pub unknown: Vec<u32>,
    /// How many reports were looked at.
    pub all: usize,
}

/// The groups of the rows at these places. The same for every order of the places.
///
/// 10,000 bad reports take some 40 ms, so they are grouped on another thread. A report whose list row carries no failing
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
    let mut addresses = address::hosts(&reports);
    addresses.retain(|host| projects.iter().all(|project| project.members != host.members));
    addresses.extend(address::groups(&reports));
    largest_first(&mut addresses);
    addresses.truncate(MOST_ADDRESSES);
    Causes {
        checks: checks::singles(&known),
        sets: checks::sets(&known),
        addresses,
        projects,
        unknown: unknown.into_iter().map(|(place, _)| place).collect(),
        all: reports.len(),
    }
}
