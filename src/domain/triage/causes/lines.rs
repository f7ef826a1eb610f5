//! Causes as screen lines, each with its count, its share, and the filter that selects its reports.

use std::collections::HashMap;

use crate::domain::list::rows::Rows;
use crate::domain::report::ReportId;
use crate::domain::report::outcome::Outcome;
use crate::domain::triage::causes::{CauseGroup, Causes, causes};

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

/// A line: bad reports with a common cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CauseLine {
    /// The cause.
    pub label: String,
    /// The number of reports.
    pub reports: u64,
    /// The number compared with: for a project all its reports, else the examined bad reports.
    pub of: u64,
    /// The filter term that selects them among the examined bad reports.
    pub filter: String,
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
    pub checks: Vec<CauseLine>,
    /// Projects with bad reports, by the share of their reports that are bad.
    pub projects: Vec<CauseLine>,
    /// Prefixes and shapes of URLs, largest group first.
    pub addresses: Vec<CauseLine>,
    /// Sets of checks that fail together, by the number of failures they explain.
    pub sets: Vec<CauseLine>,
    /// The number of bad reports.
    pub all: u64,
    /// Bad reports with unknown checks.
    pub unknown: Vec<ReportId>,
    /// Which reports were examined.
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

/// Finds the common causes of the bad reports among these rows. Takes about 40 ms for 10,000 bad reports.
pub fn find_causes(rows: &Rows, places: &[u32]) -> FoundCauses {
    let Causes { checks, sets, addresses, projects, unknown, all } = causes(rows, places);
    let lines = |groups: &[CauseGroup]| groups.iter().map(line).collect::<Vec<_>>();
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
        projects.iter().map(|group| CauseLine { of: count(group).1, ..line(group) }).collect();
    // Compares shares without rounding, then the number of bad reports.
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

fn line(group: &CauseGroup) -> CauseLine {
    CauseLine {
        label: group.label.clone(),
        reports: group.members.len() as u64,
        of: group.of as u64,
        filter: group.filter.clone(),
    }
}
