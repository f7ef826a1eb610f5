//! The causes of a list by block of the screen, one line for each group.

use std::collections::{HashMap, HashSet};

use super::group::{CauseGroup, largest_first};
use super::{MOST_ADDRESSES, address, checks};
use crate::domain::list::rows::Rows;
use crate::domain::report::outcome::Outcome;
use crate::domain::report::{Report, ReportId};

/// A block of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum CauseBlock {
    /// Failing checks.
    Checks,
    /// Projects.
    Projects,
    /// Prefixes and shapes of URLs.
    Addresses,
    /// Sets of checks that fail together.
    Sets,
}

/// Which reports were examined, if comparable with an earlier look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CauseScope {
    /// Every bad report of the list.
    All,
    /// Every bad report of this project, by its raw name.
    Project(String),
}

/// The common causes of bad reports.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundCauses {
    /// Every failing check, most frequent first.
    pub checks: Vec<CauseGroup>,
    /// Projects with bad reports, by the share of their reports that are bad.
    pub projects: Vec<CauseGroup>,
    /// Prefixes and shapes of URLs, largest group first.
    pub addresses: Vec<CauseGroup>,
    /// Sets of checks that fail together, by the number of failures they explain.
    pub sets: Vec<CauseGroup>,
    /// The number of bad reports.
    pub all: u64,
    /// Bad reports with unknown checks.
    pub unknown: Vec<ReportId>,
    /// Which reports were examined.
    pub scope: Option<CauseScope>,
}

impl FoundCauses {
    /// The lines of a block.
    pub fn lines(&self, block: CauseBlock) -> &[CauseGroup] {
        match block {
            CauseBlock::Checks => &self.checks,
            CauseBlock::Projects => &self.projects,
            CauseBlock::Addresses => &self.addresses,
            CauseBlock::Sets => &self.sets,
        }
    }
}

/// Finds the common causes of the bad reports among the rows at these positions. The result is independent of their
/// order.
///
/// Takes about 40 ms for 10,000 bad reports, so it runs on another thread. A report whose checks are unknown (not in
/// its list row, and not opened) is grouped by its URL only.
pub fn find_causes(rows: &Rows, places: &[u32]) -> FoundCauses {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let row = |place: &u32| Some((*place, rows.get(*place)?));
    let reports: Vec<(u32, &Report)> =
        places.iter().filter_map(row).filter(|(_, report)| report.outcome == Outcome::Bad).collect();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for (place, report) in &reports {
        match report.failing() {
            Some(failing) => known.push((*place, failing)),
            None => unknown.push(report.id.clone()),
        }
    }
    let mut projects = address::projects(&reports);
    let mut addresses = address::hosts(&reports);
    let of_projects: HashSet<&[u32]> = projects.iter().map(|project| &*project.members).collect();
    addresses.retain(|host| !of_projects.contains(&*host.members));
    addresses.extend(address::groups(&reports));
    largest_first(&mut addresses);
    addresses.truncate(MOST_ADDRESSES);
    let all = reports.len() as u64;
    let scope = rank_projects(&mut projects, rows, all);
    FoundCauses {
        checks: checks::single_checks(&known),
        sets: checks::sets(&known),
        projects,
        addresses,
        all,
        unknown,
        scope,
    }
}

/// Compares each project with all of its loaded reports, and sorts projects by share. Returns which reports were
/// examined, given the number of bad ones.
fn rank_projects(projects: &mut [CauseGroup], rows: &Rows, examined: u64) -> Option<CauseScope> {
    let counts = count_by_project(rows);
    let name = |group: &CauseGroup| Some(rows.get(*group.members.first()?)?.project.raw());
    let count = |group: &CauseGroup| name(group).and_then(|name| counts.get(name)).copied().unwrap_or_default();
    let bad: u64 = counts.values().map(|(bad, _)| bad).sum();
    let scope = match &*projects {
        _ if examined == bad => Some(CauseScope::All),
        [only] if examined == count(only).0 => name(only).map(|name| CauseScope::Project(name.to_owned())),
        _ => None,
    };
    for project in &mut *projects {
        project.of = count(project).1;
    }
    // Compares shares without rounding, then the number of bad reports.
    projects.sort_by(|one, other| {
        let (mine, theirs) = (one.reports() * other.of, other.reports() * one.of);
        theirs.cmp(&mine).then(other.reports().cmp(&one.reports())).then_with(|| one.label.cmp(&other.label))
    });
    scope
}

/// The number of bad and of all loaded reports of each project, by raw name.
fn count_by_project(rows: &Rows) -> HashMap<&str, (u64, u64)> {
    let mut counts: HashMap<&str, (u64, u64)> = HashMap::new();
    for row in rows.iter() {
        let (bad, all) = counts.entry(row.project.raw()).or_default();
        *bad += u64::from(row.outcome == Outcome::Bad);
        *all += 1;
    }
    counts
}
