//! Causes as the lines of a screen: each with its number, its share, and the filter that selects its reports.

use std::collections::HashMap;

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::triage::causes::{Breadth, CauseGroup, Causes, causes};

/// A part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum CauseBlock {
    /// Failing checks.
    Checks,
    /// Projects.
    Projects,
    /// Beginnings and shapes of addresses.
    Addresses,
    /// Sets of checks that fail together.
    Sets,
}

/// Bad reports that share something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseLine {
    /// What they share.
    pub label: String,
    /// How many there are.
    pub reports: u64,
    /// Of how many: of a project its reports of any result, else the bad reports that were looked at.
    pub of: u64,
    /// How many failures (a report times a check) would be gone without it.
    pub failures: u64,
    /// The filter term that selects them among the bad reports that were looked at.
    pub filter: String,
    /// The reports, where the term would select others too.
    pub members: Option<Vec<ReportId>>,
}

/// Which reports were looked at, where they are all of something that can be compared with an earlier look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CauseScope {
    /// Every bad report of the list.
    All,
    /// Every bad report of this project, by its raw name.
    Project(String),
}

/// What the bad reports share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundCauses {
    /// Every failing check, the most frequent first.
    pub checks: Vec<CauseLine>,
    /// Projects with bad reports, by the share of their own reports that is bad.
    pub projects: Vec<CauseLine>,
    /// Beginnings and shapes of addresses, the largest first.
    pub addresses: Vec<CauseLine>,
    /// Sets of checks that fail together, what would be gone with most failures first.
    pub sets: Vec<CauseLine>,
    /// How many bad reports there are.
    pub all: u64,
    /// Those whose checks are unknown.
    pub unknown: Vec<ReportId>,
    /// Which reports these are.
    pub scope: Option<CauseScope>,
}

impl FoundCauses {
    /// The lines of a block.
    pub fn lines(&self, block: CauseBlock) -> &[CauseLine] {
        match block {
            CauseBlock::Checks => &self.checks,
            CauseBlock::Projects => &self.projects,
            CauseBlock::Addresses => &self.addresses,
            CauseBlock::Sets => &self.sets,
        }
    }
}

/// Looks for what the bad ones of these rows share. Some 40 ms for 10,000 bad reports.
pub fn find_causes(rows: &Rows, places: &[u32]) -> FoundCauses {
    let Causes { checks, sets, addresses, projects, unknown, all } = causes(rows, places, Breadth::Bad);
    let lines = |groups: &[CauseGroup]| groups.iter().map(|group| line(rows, group)).collect::<Vec<_>>();
    let counts = count_by_project(rows);
    let count = |group: &CauseGroup| {
        let first = group.members.first().and_then(|place| rows.get(*place));
        first.and_then(|row| counts.get(row.project.raw())).copied().unwrap_or_default()
    };
    let bad: u64 = counts.values().map(|(bad, _)| bad).sum();
    let scope = match &projects[..] {
        _ if all as u64 == bad => Some(CauseScope::All),
        [only] if all as u64 == count(only).0 => only
            .members
            .first()
            .and_then(|place| rows.get(*place))
            .map(|row| CauseScope::Project(row.project.raw().to_owned())),
        _ => None,
    };
    let mut by_share: Vec<CauseLine> =
        projects.iter().map(|group| CauseLine { of: count(group).1, ..line(rows, group) }).collect();
    // Shares compared without rounding, then the project with more bad reports.
    by_share.sort_by(|one, other| {
        let (mine, theirs) = (one.reports * other.of, other.reports * one.of);
        theirs.cmp(&mine).then(other.reports.cmp(&one.reports)).then_with(|| one.label.cmp(&other.label))
    });
    FoundCauses {
        checks: lines(&checks),
        projects: by_share,
        addresses: lines(&addresses),
        sets: lines(&sets),
        all: all as u64,
        unknown: unknown.iter().filter_map(|place| Some(rows.get(*place)?.id.clone())).collect(),
        scope,
    }
}

/// The bad and all loaded reports of each project, by its raw name.
fn count_by_project(rows: &Rows) -> HashMap<&str, (u64, u64)> {
    let mut counts: HashMap<&str, (u64, u64)> = HashMap::new();
    for row in rows.iter() {
        let (bad, all) = counts.entry(row.project.raw()).or_default();
        *bad += u64::from(row.outcome == Outcome::Bad);
        *all += 1;
    }
    counts
}

fn line(rows: &Rows, group: &CauseGroup) -> CauseLine {
    let id = |place: &u32| Some(rows.get(*place)?.id.clone());
    CauseLine {
        label: group.label.clone(),
        reports: group.members.len() as u64,
        of: group.of as u64,
        failures: group.failures as u64,
        filter: group.filter.clone(),
        members: (!group.is_exact).then(|| group.members.iter().filter_map(id).collect()),
    }
}
